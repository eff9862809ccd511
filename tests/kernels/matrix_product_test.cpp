// Tests every code path of matrix products against loops in double that follow the definition.
#include "tests/kernels/dense_reference.h"
#include "tests/kernels/kernel_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace et::test {
namespace {

using core::Half;
using core::Tensor;
using testing::HasSubstr;

/// Checks one matrix product, batched unless `batch` is 0.
template <class T>
void checkProduct(std::string_view name, std::int64_t batch, std::int64_t rows, std::int64_t depth,
                  std::int64_t columns, bool constant, std::uint64_t seed) {
    SCOPED_TRACE(testing::Message() << name << ' ' << batch << ' ' << rows << ' ' << depth << ' ' << columns);
    const bool isBatched = batch > 0;
    const bool isLinear = name == "aten::linear.out";
    const bool isSum = name == "aten::addmm.out";
    std::mt19937_64 generator(seed);
    Call call(seed, 1 + seed % 2);
    const auto sizes = [&](std::int64_t first, std::int64_t second) {
        return isBatched ? Shape{batch, first, second} : Shape{first, second};
    };
    const std::size_t rank = isBatched ? 3 : 2;
    Numbers expected(sizes(rows, columns));
    if (isSum) {
        const Numbers addend = call.add<T>({columns});
        forIndices(expected.sizes, [&](const Shape& index) {
            expected.values[expected.at(index)] = 3 * addend.values[static_cast<std::size_t>(index.back())];
        });
    }
    const Numbers left = call.add<T>(sizes(rows, depth), seed % 3 == 0 ? shuffled(generator, rank) : Order{});
    const Numbers right = call.add<T>(isLinear ? sizes(columns, depth) : sizes(depth, columns),
                                      seed % 5 == 0 ? shuffled(generator, rank) : Order{});
    if (constant) {
        call.makeConstant();
    }
    if (isLinear) {
        const Numbers bias = call.add<T>({columns});
        if (constant) {
            call.makeConstant();
        }
        forIndices(expected.sizes, [&](const Shape& index) {
            expected.values[expected.at(index)] = bias.values[static_cast<std::size_t>(index.back())];
        });
    }
    forIndices(expected.sizes, [&](const Shape& index) {
        double sum = 0;
        for (std::int64_t k = 0; k < depth; ++k) {
            Shape leftIndex = index;
            Shape rightIndex = index;
            leftIndex[rank - 1] = k;
            rightIndex[rank - 2] = isLinear ? index[rank - 1] : k;
            rightIndex[rank - 1] = isLinear ? k : index[rank - 1];
            sum += left.values[left.at(leftIndex)] * right.values[right.at(rightIndex)];
        }
        expected.values[expected.at(index)] += isSum ? 2 * sum : sum;
    });
    if (isSum) {
        call().add(std::int64_t{3});
        call().add(std::int64_t{2});
    }
    Tensor& out = call().emptyTensor<T>(expected.sizes, seed % 7 == 0 ? shuffled(generator, rank) : Order{});
    for (int run = 0; run < 2; ++run) {
        const auto done = call().run(name);
        ASSERT_TRUE(done) << done.error().toString();
        expectNear<T>(out, expected, toleranceOf<T>);
    }
}

TEST(MatrixProducts, MatchTheDefinition) {
    std::mt19937_64 generator(5);
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const auto draw = [&](int max) {
            return static_cast<std::int64_t>(generator() % static_cast<unsigned>(max));
        };
        const std::int64_t rows = 1 + draw(30);
        const std::int64_t depth = draw(40);
        const std::int64_t columns = 1 + draw(120);
        const bool constant = draw(2) == 0;
        for (const std::string_view name : {"aten::mm.out", "aten::addmm.out", "aten::linear.out"}) {
            checkProduct<float>(name, 0, rows, depth, columns, constant, seed);
            checkProduct<double>(name, 0, rows, depth, columns, constant, seed);
            checkProduct<std::int16_t>(name, 0, rows, depth, columns, constant, seed);
        }
        checkProduct<float>("aten::bmm.out", 1 + draw(4), rows, depth, columns, false, seed);
        checkProduct<Half>("aten::bmm.out", 1 + draw(4), rows, depth, columns, false, seed);
        checkProduct<std::int64_t>("aten::bmm.out", 1 + draw(4), rows, depth, columns, false, seed);
    }
}

