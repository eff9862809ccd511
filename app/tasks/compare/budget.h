#pragma once

#include "inspector/comparison/comparison.h"
#include "inspector/format/quantities.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

struct BudgetQuantity;  ///< budget.cpp

/// A condition under which B of a comparison fails: "p50>5ms", "size>=4MB", "sqnr<40".
struct Budget {
    std::string text;  ///< as it was given
    const BudgetQuantity* quantity = nullptr;
    bool above = true;     ///< true: fails above the limit; false: below it
    bool orEqual = false;  ///< also fails at the limit
    double limit = 0;      ///< nanoseconds, bytes, decibels, or a number
};

/// Errors: InvalidArgument (the message describes the expected format: a quantity, a relation, a number with
/// its unit).
[[nodiscard]] core::Result<Budget> parseBudget(std::string_view text);

/// Names and meanings of all quantities, for help and documentation.
struct BudgetQuantityInfo {
    std::string_view name;
    std::string_view meaning;
};
[[nodiscard]] std::vector<BudgetQuantityInfo> budgetQuantities();

/// A budget and B's value. Time budgets are checked for every method, output budgets against the worst
/// output.
struct BudgetCheck {
    Budget budget;
    std::string method;  ///< empty: not specific to a method
    double value = 0;    ///< as Budget::limit
    inspector::format::Measure unit = inspector::format::Measure::None;
    bool broken = false;
};

/// Errors: InvalidArgument (B has no such value: a trace has no size, a baseline no outputs, ticks are not a
/// time).
[[nodiscard]] core::Result<std::vector<BudgetCheck>> checkBudgets(std::span<const Budget> budgets,
                                                                  const inspector::Comparison& comparison);

/// "forward: p50 is 6.2 ms (fails if p50>5ms)".
[[nodiscard]] std::string budgetLine(const BudgetCheck& check);

}  // namespace et::tasks
