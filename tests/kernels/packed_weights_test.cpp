// Tests of torchao's kernels with packed low-bit weights: linear layers and embeddings.
#include "tests/kernels/every_target.h"
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"
#include "tests/support/torchao_packing.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace et::test {
namespace {

using core::Tensor;
using testing::Each;
using testing::ElementsAreArray;
using testing::HasSubstr;

std::string linearName(int bits) {
    return "torchao::_linear_8bit_act_" + std::to_string(bits) + "bit_weight.out";
}

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

LinearWeights randomWeights(int bits, int outputs, int depth, int group, bool hasZeros, bool hasBias) {
    LinearWeights weights{.bits = bits,
                          .outputs = outputs,
                          .depth = depth,
                          .group = group,
                          .integers = lowBitIntegers(bits, at(outputs * depth), 3),
                          .scales = randomNumbers(outputs * depth / group, 4, 0.1F)};
    if (hasZeros) {
        weights.zeros = lowBitIntegers(bits, weights.scales.size(), 5);
    }
    if (hasBias) {
        weights.biases = randomNumbers(outputs, 6, 1);
    }
    return weights;
}

double weightAt(const LinearWeights& weights, int output, int k) {
    const std::size_t group = at(output * weights.groups() + k / weights.group);
    const int zero = weights.zeros.empty() ? 0 : weights.zeros[group];
    return static_cast<double>(weights.integers[at(output * weights.depth + k)] - zero) *
           weights.scales[group];
}

/// A row as it is after quantization to 8 bits: asymmetric, over a range that includes 0.
std::vector<double> quantizedRow(const float* row, int depth) {
    const float low = std::min(0.0F, *std::min_element(row, row + depth));
    const float high = std::max(0.0F, *std::max_element(row, row + depth));
    const float scale = (high - low) / 255;
    const float zero = -128 - std::nearbyint(low / scale);
    std::vector<double> numbers;
    for (int i = 0; i < depth; ++i) {
        const float integer = std::clamp(std::nearbyint(row[i] * (1 / scale)) + zero, -128.0F, 127.0F);
        numbers.push_back(static_cast<double>(integer - zero) * scale);
    }
    return numbers;
}

void addLinear(KernelCall& call, const LinearWeights& weights, int rows,
               const std::vector<float>& activations) {
    const std::vector<std::uint8_t> packed = packLinear(weights);
    call.tensor<float>({rows, weights.depth}, activations);
    call.tensor<std::int8_t>({static_cast<std::int64_t>(packed.size())}, {packed.begin(), packed.end()});
    call.add(whole(weights.group));
    call.add(whole(weights.outputs));
    call.add(whole(weights.depth));
}

void expectLinear(const LinearWeights& weights, int rows, std::size_t threads = 1) {
    SCOPED_TRACE(testing::Message() << weights.bits << " bits, [" << weights.outputs << ", " << weights.depth
                                    << "] in groups of " << weights.group << ", " << rows << " rows");
    const std::vector<float> activations = randomNumbers(rows * weights.depth, 8, 3);
    KernelCall call(threads);
    addLinear(call, weights, rows, activations);
    Tensor& out = call.emptyTensor<float>({rows, weights.outputs});
    const auto done = call.run(linearName(weights.bits));
    ASSERT_TRUE(done) << done.error().message;
    for (int row = 0; row < rows; ++row) {
        const std::vector<double> inputs =
            quantizedRow(activations.data() + row * weights.depth, weights.depth);
        for (int output = 0; output < weights.outputs; ++output) {
            double sum = weights.biases.empty() ? 0 : weights.biases[at(output)];
            double size = 1;
            for (int k = 0; k < weights.depth; ++k) {
                sum += inputs[at(k)] * weightAt(weights, output, k);
                size += std::abs(inputs[at(k)] * weightAt(weights, output, k));
            }
            ASSERT_NEAR(elements<float>(out)[at(row * weights.outputs + output)], sum, 1e-6 * size)
                << "row " << row << ", output " << output;
        }
    }
}

TEST(LowBitLinear, MultipliesQuantizedActivations) {
    onEveryTarget([] {
        for (int bits = 1; bits <= 8; ++bits) {
            expectLinear(randomWeights(bits, 16, 64, 32, false, false), 3);
            expectLinear(randomWeights(bits, 13, 96, 96, true, true), 2);
        }
    });
}

TEST(LowBitLinear, AcceptsAnyNumberOfRowsAndOutputs) {
    onEveryTarget([] {
        for (const int rows : {0, 1, 4, 5, 8, 17}) {
            expectLinear(randomWeights(4, 9, 32, 16, true, false), rows);
        }
        for (const int outputs : {1, 7, 8, 200}) {
            expectLinear(randomWeights(8, outputs, 48, 16, false, true), 3);
        }
    });
    expectLinear(randomWeights(4, 200, 64, 32, true, true), 9, 3);
}

TEST(LowBitLinear, OfZerosIsTheBias) {
    const LinearWeights weights = randomWeights(4, 8, 32, 32, true, true);
    KernelCall call;
    addLinear(call, weights, 1, std::vector<float>(32));
    Tensor& out = call.emptyTensor<float>({1, 8});
    ASSERT_TRUE(call.run(linearName(4)));
    EXPECT_THAT(elements<float>(out), ElementsAreArray(weights.biases));
}

TEST(LowBitLinear, KeepsRowsThatDoNotContainZero) {
    LinearWeights weights = randomWeights(8, 8, 16, 16, false, false);
    std::ranges::fill(weights.scales, 1.0F);
    std::ranges::fill(weights.integers, std::int8_t{1});
    KernelCall call;
    addLinear(call, weights, 2, [] {
        std::vector<float> rows(32, 10);
        std::fill(rows.begin() + 16, rows.end(), -10.0F);
        return rows;
    }());
    Tensor& out = call.emptyTensor<float>({2, 8});
    ASSERT_TRUE(call.run(linearName(8)));
    for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_NEAR(elements<float>(out)[i], i < 8 ? 160 : -160, 1e-3);
    }
}

