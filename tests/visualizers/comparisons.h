#pragma once

#include "inspector/comparison/comparison.h"

#include <memory>

namespace et::test {

/// Made-up comparison of forward: conv (1000 ns against 2000, slower), add (500 against 500, same), gelu
/// (only B) and relu (only A); five runs per side.
[[nodiscard]] inline std::shared_ptr<const inspector::Comparison> madeUpComparison() {
    using inspector::ComparisonRow;
    using inspector::OperatorTimes;
    const auto times = [](const char* name, std::int32_t instruction, double median) {
        OperatorTimes result;
        result.name = name;
        result.chain = 0;
        result.instruction = core::InstructionId(instruction);
        result.samples = {median - 20, median - 10, median, median + 10, median + 20};
        return result;
    };
    const auto side = [](std::vector<OperatorTimes> operators) {
        auto result = std::make_shared<inspector::Measurement>();
        result->methods.push_back(
            {.method = "forward", .total = {1, 2, 3, 4, 5}, .operators = std::move(operators)});
        return result;
    };
    const auto result = std::make_shared<inspector::Comparison>();
    result->a = side({times("conv", 0, 1000), times("add", 1, 500), times("relu", 2, 100)});
    result->b = side({times("conv", 0, 2000), times("add", 1, 500), times("gelu", 3, 300)});
    const auto& a = result->a->methods[0].operators;
    const auto& b = result->b->methods[0].operators;
    const auto row = [](const OperatorTimes* left, const OperatorTimes* right, inspector::Alignment alignment,
                        inspector::TimeVerdict verdict) {
        ComparisonRow made;
        made.a = left;
        made.b = right;
        made.alignment = alignment;
        made.test.countA = left != nullptr ? left->samples.size() : 0;
        made.test.countB = right != nullptr ? right->samples.size() : 0;
        made.test.medianA = left != nullptr ? left->samples[2] : 0;
        made.test.medianB = right != nullptr ? right->samples[2] : 0;
        made.test.difference = made.test.medianB - made.test.medianA;
        if (left != nullptr && right != nullptr) {
            made.test.ratio = made.test.medianB / made.test.medianA;
        }
        made.test.verdict = verdict;
        return made;
    };
    using inspector::Alignment;
    using inspector::TimeVerdict;
    inspector::MethodComparison method;
    method.a = &result->a->methods[0];
    method.b = &result->b->methods[0];
    method.rows = {row(&a[0], &b[0], Alignment::Sequence, TimeVerdict::Slower),
                   row(&a[1], &b[1], Alignment::Sequence, TimeVerdict::Same),
                   row(nullptr, &b[2], Alignment::Added, TimeVerdict::Undecided),
                   row(&a[2], nullptr, Alignment::Removed, TimeVerdict::Undecided)};
    result->methods = {method};
    return result;
}

}  // namespace et::test
