#include "app/devices/keep_rule.h"

#include <gtest/gtest.h>

namespace et::devices {
namespace {

using Condition = wire::KeepRule::Condition;

TEST(KeepRule, ReadsTimesInTheirUnits) {
    const auto slow = parseKeepRule("time>20ms", 5);
    ASSERT_TRUE(slow);
    EXPECT_EQ(slow->condition, Condition::Slower);
    EXPECT_EQ(slow->nanoseconds, 20'000'000U);
    EXPECT_EQ(slow->last, 5U);
    EXPECT_EQ(parseKeepRule("time>1.5us", 0)->nanoseconds, 1500U);
    EXPECT_EQ(parseKeepRule("time>2s", 0)->nanoseconds, 2'000'000'000U);
    EXPECT_EQ(parseKeepRule("nan", 3)->condition, Condition::Nan);
    EXPECT_EQ(parseKeepRule("", 3)->condition, Condition::All);
}

TEST(KeepRule, RefusesEverythingElse) {
    for (const char* const text : {"time>", "time>20", "time>ms", "time>-1ms", "time>1e99s", "time<20ms",
                                   "inf", "time>20ms ", "nan "}) {
        EXPECT_FALSE(parseKeepRule(text, 0)) << text;
    }
}

}  // namespace
}  // namespace et::devices
