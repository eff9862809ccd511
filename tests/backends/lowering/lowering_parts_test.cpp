#include "backends/lowering/permute_elements.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/lowering/weight_store.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace et::backends::lowering {
namespace {

std::string text(std::string_view expression) {
    const etrecord::ExportedGraph::ByName<etrecord::RangeConstraint> symbols{
        {"s0", {.minimum = 2, .maximum = 10}}, {"u1", {.minimum = 0, .maximum = std::nullopt}}};
    const auto range = rangeOf(expression, symbols);
    if (!range) {
        return "?";
    }
    return std::to_string(range->min) + ".." + (range->max ? std::to_string(*range->max) : "");
}

TEST(SizeBounds, FollowFromThoseOfSymbols) {
    EXPECT_EQ(text("7"), "7..7");
    EXPECT_EQ(text("s0"), "2..10");
    EXPECT_EQ(text("2*s0 + 1"), "5..21");
    EXPECT_EQ(text("s0 - 1"), "1..9");
    EXPECT_EQ(text("-s0 + 12"), "2..10");
    EXPECT_EQ(text("(s0 + 1)//3"), "1..3");
    EXPECT_EQ(text("FloorDiv(s0, 2)"), "1..5");
    EXPECT_EQ(text("Max(4, s0)"), "4..10");
    EXPECT_EQ(text("Min(4, s0)"), "2..4");
    EXPECT_EQ(text("Mod(s0, 4)"), "0..3");
    EXPECT_EQ(text("s0*s0"), "4..100");
    EXPECT_EQ(text("u1"), "0..");
    EXPECT_EQ(text("u1 + 1"), "1..");
}

TEST(SizeBounds, AreUnknownForOtherExpressions) {
    for (const std::string_view expression :
         {"", "s1", "s0**2", "s0 +", "(s0", "s0)", "s0//0", "Foo(s0)", "Max(s0", "99999999999999999999"}) {
        EXPECT_EQ(text(expression), "?") << expression;
    }
    EXPECT_EQ(text(std::string(100'000, '(')), "?");
    EXPECT_EQ(text(std::string(100'000, '-')), "?");
}

TEST(PermuteElements, MovesDimensions) {
    const std::array<std::int16_t, 6> elements{0, 1, 2, 3, 4, 5};
    const auto bytes =
        permuteElements(std::as_bytes(std::span(elements)), sizeof(std::int16_t),
                        std::array<std::int64_t, 3>{1, 2, 3}, std::array<std::uint8_t, 3>{2, 0, 1});
    std::array<std::int16_t, 6> moved{};
    ASSERT_EQ(bytes.size(), sizeof(moved));
    std::memcpy(moved.data(), bytes.data(), bytes.size());
    EXPECT_EQ(moved, (std::array<std::int16_t, 6>{0, 3, 1, 4, 2, 5}));
}

TEST(WeightStore, KeepsEqualBytesOnce) {
    WeightStore store;
    const std::array<float, 2> a{1, 2};
    const std::array<float, 2> b{3, 4};
    EXPECT_EQ(store.add(std::as_bytes(std::span(a)), "w"), "w");
    EXPECT_EQ(store.add(std::as_bytes(std::span(a)), "other"), "w");
    EXPECT_EQ(store.add(std::as_bytes(std::span(b)), "w"), "w.2");
    EXPECT_EQ(store.all().size(), 2U);
}

}  // namespace
}  // namespace et::backends::lowering
