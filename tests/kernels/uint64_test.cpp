// Tests of uint64 values from 2^63 on, which are negative in int64, the type used for integer computation.
#include "tests/kernels/kernel_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

using testing::ElementsAre;

TEST(UInt64, TheLargerHalfOfUInt64IsLarger) {
    KernelCall call;
    call.tensor<std::uint64_t>({2}, {~std::uint64_t{0}, 1});
    call.tensor<std::uint64_t>({2}, {1, ~std::uint64_t{0}});
    const core::Tensor& out = call.emptyTensor<bool>({2});
    ASSERT_TRUE(call.run("aten::lt.Tensor_out"));
    EXPECT_THAT(elements<bool>(out), ElementsAre(false, true));
}

/// Result of an operator on a and b.
template <class Out = std::uint64_t>
std::vector<Out> ofUInt64(std::string_view name, std::vector<std::uint64_t> a, std::vector<std::uint64_t> b) {
    KernelCall call;
    const auto size = static_cast<std::int64_t>(a.size());
    call.tensor<std::uint64_t>({size}, a);
    if (!b.empty()) {
        call.tensor<std::uint64_t>({size}, b);
    }
    const core::Tensor& out = call.emptyTensor<Out>({size});
    EXPECT_TRUE(call.run(name)) << name;
    return elements<Out>(out);
}

TEST(UInt64, TheLargerHalfOfUInt64IsDividedAndShiftedAsSuch) {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    EXPECT_THAT(ofUInt64("aten::floor_divide.out", {most, most, half, 5}, {2, most, 3, most}),
                ElementsAre(half - 1, 1, half / 3, 0));
    EXPECT_THAT(ofUInt64("aten::fmod.Tensor_out", {most, half, 5}, {10, most, most}),
                ElementsAre(5, half, 5));
    EXPECT_THAT(ofUInt64("aten::remainder.Tensor_out", {most, half, 5}, {10, most, most}),
                ElementsAre(5, half, 5));
    EXPECT_THAT(ofUInt64("aten::pow.Tensor_Tensor_out", {most, 2, 3, 1}, {2, 63, half, most}),
                ElementsAre(1, half, 1, 1));
    EXPECT_THAT(ofUInt64("aten::bitwise_right_shift.Tensor_out", {most, half, half, most}, {1, 63, 64, most}),
                ElementsAre(half - 1, 1, 0, 0));
}

TEST(UInt64, TheLargerHalfOfUInt64IsPositive) {
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    EXPECT_THAT(ofUInt64("aten::abs.out", {half + 1}, {}), ElementsAre(half + 1));
    EXPECT_THAT(ofUInt64("aten::relu.out", {half + 1}, {}), ElementsAre(half + 1));
    EXPECT_THAT(ofUInt64("aten::sign.out", {half + 1, 0}, {}), ElementsAre(1, 0));
    EXPECT_THAT(ofUInt64<double>("aten::maximum.out", {half, 3}, {1, 4}), ElementsAre(0x1p63, 4));
}

TEST(UInt64, ClampsTheLargerHalfOfUInt64) {
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    KernelCall low;
    low.tensor<std::uint64_t>({3}, {half, 3, 9});
    low.add(std::int64_t{5});
    low.none();
    const core::Tensor& raised = low.emptyTensor<std::uint64_t>({3});
    ASSERT_TRUE(low.run("aten::clamp.out"));
    EXPECT_THAT(elements<std::uint64_t>(raised), ElementsAre(half, 5, 9));
    KernelCall high;
    high.tensor<std::uint64_t>({3}, {half, 3, 9});
    high.none();
    high.add(std::int64_t{5});
    const core::Tensor& lowered = high.emptyTensor<std::uint64_t>({3});
    ASSERT_TRUE(high.run("aten::clamp.out"));
    EXPECT_THAT(elements<std::uint64_t>(lowered), ElementsAre(5, 3, 5));
}

}  // namespace
}  // namespace et::test
