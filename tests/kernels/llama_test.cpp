#include "runtime/core/element_types.h"
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace et::test {
namespace {

using core::Tensor;
using testing::ElementsAre;

struct AttentionShape {
    std::int64_t queries;
    std::int64_t cache;
    std::int64_t heads;
    std::int64_t keyHeads;
    std::int64_t depth;
    std::int64_t startPos;
    bool causal;
    bool masked;
    bool positionsAtDim2;
};

std::vector<std::int64_t> sizes(const AttentionShape& shape, std::int64_t positions, std::int64_t heads,
                                std::int64_t depth) {
    return shape.positionsAtDim2 ? std::vector<std::int64_t>{2, heads, positions, depth}
                                 : std::vector<std::int64_t>{2, positions, heads, depth};
}

std::size_t place(const AttentionShape& shape, std::int64_t positions, std::int64_t heads, std::int64_t batch,
                  std::int64_t at, std::int64_t head, std::int64_t d) {
    const std::int64_t row = shape.positionsAtDim2 ? (batch * heads + head) * positions + at
                                                   : (batch * positions + at) * heads + head;
    return static_cast<std::size_t>(row * shape.depth + d);
}

struct Inputs {
    std::vector<float> query, key, value, mask;
};

Inputs inputsFor(const AttentionShape& shape) {
    Inputs inputs{.query = randomNumbers(2 * shape.queries * shape.heads * shape.depth, 1, 1),
                  .key = randomNumbers(2 * shape.cache * shape.keyHeads * shape.depth, 2, 1),
                  .value = randomNumbers(2 * shape.cache * shape.keyHeads * shape.depth, 3, 1),
                  .mask = {}};
    if (shape.masked) {
        inputs.mask = randomNumbers(shape.queries * shape.cache, 4, 1);
        for (std::size_t i = 0; i < inputs.mask.size(); i += 3) {
            inputs.mask[i] = -std::numeric_limits<float>::infinity();
        }
    }
    return inputs;
}

/// Attention computed by its definition, in double.
std::vector<float> reference(const AttentionShape& shape, const Inputs& inputs) {
    std::vector<float> result(inputs.query.size());
    for (std::int64_t batch = 0; batch < 2; ++batch) {
        for (std::int64_t head = 0; head < shape.heads; ++head) {
            const std::int64_t keyHead = head / (shape.heads / shape.keyHeads);
            for (std::int64_t i = 0; i < shape.queries; ++i) {
                std::int64_t keys = shape.masked ? shape.cache : shape.startPos + shape.queries;
                if (shape.causal) {
                    keys = std::min(keys, shape.startPos + i + 1);
                }
                std::vector<double> weights;
                double total = 0;
                for (std::int64_t j = 0; j < keys; ++j) {
                    double sum = 0;
                    for (std::int64_t d = 0; d < shape.depth; ++d) {
                        sum +=
                            static_cast<double>(
                                inputs.query[place(shape, shape.queries, shape.heads, batch, i, head, d)]) *
                            static_cast<double>(
                                inputs.key[place(shape, shape.cache, shape.keyHeads, batch, j, keyHead, d)]);
                    }
                    sum /= std::sqrt(static_cast<double>(shape.depth));
                    if (shape.masked) {
                        sum +=
                            static_cast<double>(inputs.mask[static_cast<std::size_t>(i * shape.cache + j)]);
                    }
                    weights.push_back(std::exp(sum));
                    total += weights.back();
                }
                for (std::int64_t d = 0; d < shape.depth; ++d) {
                    double sum = 0;
                    for (std::int64_t j = 0; j < keys; ++j) {
                        sum += weights[static_cast<std::size_t>(j)] *
                               static_cast<double>(inputs.value[place(shape, shape.cache, shape.keyHeads,
                                                                      batch, j, keyHead, d)]);
                    }
                    result[place(shape, shape.queries, shape.heads, batch, i, head, d)] =
                        static_cast<float>(sum / total);
                }
            }
        }
    }
    return result;
}

void expectNear(const std::vector<float>& actual, const std::vector<float>& expected, float tolerance) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        ASSERT_NEAR(actual[i], expected[i], tolerance) << i;
    }
}

