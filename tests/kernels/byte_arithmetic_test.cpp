// Tests arithmetic of quantized bytes against its definition, for all pairs of bytes, on every instruction
// set of this processor.

#include "runtime/kernels/quantized/byte_arithmetic.h"

#include "runtime/kernels/simd_targets.h"
#include "tests/kernels/every_target.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::kernels::quantized {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t pairs = std::size_t{256} * 256;

Bytes lefts() {
    Bytes made(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        made[i] = static_cast<std::uint8_t>(i / 256);
    }
    return made;
}
Bytes rights() {
    Bytes made(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        made[i] = static_cast<std::uint8_t>(i % 256);
    }
    return made;
}

std::uint8_t finish(std::int64_t number, const ByteOutput& output, std::uint8_t flip) {
    const auto held = std::clamp<std::int64_t>(number + output.zeroPoint, output.low, output.high);
    return static_cast<std::uint8_t>(held) ^ flip;
}

TEST(ByteArithmetic, ProductsAreRoundedOnceInFloat) {
    for (const std::uint8_t flip : {std::uint8_t{0}, std::uint8_t{0x80}}) {
        for (const float scale : {0x1p-16F, 0.0033F, 0.5F, 1.0F, 0.0078125F, 63.9F}) {
            const ByteProduct product{.leftZero = 131,
                                      .rightZero = 0,
                                      .scale = scale,
                                      .output = {.zeroPoint = 117, .low = 3, .high = 250}};
            et::test::onEveryTarget([&] {
                Bytes made(pairs);
                multiplyBytes(product, flip, lefts().data(), rights().data(), pairs, made.data());
                for (std::size_t i = 0; i < pairs; ++i) {
                    const int left = static_cast<int>((i / 256) ^ flip) - product.leftZero;
                    const int right = static_cast<int>((i % 256) ^ flip) - product.rightZero;
                    const float scaled = static_cast<float>(left * right) * scale;
                    ASSERT_EQ(made[i], finish(std::lrint(scaled), product.output, flip)) << i;
                }
            });
        }
    }
}

TEST(ByteArithmetic, SumsAreShiftedDown) {
    struct Case {
        std::int32_t left, right, shift;
    };
    for (const std::uint8_t flip : {std::uint8_t{0}, std::uint8_t{0x80}}) {
        for (const auto& [left, right, shift] : {Case{1 << 20, 1 << 20, 20},
                                                 {(1 << 21) - 1, -(1 << 21) + 1, 30},
                                                 {1'234'567, -3, 13},
                                                 {32'768, 2'000'001, 12}}) {
            const std::int64_t bias =
                (std::int64_t{1} << (shift - 1)) - std::int64_t{left} * 7 - std::int64_t{right} * 250;
            const ByteSum sum{.leftMultiplier = left,
                              .rightMultiplier = right,
                              .bias = static_cast<std::int32_t>(static_cast<std::uint32_t>(bias)),
                              .shift = shift,
                              .output = {.zeroPoint = 90, .low = 0, .high = 255}};
            et::test::onEveryTarget([&] {
                Bytes made(pairs);
                addBytes(sum, flip, lefts().data(), rights().data(), pairs, made.data());
                for (std::size_t i = 0; i < pairs; ++i) {
                    const auto a = static_cast<std::int64_t>((i / 256) ^ flip);
                    const auto b = static_cast<std::int64_t>((i % 256) ^ flip);
                    const std::int64_t exact = (a * left + b * right + bias) >> shift;
                    ASSERT_EQ(made[i], finish(exact, sum.output, flip)) << i;
                }
            });
        }
    }
}

TEST(ByteArithmetic, DoesNotWritePastTheEnd) {
    const ByteProduct product{
        .leftZero = 0, .rightZero = 0, .scale = 1, .output = {.zeroPoint = 0, .low = 0, .high = 255}};
    const ByteSum sum{.leftMultiplier = 1 << 20,
                      .rightMultiplier = 1 << 20,
                      .bias = 0,
                      .shift = 20,
                      .output = {.zeroPoint = 0, .low = 0, .high = 255}};
    Bytes table(256);
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = static_cast<std::uint8_t>(255 - i);
    }
    et::test::onEveryTarget([&] {
        for (std::size_t count = 0; count < 200; ++count) {
            const Bytes left(count, 3);
            const Bytes right(count, 5);
            Bytes expected(count + 1, 15);
            expected[count] = 99;
            Bytes made(count + 1, 99);
            multiplyBytes(product, 0, left.data(), right.data(), count, made.data());
            ASSERT_EQ(made, expected);
            std::fill_n(expected.begin(), count, std::uint8_t{8});
            addBytes(sum, 0, left.data(), right.data(), count, made.data());
            ASSERT_EQ(made, expected);
            std::fill_n(expected.begin(), count, std::uint8_t{252});
            lookUpBytes(table.data(), left.data(), count, made.data());
            ASSERT_EQ(made, expected);
        }
    });
}

TEST(ByteArithmetic, ATableHoldsAllBytes) {
    Bytes table(256);
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = static_cast<std::uint8_t>(i * 167 + 13);
    }
    const Bytes from = rights();
    Bytes made(pairs);
    lookUpBytes(table.data(), from.data(), pairs, made.data());
    for (std::size_t i = 0; i < pairs; ++i) {
        ASSERT_EQ(made[i], table[from[i]]);
    }
}

}  // namespace
}  // namespace et::kernels::quantized
