// Operators that are composed of others, against their definitions.

#include "backends/reference/calls.h"
#include "backends/reference/composing.h"
#include "runtime/kernels/builtin.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace et::backends::reference {
namespace {

using core::ScalarType;
using testing::ElementsAre;
using Numbers = std::vector<double>;
using Sizes = std::vector<std::int64_t>;

ReferenceValue tensorOf(Numbers numbers, const Sizes& sizes) {
    auto kept = std::make_shared<Numbers>(std::move(numbers));
    return {ReferenceTensor{.view = core::Tensor::over(kept->data(), sizes), .owner = kept}};
}

ReferenceValue whole(std::int64_t number) {
    return {number};
}

ReferenceValue wholes(const Sizes& numbers) {
    return listOf(numbers);
}

class ComposedTest : public testing::Test {
  protected:
    /// The elements of the result; none after an error, which fails the test.
    Numbers run(std::string_view op, std::initializer_list<ReferenceValue> arguments) {
        const auto made = calls.tensor(op, arguments, ScalarType::Double);
        if (!made) {
            ADD_FAILURE() << op << ": " << made.error().toString();
            return {};
        }
        sizes.assign(made->view.sizes().begin(), made->view.sizes().end());
        const auto* first = made->view.data<double>();
        return {first, first + made->view.numel()};
    }

