#include "app/devices/keep_rule.h"

#include <gtest/gtest.h>

namespace et::devices {
namespace {

TEST(KeepRule, AcceptsConditionsOnARun) {
    for (const char* const text :
         {"time>20ms", "time > 1.5us and instructions > 3", "nan", "max(abs(out1)) > 1e4"}) {
        const auto rule = parseKeepRule(text, 5);
        ASSERT_TRUE(rule) << text;
        EXPECT_EQ(rule->condition, text);
        EXPECT_EQ(rule->last, 5U);
    }
    EXPECT_EQ(parseKeepRule("", 3)->condition, "");
}

TEST(KeepRule, RejectsUnknownNamesAndSyntax) {
    for (const char* const text :
         {"time>", "time>ms", "time>20weeks", "slow", "op == \"aten.mul.out\"", "snr(out) < 30", "nan("}) {
        const auto rule = parseKeepRule(text, 0);
        ASSERT_FALSE(rule) << text;
        EXPECT_TRUE(rule.error().message.starts_with("--keep-if: ")) << rule.error().message;
    }
}

}  // namespace
}  // namespace et::devices