TEST(LowBitLinear, LooksUpIntegersInATable) {
    constexpr int outputs = 8;
    std::vector<std::uint8_t> packed;
    appendHeader(packed, {4, 2, 0, 0, 8, 16, 2});
    for (const int number : {-100, 3, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}) {
        packed.push_back(static_cast<std::uint8_t>(number));
    }
    std::int8_t indices[128];
    for (int i = 0; i < 128; ++i) {
        indices[i] = static_cast<std::int8_t>(i / 8 % outputs % 4);  // one table index per output
    }
    std::uint8_t bytes[32];
    packRun(2, indices, 128, bytes, true);
    packed.insert(packed.end(), bytes, bytes + 32);
    for (int i = 0; i < outputs; ++i) {
        append(packed, 0.5F);
    }
    packed.resize(packed.size() + outputs * sizeof(std::int32_t));
    KernelCall call;
    call.tensor<float>({1, 16}, std::vector<float>(16, 1));
    call.tensor<std::uint8_t>({static_cast<std::int64_t>(packed.size())}, packed);
    call.add(whole(16));
    call.add(whole(outputs));
    call.add(whole(16));
    Tensor& out = call.emptyTensor<float>({1, outputs});
    const auto done = call.run(linearName(2));
    ASSERT_TRUE(done) << done.error().message;
    const std::vector<float> sums = elements<float>(out);
    for (std::size_t i = 0; i < outputs; ++i) {
        EXPECT_NEAR(sums[i], std::vector<float>({-800, 24, 0, 400})[i % 4], 1e-3);
    }
}

/// A valid call of the 4-bit linear layer with some changes.
struct LinearChange {
    std::vector<std::uint8_t> packed = packLinear(randomWeights(4, 8, 32, 16, true, true));
    std::int64_t group = 16;
    std::int64_t outputs = 8;
    std::int64_t depth = 32;
    std::vector<std::int64_t> activations{2, 32};
    std::vector<std::int64_t> result{2, 8};
    int bits = 4;
};

std::string linearError(const LinearChange& change) {
    KernelCall call;
    call.emptyTensor<float>(change.activations);
    call.tensor<std::uint8_t>({static_cast<std::int64_t>(change.packed.size())}, change.packed);
    call.add(whole(change.group));
    call.add(whole(change.outputs));
    call.add(whole(change.depth));
    call.emptyTensor<float>(change.result);
    return errorOf(call, linearName(change.bits));
}