template <class T>
void addHeads(KernelCall& call, const AttentionShape& shape, std::int64_t positions, std::int64_t heads,
              const std::vector<float>& numbers) {
    std::vector<T> converted(numbers.size());
    std::ranges::transform(numbers, converted.begin(), [](float number) { return static_cast<T>(number); });
    call.tensor<T>(sizes(shape, positions, heads, shape.depth), converted);
}

class Attention : public testing::TestWithParam<AttentionShape> {};

template <class T>
std::vector<float> attention(const AttentionShape& shape, const Inputs& inputs, std::size_t threads) {
    KernelCall call(threads);
    addHeads<T>(call, shape, shape.queries, shape.heads, inputs.query);
    addHeads<T>(call, shape, shape.cache, shape.keyHeads, inputs.key);
    addHeads<T>(call, shape, shape.cache, shape.keyHeads, inputs.value);
    call.add(shape.startPos);
    if (shape.masked) {
        call.tensor<float>({shape.queries, shape.cache}, inputs.mask);
    } else {
        call.none();
    }
    call.add(0.0);
    call.add(shape.causal);
    call.none();
    const Tensor& out = call.emptyTensor<T>(sizes(shape, shape.queries, shape.heads, shape.depth));
    const auto done = call.run("llama::custom_sdpa.out");
    EXPECT_TRUE(done) << done.error().toString();
    std::vector<float> result;
    for (const T number : elements<T>(out)) {
        result.push_back(static_cast<float>(number));
    }
    return result;
}

TEST_P(Attention, MatchesItsDefinition) {
    const AttentionShape& shape = GetParam();
    const Inputs inputs = inputsFor(shape);
    const std::vector<float> expected = reference(shape, inputs);
    expectNear(attention<float>(shape, inputs, 1), expected, 1e-5F);
    expectNear(attention<float>(shape, inputs, 2), expected, 1e-5F);
    expectNear(attention<core::Half>(shape, inputs, 2), expected, 3e-3F);
}

/// int8 values with a scale and a zero point for each head and position, and the floats they represent.
struct QuantizedHeads {
    std::vector<std::int8_t> numbers;
    std::vector<std::int8_t> zeroPoints;
    std::vector<float> scales;

    std::vector<float> quantize(std::vector<float> floats, std::int64_t depth) {
        for (std::size_t i = 0; i < floats.size(); ++i) {
            const std::size_t row = i / static_cast<std::size_t>(depth);
            if (row == scales.size()) {
                scales.push_back(0.01F + 0.001F * static_cast<float>(row % 5));
                zeroPoints.push_back(static_cast<std::int8_t>(row % 7) - 3);
            }
            const float number =
                std::nearbyint(floats[i] / scales[row]) + static_cast<float>(zeroPoints[row]);
            numbers.push_back(static_cast<std::int8_t>(std::clamp(number, -128.0F, 127.0F)));
            floats[i] =
                (static_cast<float>(numbers.back()) - static_cast<float>(zeroPoints[row])) * scales[row];
        }
        return floats;
    }
};

class QuantizedAttention : public Attention {};

TEST_P(QuantizedAttention, MatchesFloatAttention) {
    const AttentionShape& shape = GetParam();
    Inputs inputs = inputsFor(shape);
    std::array<QuantizedHeads, 3> heads;
    inputs.query = heads[0].quantize(inputs.query, shape.depth);
    inputs.key = heads[1].quantize(inputs.key, shape.depth);
    inputs.value = heads[2].quantize(inputs.value, shape.depth);
    const auto sizesOf = [&](std::size_t which, std::int64_t depth) {
        return sizes(shape, which == 0 ? shape.queries : shape.cache,
                     which == 0 ? shape.heads : shape.keyHeads, depth);
    };
    KernelCall call(2);
    for (std::size_t i = 0; i < 3; ++i) {
        call.tensor<std::int8_t>(sizesOf(i, shape.depth), heads[i].numbers);
    }
    call.add(shape.startPos);
    if (shape.masked) {
        call.tensor<float>({shape.queries, shape.cache}, inputs.mask);
    } else {
        call.none();
    }
    call.add(0.0);
    call.add(shape.causal);
    call.none();
    for (std::size_t i = 0; i < 3; ++i) {
        call.tensor<std::int8_t>(sizesOf(i, 1), heads[i].zeroPoints);
        call.tensor<float>(sizesOf(i, 1), heads[i].scales);
    }
    call.add(shape.positionsAtDim2);
    const Tensor& out = call.emptyTensor<float>(sizesOf(0, shape.depth));
    const auto done = call.run("llama::custom_quantized_sdpa.out");
    ASSERT_TRUE(done) << done.error().toString();
    expectNear(elements<float>(out), reference(shape, inputs), 1e-5F);
}

