#pragma once

#include "inspector/roofline/operator_call.h"
#include "runtime/core/cost.h"

#include <optional>
#include <span>
#include <string_view>

// Work of an operator, independent of its implementation.
namespace et::inspector {

/// Work of one call, or of several fused calls.
struct OperatorCost {
    /// Additions, multiplications, comparisons and scalar functions count as one each, a multiply-add as two.
    /// Window positions in the padding do not count.
    double operations = 0;
    double bytesRead = 0;     ///< each required element once
    double bytesWritten = 0;  ///< each element of the results once
    Arithmetic arithmetic = Arithmetic::Fp32;

    [[nodiscard]] double bytes() const { return bytesRead + bytesWritten; }
    /// Operations per byte; nothing if no bytes are moved.
    [[nodiscard]] std::optional<double> intensity() const {
        return bytes() > 0 ? std::optional(operations / bytes()) : std::nullopt;
    }
};

/// Returns nothing if there is no rule for the operator, or its shapes are unknown.
[[nodiscard]] std::optional<OperatorCost> operatorCost(const OperatorCall& call);

/// Returns the cost of calls that run fused: values passed only between them are neither read nor written.
/// `calls` are in execution order. `kept`: ids of values needed afterwards, though one of these calls reads
/// them. Nothing if one of them has no cost.
[[nodiscard]] std::optional<OperatorCost> fusedCost(std::span<const OperatorCall> calls,
                                                    std::span<const std::uint32_t> kept = {});

/// How operations and bytes are counted.
struct CostRule {
    core::Cost cost;
    std::string_view operations;
    std::string_view bytes;
    std::optional<double> (*countOperations)(const OperatorCall& call);
    std::optional<double> (*countBytesRead)(const OperatorCall& call);
};
[[nodiscard]] std::span<const CostRule> costRules();
/// Null for Unknown.
[[nodiscard]] const CostRule* costRule(core::Cost cost);

}  // namespace et::inspector