LinearChange withNumber(std::size_t index, std::int32_t number) {
    LinearChange change;
    std::memcpy(change.packed.data() + index * sizeof(number), &number, sizeof(number));
    return change;
}

TEST(LowBitLinear, NamesAWrongArgument) {
    EXPECT_EQ(linearError(LinearChange()), "no error");
    EXPECT_THAT(linearError({.activations = {2, 31}}),
                HasSubstr("activations: expected row-major float32 [2, 32]"));
    EXPECT_THAT(linearError({.activations = {64}}), HasSubstr("activations: "));
    EXPECT_THAT(linearError({.result = {2, 9}}), HasSubstr("2, 8"));
    EXPECT_THAT(linearError({.group = 24}),
                HasSubstr("group_size: expected a multiple of 16 that divides 32, got 24"));
    for (const std::int64_t group : {std::int64_t{0}, std::int64_t{-16}, std::int64_t{64}, min, max}) {
        EXPECT_THAT(linearError({.group = group}), HasSubstr("group_size: "));
    }
    for (const std::int64_t outputs : {std::int64_t{0}, std::int64_t{-8}, std::int64_t{9}, min, max}) {
        EXPECT_THAT(linearError({.outputs = outputs}), HasSubstr("packed_weights: "));
    }
    for (const std::int64_t depth : {std::int64_t{0}, std::int64_t{-32}, std::int64_t{48}, min, max}) {
        EXPECT_THAT(linearError({.depth = depth}), HasSubstr("activations: "));
    }
    EXPECT_THAT(linearError({.packed = std::vector<std::uint8_t>(63)}),
                HasSubstr("packed_weights: expected a header"));
    LinearChange shorter;
    shorter.packed.pop_back();
    EXPECT_THAT(linearError(shorter),
                HasSubstr("packed_weights: expected the 4-bit weights of 8 outputs and 32 inputs"));
    EXPECT_THAT(linearError({.bits = 3}), HasSubstr("packed_weights: expected a header of 3-bit weights"));
}

TEST(LowBitLinear, ChecksTheHeader) {
    EXPECT_EQ(linearError(withNumber(0, 6712)), "no error");
    EXPECT_THAT(linearError(withNumber(0, 6713)),
                HasSubstr("packed_weights: expected weights packed by torchao"));
    EXPECT_THAT(linearError(withNumber(1, 3)), HasSubstr("KleidiAI"));
    for (std::size_t index = 1; index < 16; ++index) {
        EXPECT_THAT(linearError(withNumber(index, 77)), HasSubstr("expected a header of 4-bit weights"))
            << index;
        EXPECT_NE(linearError(withNumber(index, -1)), "no error") << index;
    }
}

struct EmbeddingNumbers {
    int bits;
    int rows;
    int depth;
    int group;
    std::vector<std::int8_t> integers = lowBitIntegers(bits, at(rows* depth), 1);
    std::vector<float> scales = randomNumbers(rows * depth / group, 2, 0.1F);
    std::vector<std::int8_t> zeros = lowBitIntegers(bits, at(rows* depth / group), 3);

    /// (integer - zero point) * scale, as float32.
    [[nodiscard]] std::vector<float> row(int index) const {
        std::vector<float> numbers;
        for (int i = 0; i < depth; ++i) {
            const std::size_t parameter = at((index * depth + i) / group);
            numbers.push_back(static_cast<float>(integers[at(index * depth + i)] - zeros[parameter]) *
                              scales[parameter]);
        }
        return numbers;
    }
};

template <class Index>
void expectEmbedding(const EmbeddingNumbers& numbers) {
    SCOPED_TRACE(testing::Message() << numbers.bits << " bits, depth " << numbers.depth);
    const std::vector<std::uint8_t> packed = packEmbedding(numbers.bits, numbers.depth, numbers.integers);
    const std::int64_t groups = numbers.depth / numbers.group;
    KernelCall call;
    call.tensor<std::int8_t>({static_cast<std::int64_t>(packed.size())}, {packed.begin(), packed.end()});
    call.add(whole(numbers.rows));
    call.add(whole(numbers.depth));
    call.tensor<float>({numbers.rows, groups}, numbers.scales);
    call.tensor<std::int8_t>({numbers.rows, groups}, numbers.zeros);
    call.tensor<Index>({3}, {2, 0, 2});
    Tensor& out = call.emptyTensor<float>({3, numbers.depth});
    const auto done = call.run("torchao::_embedding_" + std::to_string(numbers.bits) + "bit.out");
    ASSERT_TRUE(done) << done.error().message;
    std::vector<float> expected = numbers.row(2);
    for (const int row : {0, 2}) {
        const std::vector<float> more = numbers.row(row);
        expected.insert(expected.end(), more.begin(), more.end());
    }
    EXPECT_THAT(elements<float>(out), ElementsAreArray(expected));
}

