#pragma once

#include "backends/lowering/partitioner.h"
#include "etrecord/record.h"
#include "runtime/core/file_content.h"
#include "runtime/core/result.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace et::backends::lowering {

struct LowerOptions {
    const kernels::KernelRegistry& kernels;
    Partitioner partitioner{};                    ///< none: all nodes become kernel calls
    std::vector<std::string> except{};            ///< nodes kept outside delegates
    std::vector<std::string> only{};              ///< none: all may go into delegates
    const program::Program* constants = nullptr;  ///< program whose constant methods are added; null: none
};

/// A lowered method of a record.
struct LoweredMethod {
    std::string name;
    const etrecord::ExportedGraph* graph = nullptr;  ///< in the record, or `ownGraph`
    PartitionedMethod partition;
    EmittedMethod emitted;
    std::shared_ptr<const etrecord::ExportedGraph> ownGraph{};  ///< a graph that is not in the record
    std::uint64_t plannedBytes = 0;                             ///< of its memory plan
};

struct LoweredProgram {
    std::vector<LoweredMethod> methods;
    core::FileContent file;  ///< .pte; borrows constants from the record
};

/// Lowers the Edge graphs of a record to a program; the record must outlive the result. `except` and `only`
/// contain names of nodes, operators ("aten.add.Tensor") or modules ("layers.0", with all nodes below it).
/// Methods share buffers of one name that any of them changes.
/// Errors: NotFound (no node has such a name), those of EdgeMethod::open(), a partitioner, emitMethod() and
/// ProgramBuilder::finish().
[[nodiscard]] core::Result<LoweredProgram> lowerRecord(const etrecord::Record& record,
                                                       const LowerOptions& options);

}  // namespace et::backends::lowering
