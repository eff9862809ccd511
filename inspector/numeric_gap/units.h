#pragma once

#include "etrecord/record.h"
#include "inspector/numeric_gap/node_mapping.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "inspector/numeric_gap/tensor_numbers.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::inspector {

/// One value that the runtime computed, with its place in the Edge graph.
struct GapUnit {
    GapPlace where = GapPlace::Instruction;
    std::int64_t chain = -1;
    std::int32_t instruction = -1;
    std::string op;       ///< kind of a delegate's node ("Conv2d"), or the name of the event
    std::string backend;  ///< empty: a kernel
    std::optional<core::DebugHandle> handle;
    std::optional<std::uint32_t> inner{};  ///< its id in the delegate
    std::size_t output = 0;                ///< of a kernel: which of its results
    GraphPlace place;
    ReferenceTensor real;  ///< the runtime's numbers, dequantized, in the graph's order of dimensions
    std::optional<ReferenceTensor> whole;                ///< before they were dequantized
    std::optional<QuantizationParameters> quantization;  ///< that they were dequantized with
};

/// What units are found among; all of it is borrowed.
struct UnitSources {
    const GraphWalk& graph;
    const GraphValues& reference;
    const etrecord::MethodMaps& maps;
    const RuntimeValues& runtime;
    const program::Method* method = nullptr;  ///< null: no program was given
    /// Who tells how values inside of delegates lie.
    std::span<const executor::Backend* const> backends{};
};

struct FoundUnits {
    std::vector<GapUnit> units;         ///< in execution order
    std::vector<std::string> warnings;  ///< what could not be read
    std::size_t unplaced = 0;           ///< values inside of delegates that no node of the graph makes
};

/// Errors: those of reading tensors.
[[nodiscard]] core::Result<FoundUnits> findUnits(const UnitSources& sources);

/// Whether it is a dtype of what delegates quantize to: int8 or uint8.
[[nodiscard]] inline bool isWhole(core::ScalarType type) {
    return type == core::ScalarType::Char || type == core::ScalarType::Byte;
}

/// The reference's real numbers at a place; nothing where it has none.
[[nodiscard]] std::optional<ReferenceTensor> referenceAt(const GraphPlace& place, const GraphValues& values);

}  // namespace et::inspector
