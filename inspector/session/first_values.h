#pragma once

#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// First values of mutable buffers. Exporters leave them out of the program unless a pass keeps them.
namespace et::inspector {

/// Planned tensors whose first use reads memory that nothing in the program fills, except inputs: mutable
/// buffers that start at zero. By value, ascending; empty if the file is too damaged to read.
[[nodiscard]] std::vector<program::ValueId> stateStartingAtZero(const program::Method& method);

/// A mutable buffer that starts at zero in the program, and at other values in the record.
struct LostFirstValues {
    program::ValueId value;
    std::string buffer;  ///< "cache.position"
    std::string input;   ///< its name in the Edge graph
    backends::reference::ReferenceTensor recorded;
};

/// Finds the buffers of stateStartingAtZero() by name, else by dtype, sizes and order, which exporters keep.
/// Buffers that cannot be identified are left out. Errors: those of reading the record's tensors.
[[nodiscard]] core::Result<std::vector<LostFirstValues>> findLostFirstValues(const etrecord::Record& record,
                                                                             const program::Method& method,
                                                                             std::uint64_t maxBytes);

/// A mutable buffer in a program and in the Edge graph of its record.
struct BufferPlace {
    program::ValueId value;
    std::string input;  ///< its name in the graph
};

/// Finds all mutable buffers of the method, by name, else by dtype, sizes and order, which exporters keep.
/// Buffers that cannot be identified are left out.
[[nodiscard]] std::vector<BufferPlace> findBuffers(const etrecord::ExportedGraph& graph,
                                                   const program::Method& method);

/// Advice for such buffers, in one or two sentences.
[[nodiscard]] std::string_view remedyForFirstValues();

}  // namespace et::inspector