const auto shapes = testing::Values(AttentionShape{1, 9, 4, 4, 16, 5, true, false, false},
                                    AttentionShape{20, 300, 6, 2, 33, 270, true, false, false},
                                    AttentionShape{7, 300, 2, 1, 64, 290, false, false, false},
                                    AttentionShape{5, 140, 3, 3, 7, 0, false, true, false});
INSTANTIATE_TEST_SUITE_P(Shapes, Attention, shapes);
INSTANTIATE_TEST_SUITE_P(Shapes, QuantizedAttention, shapes);
INSTANTIATE_TEST_SUITE_P(PositionsAtDim2, QuantizedAttention,
                         testing::Values(AttentionShape{11, 200, 4, 2, 40, 150, true, false, true},
                                         AttentionShape{3, 130, 2, 2, 8, 1000, false, true, true}));

/// The smallest valid attention call, for tests to invalidate.
struct Small {
    explicit Small(std::int64_t startPos, bool causal = true, std::int64_t keyHeads = 1) {
        call.tensor<float>({1, 1, 2, 2}, {1, 2, 3, 4});
        call.tensor<float>({1, 2, keyHeads, 2},
                           std::vector<float>(static_cast<std::size_t>(4 * keyHeads), 1));
        call.tensor<float>({1, 2, keyHeads, 2},
                           std::vector<float>(static_cast<std::size_t>(4 * keyHeads), 1));
        call.add(startPos);
        call.none();
        call.add(0.0);
        call.add(causal);
        call.none();
        out = &call.emptyTensor<float>({1, 1, 2, 2});
    }
    core::Result<> run() { return call.run("llama::custom_sdpa.out"); }

    KernelCall call;
    Tensor* out = nullptr;
};

TEST(AttentionRefuses, PositionsAndHeadsOutOfRange) {
    EXPECT_TRUE(Small(1).run());
    for (const std::int64_t startPos : {std::int64_t{-1}, std::int64_t{2}, INT64_MAX, INT64_MIN}) {
        EXPECT_FALSE(Small(startPos).run()) << startPos;
    }
    EXPECT_FALSE(Small(0, true, 3).run());
}

TEST(AttentionWith, BoolMaskWithFullyMaskedRow) {
    Small small(0, false);
    bool mask[2] = {false, false};
    small.call.argument(4).set(Tensor::over(mask, std::array<std::int64_t, 2>{1, 2}));
    ASSERT_TRUE(small.run());
    EXPECT_THAT(elements<float>(*small.out), ElementsAre(0, 0, 0, 0));
    mask[1] = true;
    small.call.argument(2).as<Tensor>()->mutableData<float>()[2] = 9;
    ASSERT_TRUE(small.run());
    EXPECT_THAT(elements<float>(*small.out), ElementsAre(9, 1, 9, 1));
    small.call.argument(6).set(true);
    EXPECT_FALSE(small.run()) << "mask and causal";
}

TEST(AttentionWith, NanShowsIt) {
    Small small(1);
    small.call.argument(1).as<Tensor>()->mutableData<float>()[0] = std::nanf("");
    ASSERT_TRUE(small.run());
    EXPECT_THAT(elements<float>(*small.out), testing::Each(testing::IsNan()));
}

TEST(Cache, TakesPositionsFromAStartOn) {
    KernelCall call;
    call.tensor<float>({1, 1, 1, 2}, {5, 6});
    Tensor& cache = call.emptyTensor<float>({1, 3, 1, 2});
    call.add(std::int64_t{1});
    call.emptyTensor<float>({1});
    ASSERT_TRUE(call.run("llama::update_cache.out"));
    EXPECT_THAT(elements<float>(cache), ElementsAre(0, 0, 5, 6, 0, 0));
    for (const std::int64_t startPos : {std::int64_t{-1}, std::int64_t{3}, INT64_MAX, INT64_MIN}) {
        call.argument(2).set(startPos);
        EXPECT_FALSE(call.run("llama::update_cache.out")) << startPos;
    }
}

