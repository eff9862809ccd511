// Tests of sizes as written by torch.export.
#include "etrecord/size_expression.h"

#include <gtest/gtest.h>

#include <string>

namespace et::etrecord {
namespace {

TEST(SizeExpression, EvaluatesSympyExpressions) {
    const SymbolValues values{{"s0", 17}, {"s77", 5}, {"u1", -3}};
    const auto value = [&](std::string_view text) { return evaluateSize(text, values).value_or(-999); };
    EXPECT_EQ(value("12"), 12);
    EXPECT_EQ(value("2*s77"), 10);
    EXPECT_EQ(value("s0 + s77*3 - 1"), 31);
    EXPECT_EQ(value("((s0//4)) + 1"), 5);
    EXPECT_EQ(value("u1//2"), -2);
    EXPECT_EQ(value("u1 % 2"), 1);
    EXPECT_EQ(value("-s77**2"), -25);
    EXPECT_EQ(value("Max(1, Min(s0, s77, 3))"), 3);
    EXPECT_EQ(value("Mod(s0, 8)"), 1);
    EXPECT_EQ(value("FloorDiv(s0, 8)*8"), 16);
    EXPECT_EQ(value("CeilDiv(s0, 8)"), 3);
}

TEST(SizeExpression, ErrorNamesUnsupportedExpression) {
    const SymbolValues values{{"s0", 17}};
    const auto code = [&](std::string_view text) { return evaluateSize(text, values).error().code; };
    EXPECT_EQ(code("s1"), core::ErrorCode::NotFound);
    EXPECT_EQ(code("s0//0"), core::ErrorCode::InvalidArgument);
    EXPECT_EQ(code("Mod(s0, 0)"), core::ErrorCode::InvalidArgument);
    EXPECT_EQ(code("Piecewise(s0)"), core::ErrorCode::Unsupported);
    EXPECT_EQ(code("9223372036854775807 + s0"), core::ErrorCode::Limit);
    EXPECT_EQ(code("99999999999999999999"), core::ErrorCode::Limit);
    EXPECT_EQ(code("s0**99"), core::ErrorCode::Limit);
    EXPECT_EQ(code(std::string(5000, '(')), core::ErrorCode::Limit);
    for (const std::string_view broken :
         {"", "s0 +", "(s0", "s0)", "s0 s0", "Mod(s0)", "Mod(s0, 1, 2)", "*3"}) {
        EXPECT_EQ(code(broken), core::ErrorCode::Format) << broken;
    }
}

TEST(SizeExpression, NamesItsSymbolsOnce) {
    EXPECT_EQ(findSymbols("Max(s0, 2*s77) + s0"), (std::vector<std::string>{"s0", "s77"}));
    EXPECT_TRUE(findSymbols("12").empty());
}

}  // namespace
}  // namespace et::etrecord
