#include "runtime/kernels/builtin.h"
#include "tests/operators/runner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

// Every operator against what it is defined as, computed in long double, over cases that a seed makes.
//
//     ET_CASES=1000 ET_SEED=7 ET_OPERATOR=aten::add operators_test
namespace et::test::operators {
namespace {

std::uint64_t environmentOr(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing changes it
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::string_view chosenOperator() {
    const char* text = std::getenv("ET_OPERATOR");  // NOLINT(concurrency-mt-unsafe): likewise
    return text == nullptr ? "" : text;
}

class Properties : public testing::TestWithParam<std::span<const Rule> (*)()> {};

TEST_P(Properties, Hold) {
    const std::uint64_t seed = environmentOr("ET_SEED", 1);
    const std::uint64_t cases = environmentOr("ET_CASES", 8);
    constexpr int shown = 5;
    std::uint64_t run = 0;
    for (const Rule& rule : GetParam()()) {
        if (!rule.name.contains(chosenOperator())) {
            continue;
        }
        int wrong = 0;
        for (std::uint64_t at = 0; at < cases && wrong < shown; ++at, ++run) {
            if (const std::string problem = check(rule, seed + at); !problem.empty()) {
                ADD_FAILURE() << problem;
                ++wrong;
            }
        }
    }
    fmt::print("{} cases, seeds from {}\n", run, seed);
}

INSTANTIATE_TEST_SUITE_P(Unary, Properties, testing::Values(&unaryRules));
INSTANTIATE_TEST_SUITE_P(Binary, Properties, testing::Values(&binaryRules));
INSTANTIATE_TEST_SUITE_P(Dense, Properties, testing::Values(&denseRules));
INSTANTIATE_TEST_SUITE_P(Layout, Properties, testing::Values(&layoutRules));
INSTANTIATE_TEST_SUITE_P(Indexing, Properties, testing::Values(&indexingRules));
INSTANTIATE_TEST_SUITE_P(Creation, Properties, testing::Values(&creationRules));
INSTANTIATE_TEST_SUITE_P(Views, Properties, testing::Values(&viewRules));
INSTANTIATE_TEST_SUITE_P(Copies, Properties, testing::Values(&copyRules));
INSTANTIATE_TEST_SUITE_P(Scatter, Properties, testing::Values(&scatterRules));
INSTANTIATE_TEST_SUITE_P(Division, Properties, testing::Values(&divisionRules));
INSTANTIATE_TEST_SUITE_P(Compare, Properties, testing::Values(&compareRules));
INSTANTIATE_TEST_SUITE_P(Selection, Properties, testing::Values(&selectionRules));
INSTANTIATE_TEST_SUITE_P(Reduction, Properties, testing::Values(&reductionRules));
INSTANTIATE_TEST_SUITE_P(Moments, Properties, testing::Values(&momentsRules));
INSTANTIATE_TEST_SUITE_P(Search, Properties, testing::Values(&searchRules));
INSTANTIATE_TEST_SUITE_P(Normalization, Properties, testing::Values(&normalizationRules));
INSTANTIATE_TEST_SUITE_P(Complex, Properties, testing::Values(&complexRules));
INSTANTIATE_TEST_SUITE_P(Unsigned, Properties, testing::Values(&unsignedRules));

}  // namespace
}  // namespace et::test::operators
