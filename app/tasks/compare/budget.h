#pragma once

#include "inspector/comparison/comparison.h"
#include "inspector/format/quantities.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

struct BudgetQuantity;  ///< budget.cpp

/// What B of a comparison must not be: "p50>5ms", "size>=4MB", "sqnr<40".
struct Budget {
    std::string text;  ///< as it was given
    const BudgetQuantity* quantity = nullptr;
    bool above = true;     ///< broken by larger values; else by smaller ones
    bool orEqual = false;  ///< broken by the limit itself
    double limit = 0;      ///< nanoseconds, bytes, decibels, or a number
};

/// Errors: InvalidArgument (says what is expected: a quantity, a relation, a number with its unit).
[[nodiscard]] core::Result<Budget> parseBudget(std::string_view text);

/// The names of all quantities with what they are, for help and documents.
struct BudgetQuantityInfo {
    std::string_view name;
    std::string_view meaning;
};
[[nodiscard]] std::vector<BudgetQuantityInfo> budgetQuantities();

/// A budget and what B has. Budgets of times are checked for every method, those of outputs against the
/// worst.
struct BudgetCheck {
    Budget budget;
    std::string method;  ///< empty: of no method
    double value = 0;    ///< as Budget::limit
    inspector::report::Measure unit = inspector::report::Measure::None;
    bool broken = false;
};

/// Errors: InvalidArgument (B cannot say: a trace has no size, a baseline no outputs, ticks are no time).
[[nodiscard]] core::Result<std::vector<BudgetCheck>> checkBudgets(std::span<const Budget> budgets,
                                                                  const inspector::Comparison& comparison);

/// "forward: p50 is 6.2 ms (fails if p50>5ms)".
[[nodiscard]] std::string budgetLine(const BudgetCheck& check);

}  // namespace et::app
