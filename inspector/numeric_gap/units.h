#pragma once

#include "etrecord/record.h"
#include "inspector/numeric_gap/delegate_sensitivity.h"
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

/// A value computed by the runtime, with its position in the Edge graph.
struct GapUnit {
    GapLevel where = GapLevel::Instruction;
    std::int64_t chain = -1;
    std::int32_t instruction = -1;
    std::string op;       ///< kind of a delegate's node ("Conv2d"), or the event name
    std::string backend;  ///< empty: a kernel
    std::optional<core::DebugHandle> handle;
    std::optional<std::uint32_t> inner{};  ///< id inside the delegate
    std::size_t output = 0;                ///< for a kernel: index of the result
    MappedValue place;
    ReferenceTensor real;  ///< the runtime's numbers, dequantized, in the graph's order of dimensions
    std::optional<ReferenceTensor> whole;                ///< before dequantization
    std::optional<QuantizationParameters> quantization;  ///< used for the dequantization
};

/// Inputs of the search for units; all borrowed.
struct UnitSources {
    const GraphWalk& graph;
    const GraphValues& reference;
    const etrecord::MethodMaps& maps;
    const RuntimeValues& runtime;
    const program::Method* method = nullptr;  ///< null: no program available
    /// Backends that describe the layout of values inside delegates.
    std::span<const executor::Backend* const> backends{};
    ValueStore* store = nullptr;  ///< for converted values; null: they stay in memory
};

/// A delegate call without known values inside.
struct WholeCall {
    std::int32_t instruction = -1;
    std::string backend;
    DelegateNodes content;
};

struct FoundUnits {
    std::vector<GapUnit> units;         ///< in execution order
    std::vector<std::string> warnings;  ///< values that could not be read
    std::vector<WholeCall> whole{};
    std::size_t unplaced = 0;  ///< number of values inside delegates that no node of the graph computes
};

/// Errors: those of reading tensors.
[[nodiscard]] core::Result<FoundUnits> findUnits(const UnitSources& sources);

/// Whether the dtype is one that delegates quantize to: int8 or uint8.
[[nodiscard]] inline bool isWhole(core::ScalarType type) {
    return type == core::ScalarType::Char || type == core::ScalarType::Byte;
}

/// The reference's real numbers for a place; nothing if there are none.
[[nodiscard]] std::optional<ReferenceTensor> referenceAt(const MappedValue& place, const GraphValues& values);

}  // namespace et::inspector