    kernels::ThreadPool threads;
    Calls calls{InterpreterOptions{.kernels = kernels::builtin(), .threads = threads}};
    Sizes sizes;  ///< of the last result
};

struct Function {
    std::string_view op;
    double (*definition)(double);
};

constexpr Function functions[] = {
    {"aten.silu.default", [](double x) { return x / (1 + std::exp(-x)); }},
    {"aten.relu6.default", [](double x) { return std::clamp(x, 0.0, 6.0); }},
    {"aten.hardsigmoid.default", [](double x) { return std::clamp(x + 3, 0.0, 6.0) / 6; }},
    {"aten.hardswish.default", [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; }},
    {"aten.softplus.default", [](double x) { return std::log1p(std::exp(x)); }},
    {"aten.mish.default", [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
    {"aten.log_sigmoid.default", [](double x) { return -std::log1p(std::exp(-x)); }},
    {"aten.square.default", [](double x) { return x * x; }},
    {"aten.erfc.default", [](double x) { return std::erfc(x); }},
    {"aten.zero.default", [](double) { return 0.0; }},
};

TEST_F(ComposedTest, FunctionsOfOneTensor) {
    const Numbers inputs{-7, -2.5, -0.25, 0, 0.5, 3, 6.5, 12};
    for (const Function& function : functions) {
        const Numbers results = run(function.op, {tensorOf(inputs, {8})});
        ASSERT_EQ(results.size(), inputs.size()) << function.op;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            EXPECT_NEAR(results[i], function.definition(inputs[i]), 1e-7)
                << function.op << " of " << inputs[i];
        }
    }
}

TEST_F(ComposedTest, FunctionsOfSeveralTensors) {
    const auto a = tensorOf({1, 2, 3}, {3});
    const auto b = tensorOf({4, 8, 12}, {3});
    EXPECT_THAT(run("aten.lerp.Scalar", {a, b, {0.5}}), ElementsAre(2.5, 5, 7.5));
    EXPECT_THAT(run("aten.rsub.Tensor", {a, b}), ElementsAre(3, 6, 9));
    EXPECT_THAT(run("aten.addcmul.default", {a, a, b, {2.0}}), ElementsAre(9, 34, 75));
    EXPECT_THAT(run("aten.addcdiv.default", {a, b, a}), ElementsAre(5, 6, 7));
    EXPECT_THAT(run("aten.clamp_min.default", {a, {2.0}}), ElementsAre(2, 2, 3));
    EXPECT_THAT(run("aten.clamp_max.default", {a, {2.0}}), ElementsAre(1, 2, 2));
}

TEST_F(ComposedTest, ProductsOfVectorsAndBatches) {
    const auto vector = tensorOf({1, 2}, {2});
    const auto matrix = tensorOf({1, 2, 3, 4, 5, 6}, {2, 3});
    EXPECT_THAT(run("aten.matmul.default", {vector, vector}), ElementsAre(5));
    EXPECT_TRUE(sizes.empty());
    EXPECT_THAT(run("aten.matmul.default", {vector, matrix}), ElementsAre(9, 12, 15));
    EXPECT_EQ(sizes, (Sizes{3}));
    const auto batch = tensorOf({1, 0, 0, 1, 2, 0, 0, 2}, {2, 2, 2});
    EXPECT_THAT(run("aten.matmul.default", {batch, matrix}),
                ElementsAre(1, 2, 3, 4, 5, 6, 2, 4, 6, 8, 10, 12));
    EXPECT_EQ(sizes, (Sizes{2, 2, 3}));
    EXPECT_FALSE(calls.tensor("aten.matmul.default", {matrix, matrix}, ScalarType::Double));
}

TEST_F(ComposedTest, ConvolutionsWithPaddingByName) {
    const auto image = tensorOf({1, 2, 3, 4}, {1, 1, 4});
    const auto filter = tensorOf({1, 1, 1}, {1, 1, 3});
    const ReferenceValue none{};
    EXPECT_THAT(run("aten.conv1d.padding", {image, filter, none, wholes({1}), {std::string("same")}}),
                ElementsAre(3, 6, 9, 7));
    EXPECT_THAT(run("aten.conv1d.padding", {image, filter, none, wholes({1}), {std::string("valid")}}),
                ElementsAre(6, 9));
    const auto unbatched = tensorOf({1, 2, 3, 4}, {1, 4});
    EXPECT_THAT(run("aten.conv1d.default", {unbatched, filter}), ElementsAre(6, 9));
    EXPECT_EQ(sizes, (Sizes{1, 2}));
}

TEST_F(ComposedTest, AttentionLooksBackWhereCausal) {
    const auto query = tensorOf({1, 0, 0, 1}, {1, 2, 2});
    const auto value = tensorOf({1, 2, 3, 4}, {1, 2, 2});
    const ReferenceValue none{};
    const Numbers causal =
        run("aten.scaled_dot_product_attention.default", {query, query, value, none, {0.0}, {true}, {1.0}});
    const double second = std::exp(1.0) / (1 + std::exp(1.0));
    ASSERT_EQ(causal.size(), 4U);
    EXPECT_DOUBLE_EQ(causal[0], 1);
    EXPECT_DOUBLE_EQ(causal[1], 2);
    EXPECT_NEAR(causal[2], 1 + 2 * second, 1e-12);
    EXPECT_NEAR(causal[3], 2 + 2 * second, 1e-12);
}

TEST_F(ComposedTest, NormsAndReductions) {
    const auto row = tensorOf({3, 4}, {1, 2});
    EXPECT_NEAR(run("aten.linalg_vector_norm.default", {row}).at(0), 5, 1e-12);
    EXPECT_NEAR(run("aten.linalg_vector_norm.default", {row, {1.0}}).at(0), 7, 1e-12);
    EXPECT_NEAR(run("aten.std.default", {row}).at(0), std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(run("aten.std.dim", {row, wholes({1}), {false}}).at(0), 0.5, 1e-12);
    EXPECT_NEAR(run("aten.logsumexp.default", {row, wholes({1})}).at(0), 4 + std::log1p(std::exp(-1)), 1e-12);
    EXPECT_NEAR(run("aten.rms_norm.default", {row, wholes({2})}).at(1), 4 / std::sqrt(12.5), 1e-12);
    EXPECT_NEAR(run("aten.sum.default", {row}).at(0), 7, 0);
}

TEST_F(ComposedTest, ShapesThatOnlyTheFirstDialectHas) {
    const auto matrix = tensorOf({1, 2, 3, 4, 5, 6}, {1, 2, 3});
    EXPECT_THAT(run("aten.flatten.using_ints", {matrix, whole(1)}), ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_EQ(sizes, (Sizes{1, 6}));
    run("aten.movedim.int", {matrix, whole(0), whole(2)});
    EXPECT_EQ(sizes, (Sizes{2, 3, 1}));
    run("aten.unflatten.int", {matrix, whole(2), wholes({3, 1})});
    EXPECT_EQ(sizes, (Sizes{1, 2, 3, 1}));
    EXPECT_THAT(run("aten.repeat_interleave.self_int", {tensorOf({1, 2}, {2}), whole(2), whole(0)}),
                ElementsAre(1, 1, 2, 2));
    EXPECT_THAT(run("aten.numpy_T.default", {tensorOf({1, 2, 3, 4}, {2, 2})}), ElementsAre(1, 3, 2, 4));
    EXPECT_FALSE(calls.tensor("aten.flatten.using_ints", {matrix, whole(7)}, ScalarType::Double));
}

TEST_F(ComposedTest, QuantizationByBlocks) {
    const auto input = tensorOf({0, 10, 20, -30}, {1, 4});
    const auto scales = tensorOf({1, 10}, {1, 2});
    const auto zeroPoints = tensorOf({0, 1}, {1, 2});
    const auto code = static_cast<std::int64_t>(ScalarType::Char);
    EXPECT_THAT(run("torchao.quantize_affine.default",
                    {input, wholes({1, 2}), scales, zeroPoints, whole(code), whole(-8), whole(7)}),
                ElementsAre(0, 7, 3, -2));
    EXPECT_THAT(run("torchao.dequantize_affine.default",
                    {tensorOf({0, 7, 3, -2}, {1, 4}), wholes({1, 2}), scales, zeroPoints, whole(code)}),
                ElementsAre(0, 7, 20, -30));
    EXPECT_FALSE(calls.tensor("torchao.quantize_affine.default",
                              {input, wholes({1, 3}), scales, zeroPoints, whole(code)}, ScalarType::Char));
}

}  // namespace
}  // namespace et::backends::reference
