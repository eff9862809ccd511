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

// Tests every operator against its definition, computed in long double, on cases generated from a seed.
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

class Properties : public testing::TestWithParam<Family> {};

TEST_P(Properties, Hold) {
    const std::uint64_t seed = environmentOr("ET_SEED", 1);
    const std::uint64_t cases = environmentOr("ET_CASES", 8);
    constexpr int shown = 5;
    std::uint64_t run = 0;
    for (const Rule& rule : GetParam().rules()) {
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

INSTANTIATE_TEST_SUITE_P(Of, Properties, testing::ValuesIn(families()),
                         [](const auto& family) { return std::string(family.param.name); });

}  // namespace
}  // namespace et::test::operators
