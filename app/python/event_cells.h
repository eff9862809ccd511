#pragma once

#include "etrecord/exported_graph.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/mapped_file.h"

#include <nanobind/nanobind.h>

#include <memory>
#include <span>
#include <vector>

// What an event is made of, as Python's own values. Lists and dictionaries are new ones: whoever gets them
// may change them.
namespace et::python {

/// The joined trace that events are of, and the values that the runtime logged beside it.
struct Logged {
    std::shared_ptr<const inspector::EventBlocks> joined;
    std::shared_ptr<const core::MappedFile> debugBuffer;  ///< null: none

    /// The values of these debug events; tensors are arrays that share memory with the debug buffer.
    [[nodiscard]] nanobind::list values(std::span<const etdump::EventIndex> events) const;
};

/// A sample for each run in the target unit; None where only values were logged.
[[nodiscard]] nanobind::object samplesCell(const inspector::Event& event);
/// When each sample began, in source ticks; None without samples.
[[nodiscard]] nanobind::object startsCell(const inspector::Event& event);
/// A number, a text or None.
[[nodiscard]] nanobind::object identifierCell(const inspector::Event& event);
/// None where unknown.
[[nodiscard]] nanobind::object backendCell(const inspector::Event& event);
[[nodiscard]] nanobind::list opTypesCell(const inspector::Block& block, const inspector::Event& event);

/// The nodes that ExecuTorch's Inspector knows of an event: those of libraries that it does not load are
/// missing.
[[nodiscard]] std::vector<const etrecord::Node*> knownNodes(const inspector::Block& block,
                                                            const inspector::Event& event);
/// {node: stack trace or None}
[[nodiscard]] nanobind::dict stackTracesCell(const std::vector<const etrecord::Node*>& nodes);
/// {node: {module path: (name, type)}}
[[nodiscard]] nanobind::dict moduleHierarchyCell(const std::vector<const etrecord::Node*>& nodes);

}  // namespace et::python