TEST(Cache, TakesPositionsByIndices) {
    KernelCall call;
    call.tensor<float>({1, 2, 1, 1}, {5, 6});
    Tensor& cache = call.emptyTensor<float>({1, 3, 1, 1});
    call.add(std::int64_t{0});
    Tensor& indices = call.tensor<std::int64_t>({1, 2}, {2, 0});
    call.emptyTensor<float>({1});
    ASSERT_TRUE(call.run("llama::update_cache_with_indices.out"));
    EXPECT_THAT(elements<float>(cache), ElementsAre(6, 0, 5));
    indices.mutableData<std::int64_t>()[1] = 3;
    EXPECT_FALSE(call.run("llama::update_cache_with_indices.out"));
}

TEST(KvCache, IsUpdatedBeforeItIsAttendedTo) {
    KernelCall call;
    call.tensor<float>({1, 1, 1, 1}, {0});
    call.tensor<float>({1, 1, 1, 1}, {1});
    call.tensor<float>({1, 1, 1, 1}, {8});
    call.emptyTensor<float>({1, 4, 1, 1});
    Tensor& values = call.tensor<float>({1, 4, 1, 1}, {4, 0, 0, 0});
    call.add(std::int64_t{1});
    call.add(std::int64_t{1});
    call.none();
    call.add(0.0);
    call.add(true);
    call.none();
    Tensor& out = call.emptyTensor<float>({1, 1, 1, 1});
    ASSERT_TRUE(call.run("llama::sdpa_with_kv_cache.out"));
    EXPECT_THAT(elements<float>(values), ElementsAre(4, 8, 0, 0));
    EXPECT_THAT(elements<float>(out), ElementsAre(6));
}

/// Sets up a call that cuts an image of 2 x 4 x 6 numbers.
Tensor& cutImage(KernelCall& call, std::int64_t tileSize, std::vector<std::int64_t> outSizes) {
    call.tensor<float>({2, 4, 6}, countUp(48));
    call.add(whole(tileSize));
    return call.emptyTensor<float>(std::move(outSizes));
}

TEST(TileCrop, OrdersTilesByRow) {
    KernelCall call;
    Tensor& out = cutImage(call, 2, {6, 2, 2, 2});
    ASSERT_TRUE(call.run("preprocess::tile_crop.out"));
    const std::vector<float> tiles = elements<float>(out);
    EXPECT_THAT(std::vector(tiles.begin(), tiles.begin() + 8), ElementsAre(1, 2, 7, 8, 25, 26, 31, 32));
    EXPECT_THAT(std::vector(tiles.begin() + 32, tiles.begin() + 40),
                ElementsAre(15, 16, 21, 22, 39, 40, 45, 46));  // second row, second column
}

TEST(TileCrop, CopiesBytes) {
    KernelCall call;
    call.tensor<std::uint8_t>({1, 1, 2}, {5, 6});
    call.add(whole(1));
    Tensor& out = call.resizableTensor<std::uint8_t>({4, 1, 1, 1});
    ASSERT_TRUE(call.run("preprocess::tile_crop.out"));
    EXPECT_THAT(elements<std::uint8_t>(out), ElementsAre(5, 6));
}

TEST(TileCrop, NamesAWrongArgument) {
    for (const std::int64_t size : {std::int64_t{4}, std::int64_t{0}, std::int64_t{-2}, min, max}) {
        KernelCall call;
        cutImage(call, size, {6, 2, 2, 2});
        EXPECT_THAT(errorOf(call, "preprocess::tile_crop.out"),
                    testing::HasSubstr("tile_size: expected a divisor of 4 and 6"));
    }
    KernelCall flat;
    flat.emptyTensor<float>({4, 6});
    flat.add(whole(2));
    flat.emptyTensor<float>({6, 2, 2, 2});
    EXPECT_THAT(errorOf(flat, "preprocess::tile_crop.out"),
                testing::HasSubstr("input: expected 3 dimensions"));
    KernelCall dtype;
    dtype.emptyTensor<float>({2, 4, 6});
    dtype.add(whole(2));
    dtype.emptyTensor<std::int8_t>({6, 2, 2, 2});
    EXPECT_THAT(errorOf(dtype, "preprocess::tile_crop.out"), testing::HasSubstr("out: expected float32"));
}

}  // namespace
}  // namespace et::test