TEST(MatrixProducts, LinearTakesAnyNumberOfDimensions) {
    KernelCall call;
    call.tensor<float>({1, 2, 1, 2}, {1, 2, 3, 4});
    call.tensor<float>({1, 2}, {10, 1});
    call.none();
    Tensor& out = call.resizableTensor<float>({4});
    ASSERT_TRUE(call.run("aten::linear.out"));
    EXPECT_EQ(std::vector(out.sizes().begin(), out.sizes().end()), (Shape{1, 2, 1, 1}));
    EXPECT_THAT(et::test::elements<float>(out), testing::ElementsAre(12, 34));
}

TEST(MatrixProducts, ABetaOfZeroHidesTheAddend) {
    KernelCall call;
    call.tensor<float>({1}, {std::numeric_limits<float>::quiet_NaN()});
    call.tensor<float>({1, 2}, {1, 2});
    call.tensor<float>({2, 2}, {1, 2, 3, 4});
    call.add(0.0);
    call.add(0.5);
    Tensor& out = call.emptyTensor<float>({1, 2});
    ASSERT_TRUE(call.run("aten::addmm.out"));
    EXPECT_THAT(et::test::elements<float>(out), testing::ElementsAre(3.5, 5));
}

TEST(MatrixProducts, IntegersWrapAround) {
    KernelCall call;
    call.tensor<std::int8_t>({1, 1}, {100});
    call.tensor<std::int8_t>({1, 1}, {100});
    Tensor& out = call.emptyTensor<std::int8_t>({1, 1});
    ASSERT_TRUE(call.run("aten::mm.out"));
    EXPECT_EQ(out.data<std::int8_t>()[0], 16);
}

std::string errorOfProduct(std::string_view name, const Shape& left, const Shape& right, const Shape& out) {
    KernelCall call;
    call.emptyTensor<float>(left);
    call.emptyTensor<float>(right);
    if (name == "aten::linear.out") {
        call.none();
    }
    call.emptyTensor<float>(out);
    const auto done = call.run(name);
    return done ? std::string() : done.error().message;
}

TEST(MatrixProducts, RejectMismatchedShapes) {
    EXPECT_THAT(errorOfProduct("aten::mm.out", {2, 3}, {4, 2}, {2, 2}),
                HasSubstr("a matrix of [2, 3] cannot be multiplied by one of [4, 2]"));
    EXPECT_THAT(errorOfProduct("aten::mm.out", {2, 3, 1}, {3, 2}, {2, 2}),
                HasSubstr("left matrix: expected 2 dimensions, got 3"));
    EXPECT_THAT(errorOfProduct("aten::bmm.out", {2, 3, 4}, {3, 4, 2}, {2, 3, 2}),
                HasSubstr("cannot be multiplied"));
    EXPECT_THAT(errorOfProduct("aten::linear.out", {3}, {2, 4}, {2}), HasSubstr("cannot be multiplied"));
    EXPECT_THAT(errorOfProduct("aten::linear.out", {}, {2, 4}, {2}), HasSubstr("cannot be multiplied"));
    EXPECT_THAT(errorOfProduct("aten::mm.out", {2, 3}, {3, 2}, {2, 3}),
                HasSubstr("expected a result of [2, 3]"));
    EXPECT_EQ(errorOfProduct("aten::mm.out", {0, 3}, {3, 2}, {0, 2}), "");
}

TEST(MatrixProducts, RefuseOtherTypes) {
    KernelCall mixed;
    mixed.emptyTensor<float>({1, 1});
    mixed.emptyTensor<double>({1, 1});
    mixed.emptyTensor<float>({1, 1});
    EXPECT_THAT(mixed.run("aten::mm.out").error().message, HasSubstr("expected tensors of one dtype"));

    KernelCall truth;
    truth.emptyTensor<bool>({1, 1});
    truth.emptyTensor<bool>({1, 1});
    truth.emptyTensor<bool>({1, 1});
    EXPECT_THAT(truth.run("aten::mm.out").error().message, HasSubstr("does not support bool"));
}

}  // namespace
}  // namespace et::test
