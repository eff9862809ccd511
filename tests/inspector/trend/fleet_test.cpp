// Tests the rates stated in docs/explanation/trend.md, on a tenth of the histories of
// benchmarks/verdicts/trend_rates.
#include "tests/support/fleet_rates.h"

#include <gtest/gtest.h>

namespace et::test {
namespace {

class Fleet : public testing::TestWithParam<FleetNoise> {};

TEST_P(Fleet, AlarmsOnlyOnChanges) {
    constexpr std::size_t histories = 10;
    const FleetRates rates = ratesOf(GetParam(), histories, {});
    EXPECT_LE(rates.alarms, 1U);
    EXPECT_GE(rates.found, histories - 1);
    EXPECT_GE(rates.named, rates.found - 1);
}

INSTANTIATE_TEST_SUITE_P(Noise, Fleet, testing::ValuesIn(fleetNoises),
                         [](const auto& noise) { return noise.param.name; });

}  // namespace
}  // namespace et::test
