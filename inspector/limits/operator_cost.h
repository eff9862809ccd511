#pragma once

#include "inspector/limits/operator_call.h"

#include <optional>
#include <span>
#include <string_view>

// What an operator has to do, whatever computes it.
namespace et::inspector {

/// Work of one call, or of several that run as one.
struct OperatorCost {
    /// Additions, multiplications, comparisons and functions of one number, each one; a product that is added
    /// to a sum is two. Positions of a window that lie in the padding are none.
    double operations = 0;
    double bytesRead = 0;     ///< each element that is needed once
    double bytesWritten = 0;  ///< each element of the results once
    Arithmetic arithmetic = Arithmetic::Fp32;

    [[nodiscard]] double bytes() const { return bytesRead + bytesWritten; }
    /// Operations a byte; nothing where no byte is moved.
    [[nodiscard]] std::optional<double> intensity() const {
        return bytes() > 0 ? std::optional(operations / bytes()) : std::nullopt;
    }
};

/// Nothing: there is no rule for the operator, or its shapes are not known.
[[nodiscard]] std::optional<OperatorCost> operatorCost(const OperatorCall& call);

/// Of calls that run as one: values that only pass between them are neither read nor written. `calls` in the
/// order in which they run. `kept`: ids of values that are needed afterwards, though one of these calls reads
/// them. Nothing where one of them has no cost.
[[nodiscard]] std::optional<OperatorCost> fusedCost(std::span<const OperatorCall> calls,
                                                    std::span<const std::uint32_t> kept = {});

/// A rule, for the documentation: names of operators and how their operations are counted.
struct CostRule {
    std::string_view operators;  ///< with blanks between
    std::string_view operations;
    std::string_view bytes;
    std::optional<double> (*countOperations)(const OperatorCall& call);
    std::optional<double> (*countBytesRead)(const OperatorCall& call);
};
[[nodiscard]] std::span<const CostRule> costRules();
/// Null: none.
[[nodiscard]] const CostRule* costRule(std::string_view operation);

}  // namespace et::inspector