TEST(LowBitEmbedding, UnpacksEveryRunOfIntegers) {
    onEveryTarget([] {
        for (int bits = 1; bits <= 8; ++bits) {
            for (const int depth : {32, 64, 96, 128, 224, 256}) {
                expectEmbedding<std::int64_t>({.bits = bits, .rows = 3, .depth = depth, .group = 32});
            }
            expectEmbedding<std::int32_t>({.bits = bits, .rows = 4, .depth = 192, .group = 96});
        }
    });
}

/// Bytes of torchao's layouts that can be read off its definition.
TEST(LowBitEmbedding, ReadsKnownBytes) {
    struct Known {
        int bits;
        std::size_t byte;
        std::uint8_t value;
        std::size_t element;
        float number;
    };
    // All other bytes are 0: the lowest integer.
    for (const Known& known :
         {Known{1, 0, 0x80, 0, 0}, Known{1, 3, 0x01, 7 * 16 + 3, 0}, Known{2, 0, 0xC0, 0, 1},
          Known{3, 0, 0x38, 0, 3}, Known{3, 32, 0x80, 6 * 16, 0}, Known{4, 5, 0x0F, 5, 7},
          Known{4, 5, 0xF0, 21, 7}, Known{5, 64, 0x03, 16, 8}, Known{6, 16, 0xC0, 48, -20},
          Known{7, 16, 0x80, 112, -62}, Known{8, 100, 0x7F, 100, 127}}) {
        std::vector<std::uint8_t> packed;
        appendHeader(packed, {2, 1, known.bits, 32, 128});
        packed.resize(packed.size() + at(16 * known.bits));
        packed[64 + known.byte] = known.value;
        KernelCall call;
        call.tensor<std::uint8_t>({static_cast<std::int64_t>(packed.size())}, packed);
        call.add(whole(1));
        call.add(whole(128));
        call.tensor<float>({1, 1}, {1});
        call.tensor<std::int8_t>({1, 1}, {0});
        call.tensor<std::int64_t>({1}, {0});
        Tensor& out = call.emptyTensor<float>({1, 128});
        ASSERT_TRUE(call.run("torchao::_embedding_" + std::to_string(known.bits) + "bit.out")) << known.bits;
        std::vector<float> numbers = elements<float>(out);
        EXPECT_EQ(numbers[known.element], known.number) << known.bits;
        numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(known.element));
        EXPECT_THAT(numbers, Each(known.bits == 8 ? 0.0F : -static_cast<float>(1 << (known.bits - 1))));
    }
}

struct EmbeddingChange {
    std::vector<std::uint8_t> packed = packEmbedding(4, 64, lowBitIntegers(4, 128, 1));
    std::int64_t rows = 2;
    std::int64_t depth = 64;
    std::vector<std::int64_t> scales{2, 2};
    std::vector<std::int64_t> zeros{2, 2};
    std::vector<std::int64_t> indices{1};
};

std::string embeddingError(const EmbeddingChange& change) {
    KernelCall call;
    call.tensor<std::uint8_t>({static_cast<std::int64_t>(change.packed.size())}, change.packed);
    call.add(whole(change.rows));
    call.add(whole(change.depth));
    call.emptyTensor<float>(change.scales);
    call.emptyTensor<std::int8_t>(change.zeros);
    call.tensor<std::int64_t>({static_cast<std::int64_t>(change.indices.size())}, change.indices);
    call.resizableTensor<float>({8, 64});
    return errorOf(call, "torchao::_embedding_4bit.out");
}

