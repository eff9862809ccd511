// Tests of torchao's dequantization and of experts with packed weights.
#include "tests/kernels/every_target.h"
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"
#include "tests/support/torchao_packing.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::test {
namespace {

using core::ScalarType;
using core::Tensor;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

constexpr std::int64_t floatCode = static_cast<std::int64_t>(ScalarType::Float);
constexpr auto e5m2 = static_cast<ScalarType>(23);
constexpr auto e4m3 = static_cast<ScalarType>(24);
constexpr auto e8m0 = static_cast<ScalarType>(44);

void setBytes(Tensor& tensor, const std::vector<int>& bytes) {
    ASSERT_EQ(tensor.bytes(), bytes.size());
    std::ranges::transform(bytes, tensor.raw(), [](int byte) { return static_cast<std::byte>(byte); });
}

/// Sets up a row of 32 4-bit floats with two scales.
Tensor& addNvfp4(KernelCall& call, const std::vector<int>& bytes, float whole, std::int64_t blockSize = 16) {
    setBytes(call.emptyTensor<std::uint8_t>({1, 16}), bytes);
    setBytes(call.emptyTensor<std::uint8_t>({1, 2}), {0x38, 0x40});  // 1 and 2
    call.tensor<float>({}, {whole});
    call.add(test::whole(blockSize));
    call.add(test::whole(floatCode));
    return call.emptyTensor<float>({1, 32});
}

TEST(Nvfp4, DecodesEveryNumber) {
    const std::vector<int> bytes{0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE,
                                 0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE};
    KernelCall call;
    Tensor& out = addNvfp4(call, bytes, 0.5F);
    ASSERT_TRUE(call.run("torchao::dequantize_nvfp4.out"));
    const std::vector<float> numbers{0, 0.5F, 1, 1.5F, 2, 3, 4, 6, 0, -0.5F, -1, -1.5F, -2, -3, -4, -6};
    std::vector<float> expected;
    for (const float factor : {0.5F, 1.0F}) {
        std::ranges::transform(numbers, std::back_inserter(expected),
                               [&](float number) { return number * factor; });
    }
    EXPECT_THAT(elements<float>(out), ElementsAreArray(expected));
}

TEST(Nvfp4, ReadsWordsOfEightNumbers) {
    KernelCall call;
    call.tensor<std::uint32_t>({1, 2}, {0x00000021, 0x70000000});
    setBytes(call.emptyTensorOf(e4m3, {1, 1}), {0x3C});  // 1.5
    call.tensor<float>({1}, {2});
    call.add(whole(16));
    call.none();
    Tensor& out = call.emptyTensor<float>({1, 16});
    ASSERT_TRUE(call.run("torchao::dequantize_nvfp4.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1.5F, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 18));
}

TEST(Nvfp4, NamesAWrongArgument) {
    const auto errorFor = [](std::int64_t blockSize, std::vector<std::int64_t> scale, std::int64_t dtype) {
        KernelCall call;
        call.emptyTensor<std::uint8_t>({1, 16});
        call.emptyTensor<std::uint8_t>(std::move(scale));
        call.tensor<float>({}, {1});
        call.add(whole(blockSize));
        call.add(whole(dtype));
        call.emptyTensor<float>({1, 32});
        return errorOf(call, "torchao::dequantize_nvfp4.out");
    };
    EXPECT_EQ(errorFor(16, {1, 2}, floatCode), "no error");
    for (const std::int64_t size :
         {std::int64_t{0}, std::int64_t{-16}, std::int64_t{5}, std::int64_t{64}, min, max}) {
        EXPECT_THAT(errorFor(size, {1, 2}, floatCode), HasSubstr("block_size: expected a divisor of 32"));
    }
    EXPECT_THAT(errorFor(16, {1, 3}, floatCode), HasSubstr("scale: expected row-major uint8 [1, 2]"));
    EXPECT_THAT(errorFor(16, {1, 2}, 5),
                HasSubstr("output_dtype: expected float32, the dtype of out, got float16"));
    KernelCall empty;
    empty.emptyTensor<float>({1, 16});
    empty.emptyTensor<std::uint8_t>({1, 2});
    empty.emptyTensor<float>({0});
    empty.add(whole(16));
    empty.none();
    empty.emptyTensor<float>({1, 32});
    EXPECT_THAT(errorOf(empty, "torchao::dequantize_nvfp4.out"),
                HasSubstr("qdata: expected uint8 or uint32"));
}

/// The numbers of a row of float8 with one scale.
std::vector<float> decodeMx(ScalarType dtype, const std::vector<int>& bytes, int scale) {
    KernelCall call;
    const auto count = static_cast<std::int64_t>(bytes.size());
    setBytes(call.emptyTensorOf(dtype, {1, count}), bytes);
    setBytes(call.emptyTensorOf(e8m0, {1, 1}), {scale});
    call.add(whole(static_cast<std::int64_t>(dtype)));
    call.add(whole(count));
    call.none();
    Tensor& out = call.emptyTensor<float>({1, count});
    EXPECT_EQ(errorOf(call, "torchao::dequantize_mx.out"), "no error");
    return elements<float>(out);
}

TEST(Mx, DecodesE4m3) {
    EXPECT_THAT(decodeMx(e4m3, {0x00, 0x01, 0x07, 0x08, 0x38, 0x39, 0x7E, 0xFE, 0x81}, 127),
                ElementsAre(0, 0x1p-9F, 7 * 0x1p-9F, 0x1p-6F, 1, 1.125F, 448, -448, -0x1p-9F));
    EXPECT_TRUE(std::isnan(decodeMx(e4m3, {0x7F}, 127)[0]));
    EXPECT_TRUE(std::isnan(decodeMx(e4m3, {0xFF}, 127)[0]));
}

TEST(Mx, DecodesE5m2) {
    EXPECT_THAT(decodeMx(e5m2, {0x00, 0x01, 0x03, 0x04, 0x3C, 0x3D, 0x7B, 0x7C, 0xFC, 0xBC}, 127),
                ElementsAre(0, 0x1p-16F, 3 * 0x1p-16F, 0x1p-14F, 1, 1.25F, 57344, infinity, -infinity, -1));
    EXPECT_TRUE(std::isnan(decodeMx(e5m2, {0x7D}, 127)[0]));
}

TEST(Mx, ScalesByAPowerOfTwo) {
    EXPECT_THAT(decodeMx(e4m3, {0x38}, 0), ElementsAre(0x1p-127F));
    EXPECT_THAT(decodeMx(e4m3, {0x38}, 1), ElementsAre(0x1p-126F));
    EXPECT_THAT(decodeMx(e4m3, {0x38}, 254), ElementsAre(0x1p127F));
    EXPECT_TRUE(std::isnan(decodeMx(e4m3, {0x38}, 255)[0]));
}

TEST(Mx, NamesAWrongArgument) {
    const auto errorFor = [](ScalarType dtype, ScalarType element, std::int64_t blockSize, ScalarType scale) {
        KernelCall call;
        call.emptyTensorOf(dtype, {2, 32});
        call.emptyTensorOf(scale, {2, 2});
        call.add(whole(static_cast<std::int64_t>(element)));
        call.add(whole(blockSize));
        call.none();
        call.emptyTensor<float>({2, 32});
        return errorOf(call, "torchao::dequantize_mx.out");
    };
    EXPECT_EQ(errorFor(e4m3, e4m3, 16, e8m0), "no error");
    EXPECT_THAT(errorFor(e4m3, e5m2, 16, e8m0), HasSubstr("qdata: expected row-major float8_e5m2"));
    EXPECT_THAT(errorFor(e4m3, ScalarType::Float, 16, e8m0), HasSubstr("elem_dtype: expected float8_e4m3fn"));
    EXPECT_THAT(errorFor(e4m3, e4m3, 7, e8m0), HasSubstr("block_size: expected a divisor of 32, got 7"));
    EXPECT_THAT(errorFor(e4m3, e4m3, 32, e8m0), HasSubstr("scale: expected row-major float8_e8m0fnu [2, 1]"));
    EXPECT_THAT(errorFor(e4m3, e4m3, 16, ScalarType::Float), HasSubstr("scale: "));
}

TEST(Int4Tensor, HasScalesByGroupAndRow) {
    KernelCall call;
    setBytes(call.emptyTensor<std::uint8_t>({2, 2}), {0x21, 0x43, 0xF0, 0x87});
    call.tensor<float>({2, 2}, {1, 10, 100, 0.5F});
    call.tensor<std::int8_t>({2, 2}, {0, 8, 1, 2});
    call.add(whole(2));
    call.add(whole(floatCode));
    Tensor& out = call.emptyTensor<float>({2, 4});
    ASSERT_TRUE(call.run("torchao::dequantize_int4_tensor.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, 200, 300, -80, 70, 2.5F, 3));
}

TEST(Int4Tensor, NamesAWrongArgument) {
    const auto errorFor = [](std::int64_t group, std::vector<std::int64_t> scale,
                             std::vector<std::int64_t> zeros) {
        KernelCall call;
        call.emptyTensor<std::uint8_t>({2, 2});
        call.emptyTensor<float>(std::move(scale));
        call.emptyTensor<float>(std::move(zeros));
        call.add(whole(group));
        call.none();
        call.emptyTensor<float>({2, 4});
        return errorOf(call, "torchao::dequantize_int4_tensor.out");
    };
    EXPECT_EQ(errorFor(2, {2, 2}, {2, 2}), "no error");
    EXPECT_THAT(errorFor(3, {2, 2}, {2, 2}), HasSubstr("group_size: expected a divisor of 4, got 3"));
    EXPECT_THAT(errorFor(0, {2, 2}, {2, 2}), HasSubstr("group_size: "));
    EXPECT_THAT(errorFor(4, {2, 2}, {2, 2}), HasSubstr("scale: expected row-major float32 [1, 2]"));
    EXPECT_THAT(errorFor(2, {2, 2}, {2, 1}), HasSubstr("zero_point: expected row-major float32 [2, 2]"));
}

/// Writes the low `bits` of a number from bit `at` of some bytes.
void putBits(std::vector<std::uint8_t>& bytes, std::size_t at, int bits, unsigned number) {
    for (int i = 0; i < bits; ++i, ++at) {
        bytes[at / 8] = static_cast<std::uint8_t>(bytes[at / 8] | (number >> i & 1U) << at % 8);
    }
}

void putHalf(std::vector<std::uint8_t>& bytes, std::size_t at, float number) {
    const auto half = static_cast<core::Half>(number);
    std::memcpy(bytes.data() + at, &half, sizeof(half));
}

/// A block and the numbers that it stands for.
struct GgufBlock {
    std::string_view type;
    std::vector<std::uint8_t> bytes;
    std::vector<float> numbers{};
};

/// Integer `i` of a block, below 2^bits.
unsigned blockInteger(std::size_t i, int bits) {
    return static_cast<unsigned>(i * 2654435761U >> 7U) & ((1U << bits) - 1);
}

/// q4_0, q4_1, q5_0, q5_1, q8_0.
GgufBlock smallBlock(std::string_view type, int bits, bool hasLeast) {
    const std::size_t integers = hasLeast ? 4 : 2;
    GgufBlock block{.type = type,
                    .bytes = std::vector<std::uint8_t>(integers + static_cast<std::size_t>(bits) * 4)};
    putHalf(block.bytes, 0, 0.25F);
    if (hasLeast) {
        putHalf(block.bytes, 2, -1.5F);
    }
    for (std::size_t i = 0; i < 32; ++i) {
        const unsigned integer = blockInteger(i, bits);
        const int centre = hasLeast ? 0 : 1 << (bits - 1);
        if (bits == 8) {
            putBits(block.bytes, (integers + i) * 8, 8, integer ^ 0x80U);
        } else {
            if (bits == 5) {
                putBits(block.bytes, integers * 8 + i, 1, integer >> 4U);
            }
            const std::size_t low = integers + (bits == 5 ? 4 : 0) + i % 16;
            putBits(block.bytes, low * 8 + i / 16 * 4, 4, integer);
        }
        block.numbers.push_back(0.25F * static_cast<float>(static_cast<int>(integer) - centre) +
                                (hasLeast ? -1.5F : 0));
    }
    return block;
}

GgufBlock largeBlock2() {
    GgufBlock block{.type = "q2_k", .bytes = std::vector<std::uint8_t>(84)};
    putHalf(block.bytes, 80, 0.5F);
    putHalf(block.bytes, 82, 0.25F);
    for (std::size_t i = 0; i < 256; ++i) {
        const std::size_t group = i / 16;
        if (i % 16 == 0) {
            putBits(block.bytes, group * 8, 4, blockInteger(group + 5, 4));
            putBits(block.bytes, group * 8 + 4, 4, blockInteger(group + 50, 4));
        }
        putBits(block.bytes, (16 + i / 128 * 32 + i % 32) * 8 + i % 128 / 32 * 2, 2, blockInteger(i, 2));
        block.numbers.push_back(0.5F * static_cast<float>(blockInteger(group + 5, 4) * blockInteger(i, 2)) -
                                0.25F * static_cast<float>(blockInteger(group + 50, 4)));
    }
    return block;
}

GgufBlock largeBlock3() {
    GgufBlock block{.type = "q3_k", .bytes = std::vector<std::uint8_t>(110)};
    putHalf(block.bytes, 108, 0.5F);
    for (std::size_t i = 0; i < 256; ++i) {
        const std::size_t group = i / 16;
        const unsigned scale = blockInteger(group + 7, 6);
        if (i % 16 == 0) {
            putBits(block.bytes, (96 + group % 8) * 8 + group / 8 * 4, 4, scale);
            putBits(block.bytes, (104 + group % 4) * 8 + group / 4 * 2, 2, scale >> 4U);
        }
        const unsigned integer = blockInteger(i, 3);
        putBits(block.bytes, (32 + i / 128 * 32 + i % 32) * 8 + i % 128 / 32 * 2, 2, integer);
        putBits(block.bytes, i % 32 * 8 + i / 32, 1, integer >> 2U);
        block.numbers.push_back(0.5F * static_cast<float>(static_cast<int>(scale) - 32) *
                                static_cast<float>(static_cast<int>(integer) - 4));
    }
    return block;
}

/// q4_k and q5_k.
GgufBlock largeBlock45(int bits) {
    const std::size_t low = bits == 4 ? 16 : 48;
    GgufBlock block{.type = bits == 4 ? "q4_k" : "q5_k", .bytes = std::vector<std::uint8_t>(low + 128)};
    putHalf(block.bytes, 0, 0.5F);
    putHalf(block.bytes, 2, 0.125F);
    for (std::size_t i = 0; i < 256; ++i) {
        const std::size_t group = i / 32;
        const unsigned scale = blockInteger(group + 9, 6);
        const unsigned least = blockInteger(group + 90, 6);
        if (i % 32 == 0 && group < 4) {
            putBits(block.bytes, (4 + group) * 8, 6, scale);
            putBits(block.bytes, (8 + group) * 8, 6, least);
        } else if (i % 32 == 0) {
            putBits(block.bytes, (8 + group) * 8, 4, scale);
            putBits(block.bytes, (8 + group) * 8 + 4, 4, least);
            putBits(block.bytes, group * 8 + 6, 2, scale >> 4U);
            putBits(block.bytes, (4 + group) * 8 + 6, 2, least >> 4U);
        }
        const unsigned integer = blockInteger(i, bits);
        putBits(block.bytes, (low + i / 64 * 32 + i % 32) * 8 + group % 2 * 4, 4, integer);
        if (bits == 5) {
            putBits(block.bytes, (16 + i % 32) * 8 + group, 1, integer >> 4U);
        }
        block.numbers.push_back(0.5F * static_cast<float>(scale * integer) -
                                0.125F * static_cast<float>(least));
    }
    return block;
}

GgufBlock largeBlock6() {
    GgufBlock block{.type = "q6_k", .bytes = std::vector<std::uint8_t>(210)};
    putHalf(block.bytes, 208, 0.5F);
    for (std::size_t i = 0; i < 256; ++i) {
        const auto scale = static_cast<std::int8_t>(blockInteger(i / 16 + 3, 8));
        block.bytes[192 + i / 16] = static_cast<std::uint8_t>(scale);
        const unsigned integer = blockInteger(i, 6);
        putBits(block.bytes, (i / 128 * 64 + i % 64) * 8 + i % 128 / 64 * 4, 4, integer);
        putBits(block.bytes, (128 + i / 128 * 32 + i % 32) * 8 + i % 128 / 32 * 2, 2, integer >> 4U);
        block.numbers.push_back(0.5F * static_cast<float>(scale) *
                                static_cast<float>(static_cast<int>(integer) - 32));
    }
    return block;
}

TEST(Gguf, DecodesEachTypeOfBlock) {
    for (const GgufBlock& block :
         {smallBlock("q4_0", 4, false), smallBlock("q4_1", 4, true), smallBlock("q5_0", 5, false),
          smallBlock("q5_1", 5, true), smallBlock("q8_0", 8, false), largeBlock2(), largeBlock3(),
          largeBlock45(4), largeBlock45(5), largeBlock6()}) {
        // Two rows of two blocks: zeros, and the block.
        const std::vector<std::uint8_t> zeros(block.bytes.size());
        std::vector<std::uint8_t> bytes(block.bytes);
        for (const auto& more : {block.bytes, zeros, block.bytes}) {
            bytes.insert(bytes.end(), more.begin(), more.end());
        }
        KernelCall call;
        const auto elementCount = static_cast<std::int64_t>(block.numbers.size());
        call.tensor<std::uint8_t>({2, static_cast<std::int64_t>(block.bytes.size()) * 2}, bytes);
        call.add(block.type);
        call.add(whole(floatCode));
        Tensor& out = call.emptyTensor<float>({2, 2 * elementCount});
        ASSERT_EQ(errorOf(call, "torchao::dequantize_gguf.out"), "no error") << block.type;
        const std::vector<float> numbers = elements<float>(out);
        for (const std::ptrdiff_t start : {std::ptrdiff_t{0}, std::ptrdiff_t{1}, std::ptrdiff_t{3}}) {
            const auto first = numbers.begin() + start * elementCount;
            EXPECT_THAT(std::vector(first, first + elementCount), ElementsAreArray(block.numbers))
                << block.type;
        }
    }
}

TEST(Gguf, RoundsToTheDtypeOfTheResult) {
    const GgufBlock block = largeBlock45(4);
    KernelCall call;
    call.tensor<std::uint8_t>({1, 144}, block.bytes);
    call.add(std::string_view("q4_k"));
    call.add(whole(static_cast<std::int64_t>(ScalarType::BFloat16)));
    Tensor& out = call.emptyTensorOf(ScalarType::BFloat16, {1, 256});
    ASSERT_TRUE(call.run("torchao::dequantize_gguf.out"));
    EXPECT_EQ(elements<core::BFloat16>(out)[17], static_cast<core::BFloat16>(block.numbers[17]));
}

TEST(Gguf, NamesAWrongArgument) {
    const auto errorFor = [](std::string_view type, std::int64_t bytes) {
        KernelCall call;
        call.emptyTensor<std::uint8_t>({1, bytes});
        call.add(type);
        call.none();
        call.emptyTensor<float>({1, 256});
        return errorOf(call, "torchao::dequantize_gguf.out");
    };
    EXPECT_EQ(errorFor("q4_k", 144), "no error");
    EXPECT_THAT(errorFor("q4_k", 145),
                HasSubstr("weight: expected rows of whole q4_k blocks (144 bytes), got 145"));
    EXPECT_THAT(errorFor("iq2_xs", 144), HasSubstr("ggml_type: expected one of q4_0, "));
    EXPECT_THAT(errorFor("", 144), HasSubstr("ggml_type: "));
}

TEST(DequantizeAffine, HasAScalePerBlock) {
    KernelCall call;
    call.tensor<std::int8_t>({2, 4}, {1, 2, 3, 4, -5, -6, -7, -8});
    call.ints({1, 2});
    call.tensor<float>({2, 2}, {1, 10, 100, 1000});
    call.tensor<std::int32_t>({2, 2}, {0, 3, -5, 0});
    call.add(whole(static_cast<std::int64_t>(ScalarType::Char)));
    call.none();
    call.none();
    call.add(whole(floatCode));
    Tensor& out = call.emptyTensor<float>({2, 4});
    const auto done = call.run("torchao::dequantize_affine.out");
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, 0, 10, 0, -100, -7000, -8000));
}

TEST(DequantizeAffine, OfAllElementsWithoutZeroPoint) {
    KernelCall call;
    call.tensor<std::uint8_t>({2, 2}, {1, 2, 3, 255});
    call.ints({2, 2});
    call.tensor<float>({1}, {0.5F});
    call.none();
    call.add(whole(0));
    call.add(0.0);
    call.add(255.0);
    call.none();
    Tensor& out = call.emptyTensor<double>({2, 2});
    ASSERT_TRUE(call.run("torchao::dequantize_affine.out"));
    EXPECT_THAT(elements<double>(out), ElementsAre(0.5, 1, 1.5, 127.5));
}

TEST(DequantizeAffine, NamesAWrongArgument) {
    const auto errorFor = [](std::initializer_list<std::int64_t> block, std::int64_t scales,
                             std::int64_t dtype) {
        KernelCall call;
        call.emptyTensor<std::int8_t>({2, 4});
        call.ints(block);
        call.emptyTensor<float>({scales});
        call.emptyTensor<std::int32_t>({4});
        call.add(whole(dtype));
        call.none();
        call.none();
        call.none();
        call.emptyTensor<float>({2, 4});
        return errorOf(call, "torchao::dequantize_affine.out");
    };
    EXPECT_EQ(errorFor({1, 2}, 4, 1), "no error");
    EXPECT_THAT(errorFor({1}, 4, 1), HasSubstr("block_size: expected 2 sizes"));
    EXPECT_THAT(errorFor({1, 3}, 4, 1),
                HasSubstr("block_size: expected sizes that divide [2, 4], got [1, 3]"));
    EXPECT_THAT(errorFor({0, 2}, 4, 1), HasSubstr("block_size: "));
    EXPECT_THAT(errorFor({1, 2}, 3, 1), HasSubstr("scale: expected 4 row-major numbers"));
    EXPECT_THAT(errorFor({2, 2}, 2, 1), HasSubstr("zero_point: expected 2 row-major numbers"));
    EXPECT_THAT(errorFor({1, 2}, 4, 0), HasSubstr("input: expected row-major uint8"));
}

}  // namespace
}  // namespace et::test
