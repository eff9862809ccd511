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

/// Inputs of a method that its record holds.
struct RecordInputs {
    std::vector<backends::reference::ReferenceValue> values;  ///< one a user input of the graph
    std::string source;                                       ///< "representative inputs", "example inputs"
};

enum class RecordInputKind : std::uint8_t {
    Representative,  ///< of the first test case, which `forward` alone has
    Example,         ///< that the program was exported with
};

/// Errors: NotFound (the record has none), Format (another number of tensors than the graph takes), those
/// of archives, Limit (more than `maxBytes`).
[[nodiscard]] core::Result<RecordInputs> recordInputs(const etrecord::Record& record, std::string_view method,
                                                      const etrecord::ExportedGraph& graph,
                                                      RecordInputKind kind, std::uint64_t maxBytes);

/// The representative inputs, else the example inputs. Errors: of the latter.
[[nodiscard]] core::Result<RecordInputs> recordInputs(const etrecord::Record& record, std::string_view method,
                                                      const etrecord::ExportedGraph& graph,
                                                      std::uint64_t maxBytes);

/// What PyTorch gave for the representative inputs, one tensor an output. Errors: NotFound (the record has
/// none), those of archives, Limit.
[[nodiscard]] core::Result<std::vector<backends::reference::ReferenceValue>> referenceOutputs(
    const etrecord::Record& record, std::string_view method, std::uint64_t maxBytes);

/// Whether both are the same values, bit by bit.
[[nodiscard]] bool sameValues(std::span<const backends::reference::ReferenceValue> left,
                              std::span<const backends::reference::ReferenceValue> right);

}  // namespace et::inspector
