#pragma once

#include "backends/lowering/partitioner.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/kernels/registry.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace et::backends::lowering {

struct LowerOptions {
    const kernels::KernelRegistry& kernels;
    Partitioner partitioner{};          ///< none: all nodes stay calls of kernels
    std::vector<std::string> except{};  ///< nodes that stay out of delegates
    std::vector<std::string> only{};    ///< none: all may go into delegates
};

/// One method of a record, lowered.
struct LoweredMethod {
    std::string name;
    const etrecord::ExportedGraph* graph = nullptr;  ///< the record's, or `ownGraph`
    PartitionedMethod partition;
    EmittedMethod emitted;
    std::shared_ptr<const etrecord::ExportedGraph> ownGraph{};  ///< that no record has
};

struct LoweredProgram {
    std::vector<LoweredMethod> methods;
    std::vector<std::byte> file;  ///< .pte
};

/// Makes a program of the Edge graphs of a record, which must live as long as the result. A node is named in
/// `except` and `only` by its name, its operator ("aten.add.Tensor") or a module ("layers.0"), which stands
/// for all below it. Errors: NotFound (no node has such a name), as EdgeMethod::open(), a partitioner,
/// emitMethod() and ProgramBuilder::finish().
[[nodiscard]] core::Result<LoweredProgram> lowerRecord(const etrecord::Record& record,
                                                       const LowerOptions& options);

}  // namespace et::backends::lowering