TEST(LowBitEmbedding, NamesAWrongArgument) {
    EXPECT_EQ(embeddingError(EmbeddingChange()), "no error");
    EXPECT_THAT(embeddingError({.indices = {0, 2}}), HasSubstr("indices: expected 0 to 1, got 2"));
    EXPECT_THAT(embeddingError({.indices = {-1}}), HasSubstr("indices: expected 0 to 1, got -1"));
    for (const std::int64_t rows : {std::int64_t{0}, std::int64_t{3}, min, max}) {
        EXPECT_THAT(embeddingError({.rows = rows}), HasSubstr("weight_scales: "));
    }
    for (const std::int64_t depth : {std::int64_t{0}, std::int64_t{32}, std::int64_t{-64}, min, max}) {
        EXPECT_THAT(embeddingError({.depth = depth}), HasSubstr("embedding_dim: "));
    }
    EXPECT_THAT(embeddingError({.depth = 128}),
                HasSubstr("packed_weight_qvals: expected 2 rows of 128 4-bit integers"));
    EXPECT_THAT(embeddingError({.scales = {2, 3}, .zeros = {2, 3}}), HasSubstr("embedding_dim: "));
    EXPECT_THAT(embeddingError({.scales = {2}}), HasSubstr("weight_scales: "));
    EXPECT_THAT(embeddingError({.zeros = {2, 1}}), HasSubstr("weight_zeros: "));
    EXPECT_THAT(embeddingError({.packed = {}}), HasSubstr("packed_weight_qvals: expected a header"));
    EXPECT_THAT(embeddingError({.packed = packEmbedding(3, 64, lowBitIntegers(3, 128, 1))}),
                HasSubstr("packed_weight_qvals: expected a header of 4-bit embeddings (2, 1, 4, 32, 128)"));
}

TEST(SharedEmbedding, IsARowOfTheLinearLayer) {
    onEveryTarget([] {
        for (int bits = 1; bits <= 8; ++bits) {
            for (const bool hasZeros : {false, true}) {
                const LinearWeights weights = randomWeights(bits, 11, 64, 32, hasZeros, hasZeros);
                const std::vector<std::uint8_t> packed = packLinear(weights);
                KernelCall call;
                call.tensor<std::uint8_t>({static_cast<std::int64_t>(packed.size())}, packed);
                call.add(whole(32));
                call.add(whole(11));
                call.add(whole(64));
                call.tensor<std::int32_t>({3}, {10, 0, 7});
                Tensor& out = call.emptyTensor<float>({3, 64});
                ASSERT_TRUE(call.run("torchao::_shared_embedding_" + std::to_string(bits) + "bit.out"));
                std::vector<float> expected;
                for (const int row : {10, 0, 7}) {
                    for (int k = 0; k < 64; ++k) {
                        expected.push_back(static_cast<float>(weightAt(weights, row, k)));
                    }
                }
                EXPECT_THAT(elements<float>(out), ElementsAreArray(expected)) << bits;
            }
        }
    });
}

TEST(SharedEmbedding, NamesAWrongArgument) {
    const auto errorFor = [](std::vector<std::int64_t> indices, std::int64_t rows, std::int32_t kind) {
        std::vector<std::uint8_t> packed = packLinear(randomWeights(4, 8, 32, 32, false, false));
        std::memcpy(packed.data() + sizeof(kind), &kind, sizeof(kind));
        packed.resize(packed.size() + 16);  // for a table
        KernelCall call;
        call.tensor<std::uint8_t>({static_cast<std::int64_t>(packed.size())}, packed);
        call.add(whole(32));
        call.add(whole(rows));
        call.add(whole(32));
        call.tensor<std::int64_t>({static_cast<std::int64_t>(indices.size())}, indices);
        call.resizableTensor<float>({4, 32});
        return errorOf(call, "torchao::_shared_embedding_4bit.out");
    };
    EXPECT_EQ(errorFor({0}, 8, 1), "no error");
    EXPECT_THAT(errorFor({8}, 8, 1), HasSubstr("indices: expected 0 to 7, got 8"));
    EXPECT_THAT(errorFor({0}, 17, 1), HasSubstr("packed_weights: "));
    EXPECT_THAT(errorFor({0}, 8, 4), HasSubstr("packed_weights: expected weights without a table"));
}

}  // namespace
}  // namespace et::test
