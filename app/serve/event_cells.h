#pragma once

#include "app/serve/value.h"
#include "etrecord/exported_graph.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/mapped_file.h"

#include <memory>
#include <span>
#include <vector>

// Fields of an event as values.
namespace et::serve {

/// The joined trace of the events, and the debug buffer of the values that the runtime logged.
struct Logged {
    std::shared_ptr<const inspector::EventBlocks> joined;
    std::shared_ptr<const core::MappedFile> debugBuffer;  ///< null: none

    /// The values of the given debug events; tensors are arrays.
    [[nodiscard]] List values(std::span<const etdump::EventIndex> events) const;
};

/// One sample per run in the target unit; None if only values were logged.
[[nodiscard]] Value samplesCell(const inspector::Event& event);
/// Start of each sample, in source ticks; None without samples.
[[nodiscard]] Value startsCell(const inspector::Event& event);
/// A number, a text or None.
[[nodiscard]] Value identifierCell(const inspector::Event& event);
/// None if unknown.
[[nodiscard]] Value backendCell(const inspector::Event& event);
[[nodiscard]] List opTypesCell(const inspector::Block& block, const inspector::Event& event);

/// The nodes that ExecuTorch's Inspector resolves for an event: those of libraries that it does not load are
/// missing.
[[nodiscard]] std::vector<const etrecord::Node*> knownNodes(const inspector::Block& block,
                                                            const inspector::Event& event);
/// {node: stack trace or None}
[[nodiscard]] Dict stackTracesCell(const std::vector<const etrecord::Node*>& nodes);
/// {module path: (name, type)}, outermost first
[[nodiscard]] Dict moduleStackCell(const etrecord::Node& node);
/// {node: moduleStackCell()}
[[nodiscard]] Dict moduleHierarchyCell(const std::vector<const etrecord::Node*>& nodes);

}  // namespace et::serve
