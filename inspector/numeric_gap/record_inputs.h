#pragma once

#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Inputs of a method stored in its record.
struct RecordInputs {
    std::vector<backends::reference::ReferenceValue> values;  ///< one per user input of the graph
    std::string source;                                       ///< "representative inputs", "example inputs"
};

enum class RecordInputKind : std::uint8_t {
    Representative,  ///< inputs of the first test case; only for `forward`
    Example,         ///< inputs that the program was exported with
};

/// "example inputs"
[[nodiscard]] std::string_view nameOf(RecordInputKind kind);

/// Errors: NotFound (the record has none), Format (the number of tensors differs from the graph's), those of
/// archives, Limit (more than `maxBytes`).
[[nodiscard]] core::Result<RecordInputs> recordInputs(const etrecord::Record& record, std::string_view method,
                                                      const etrecord::ExportedGraph& graph,
                                                      RecordInputKind kind, std::uint64_t maxBytes);

/// The representative inputs, or the example inputs if there are none. Errors: of the latter.
[[nodiscard]] core::Result<RecordInputs> recordInputs(const etrecord::Record& record, std::string_view method,
                                                      const etrecord::ExportedGraph& graph,
                                                      std::uint64_t maxBytes);

/// PyTorch's outputs for the representative inputs, one tensor per output. Errors: NotFound (the record has
/// none), those of archives, Limit.
[[nodiscard]] core::Result<std::vector<backends::reference::ReferenceValue>> referenceOutputs(
    const etrecord::Record& record, std::string_view method, std::uint64_t maxBytes);

/// Whether both contain the same values, bit for bit.
[[nodiscard]] bool sameValues(std::span<const backends::reference::ReferenceValue> left,
                              std::span<const backends::reference::ReferenceValue> right);

}  // namespace et::inspector
