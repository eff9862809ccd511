// Tests of operators composed of others, against their definitions.

#include "backends/reference/calls.h"
#include "backends/reference/composing.h"
#include "runtime/kernels/builtin.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>

namespace et::backends::reference {
namespace {

using core::ScalarType;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::NanSensitiveDoubleEq;
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
    /// Returns the elements of the result; empty after an error, which fails the test.
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
    {"aten.selu.default",
     [](double x) { return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x)); }},
    {"aten.celu.default", [](double x) { return x > 0 ? x : std::expm1(x); }},
    {"aten.hardshrink.default", [](double x) { return std::abs(x) <= 0.5 ? 0 : x; }},
    {"aten.softshrink.default", [](double x) { return x > 0.5    ? x - 0.5
                                                      : x < -0.5 ? x + 0.5
                                                                 : 0; }},
    {"aten.rrelu.default", [](double x) { return x > 0 ? x : x * (0.125 + 1.0 / 3) / 2; }},
    {"aten.frac.default", [](double x) { return x - std::trunc(x); }},
    {"aten.exp2.default", [](double x) { return std::exp2(x); }},
    {"aten.deg2rad.default", [](double x) { return x * 0.017453292519943295; }},
    {"aten.rad2deg.default", [](double x) { return x * 57.29577951308232; }},
    {"aten.positive.default", [](double x) { return x; }},
};

TEST_F(ComposedTest, FunctionsOfOneTensor) {
    const Numbers inputs{-7, -2.5, -0.25, 0, 0.5, 3, 6.5, 12};
    for (const Function& function : functions) {
        const Numbers results = run(function.op, {tensorOf(inputs, {8})});
        ASSERT_EQ(results.size(), inputs.size()) << function.op;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            EXPECT_NEAR(results[i], function.definition(inputs[i]),
                        1e-7 * std::max(1.0, std::abs(results[i])))
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
    EXPECT_THAT(run("aten.clamp_min.Tensor", {a, tensorOf({2, 1, 4}, {3})}), ElementsAre(2, 2, 4));
    EXPECT_THAT(run("aten.clamp_max.Tensor", {a, tensorOf({2, 1, 4}, {3})}), ElementsAre(1, 1, 3));
    EXPECT_THAT(run("aten.celu.default", {tensorOf({-2, 2}, {2}), {0.5}}),
                ElementsAre(DoubleNear(0.5 * std::expm1(-4), 1e-12), 2));
    EXPECT_THAT(run("aten.threshold.default", {a, {2.0}, {-1.0}}), ElementsAre(-1, -1, 3));
    EXPECT_FALSE(calls.tensor("aten.rrelu.default", {a, {0.1}, {0.3}, {true}}, ScalarType::Double));
}

TEST_F(ComposedTest, NanAndInfinity) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const auto odd = tensorOf({nan, infinity, -infinity, 2}, {4});
    EXPECT_THAT(run("aten.nan_to_num.default", {odd, {}, {7.0}, {-8.0}}), ElementsAre(0, 7, -8, 2));
    EXPECT_THAT(run("aten.nan_to_num.default", {odd, {3.0}}),
                ElementsAre(3, std::numeric_limits<double>::max(), -std::numeric_limits<double>::max(), 2));
    const auto finite = calls.tensor("aten.isfinite.default", {odd}, ScalarType::Bool);
    ASSERT_TRUE(finite);
    EXPECT_THAT(std::span(finite->view.data<bool>(), 4), ElementsAre(false, false, false, true));
    EXPECT_THAT(run("aten.logaddexp.default", {tensorOf({1, infinity, -infinity, 800}, {4}),
                                               tensorOf({2, infinity, -infinity, 800}, {4})}),
                ElementsAre(DoubleNear(2 + std::log1p(std::exp(-1)), 1e-12), infinity, -infinity,
                            DoubleNear(800 + std::log(2), 1e-9)));
    EXPECT_THAT(run("aten.xlogy.Tensor", {tensorOf({0, 0, 2}, {3}), tensorOf({0, nan, 3}, {3})}),
                ElementsAre(0, NanSensitiveDoubleEq(nan), DoubleNear(2 * std::log(3), 1e-12)));
    const double half = 0.5;
    EXPECT_THAT(
        run("aten._safe_softmax.default", {tensorOf({-infinity, -infinity, 1, 1}, {2, 2}), whole(-1)}),
        ElementsAre(0, 0, half, half));
}

TEST_F(ComposedTest, SumsOfProductsByLetters) {
    const auto a = tensorOf({1, 2, 3, 4, 5, 6}, {2, 3});
    const auto b = tensorOf({1, 0, 2, 1, 0, 3}, {3, 2});
    const auto einsum = [&](const char* equation, ReferenceValue::List tensors) {
        return run("aten.einsum.default", {{std::string(equation)}, {std::move(tensors)}});
    };
    EXPECT_THAT(einsum("ij,jk->ik", {a, b}), ElementsAre(5, 11, 14, 23));
    EXPECT_THAT(einsum("ij, jk", {a, b}), ElementsAre(5, 11, 14, 23));
    EXPECT_THAT(einsum("ij,jk->ki", {a, b}), ElementsAre(5, 14, 11, 23));
    EXPECT_THAT(einsum("ij->j", {a}), ElementsAre(5, 7, 9));
    EXPECT_THAT(einsum("ij->ji", {a}), ElementsAre(1, 4, 2, 5, 3, 6));
    EXPECT_THAT(einsum("ij,ij->", {a, a}), ElementsAre(91));
    EXPECT_THAT(einsum("ij,ij->i", {a, a}), ElementsAre(14, 77));
    EXPECT_THAT(einsum("...j,jk->...k", {a, b}), ElementsAre(5, 11, 14, 23));
    EXPECT_THAT(einsum("i,ij,jk->k", {tensorOf({1, 2}, {2}), a, b}), ElementsAre(33, 57));
    EXPECT_THAT(
        einsum("bij,bjk->bik", {tensorOf({1, 2, 3, 4}, {2, 1, 2}), tensorOf({1, 1, 2, 3}, {2, 2, 1})}),
        ElementsAre(3, 18));
    EXPECT_EQ(sizes, (Sizes{2, 1, 1}));
    for (const char* wrong : {"ij", "ij,jk,kl->il", "iij,jk->ik", "ij,jk->iz", "i,jk->i"}) {
        const ReferenceValue tensors{ReferenceValue::List{a, b}};
        const auto made =
            calls.tensor("aten.einsum.default", {{std::string(wrong)}, tensors}, ScalarType::Double);
        EXPECT_FALSE(made) << wrong;
    }
    EXPECT_THAT(run("aten.outer.default", {tensorOf({1, 2}, {2}), tensorOf({3, 4}, {2})}),
                ElementsAre(3, 4, 6, 8));
    EXPECT_THAT(run("aten.inner.default", {a, a}), ElementsAre(14, 32, 32, 77));
    EXPECT_THAT(run("aten.bilinear.default",
                    {tensorOf({1, 2}, {1, 2}), tensorOf({3, 4}, {1, 2}),
                     tensorOf({1, 0, 0, 1, 0, 1, 0, 0}, {2, 2, 2}), tensorOf({10, 20}, {2})}),
                ElementsAre(21, 24));
    const auto vector = tensorOf({1, 1, 1}, {3});
    EXPECT_THAT(run("aten.addmv.default", {tensorOf({1, 2}, {2}), a, vector, {2.0}, {3.0}}),
                ElementsAre(20, 49));
    EXPECT_THAT(run("aten.addr.default",
                    {tensorOf({1, 1, 1, 1}, {2, 2}), tensorOf({1, 2}, {2}), tensorOf({3, 4}, {2})}),
                ElementsAre(4, 5, 7, 9));
    EXPECT_THAT(run("aten.addbmm.default", {tensorOf({1}, {1, 1}), tensorOf({1, 2, 3, 4}, {2, 1, 2}),
                                            tensorOf({1, 1, 2, 3}, {2, 2, 1})}),
                ElementsAre(22));
}

TEST_F(ComposedTest, DistancesAndStatistics) {
    const auto a = tensorOf({3, 4, 0, 2}, {2, 2});
    const auto b = tensorOf({4, 3, 0, -1}, {2, 2});
    EXPECT_THAT(run("aten.cosine_similarity.default", {a, b}),
                ElementsAre(DoubleNear(24.0 / 25, 1e-12), DoubleNear(-1, 1e-12)));
    EXPECT_THAT(run("aten.pairwise_distance.default", {a, b, {2.0}, {0.0}}),
                ElementsAre(DoubleNear(std::sqrt(2), 1e-12), DoubleNear(3, 1e-12)));
    EXPECT_THAT(run("aten.norm.ScalarOpt_dim", {a, {}, wholes({1})}), ElementsAre(5, 2));
    EXPECT_THAT(run("aten.norm.Scalar", {a, {1.0}}), ElementsAre(9));
    EXPECT_THAT(run("aten.frobenius_norm.dim", {a, wholes({0, 1})}),
                ElementsAre(DoubleNear(std::sqrt(29), 1e-12)));
    const auto count = calls.tensor("aten.count_nonzero.default", {a}, ScalarType::Long);
    ASSERT_TRUE(count) << count.error().toString();
    EXPECT_EQ(*count->view.data<std::int64_t>(), 3);
    const std::vector<ResultKind> two(2, {.kind = ResultKind::Kind::Tensor, .dtypes = {ScalarType::Double}});
    const auto second = [&](std::string_view op, std::vector<ReferenceValue> arguments, std::size_t which) {
        const auto made = calls.several(op, arguments, two);
        const auto* tensor = made ? (*made)[which].as<ReferenceTensor>() : nullptr;
        EXPECT_NE(tensor, nullptr) << op << (made ? "" : made.error().toString());
        return tensor == nullptr ? Numbers()
                                 : Numbers(tensor->view.data<double>(), tensor->view.data<double>() + 2);
    };
    EXPECT_THAT(second("aten.aminmax.default", {a, whole(1)}, 0), ElementsAre(3, 0));
    EXPECT_THAT(second("aten.aminmax.default", {a, whole(1)}, 1), ElementsAre(4, 2));
    EXPECT_THAT(second("aten.std_mean.correction", {a, wholes({1})}, 0),
                ElementsAre(DoubleNear(std::sqrt(0.5), 1e-12), DoubleNear(std::sqrt(2), 1e-12)));
    EXPECT_THAT(second("aten.var_mean.dim", {a, wholes({1}), {false}}, 0), ElementsAre(0.25, 1));
    EXPECT_THAT(second("aten.var_mean.dim", {a, wholes({1}), {false}}, 1), ElementsAre(3.5, 1));
    const ReferenceValue none{};
    EXPECT_THAT(
        run("aten.instance_norm.default", {tensorOf({1, 3, 10, 30}, {1, 2, 2}),
                                           tensorOf({1, 2}, {2}),
                                           tensorOf({0, 1}, {2}),
                                           none,
                                           none,
                                           {true},
                                           {0.1},
                                           {0.0}}),
        ElementsAre(DoubleNear(-1, 1e-6), DoubleNear(1, 1e-6), DoubleNear(-1, 1e-6), DoubleNear(3, 1e-6)));
}

TEST_F(ComposedTest, Arrangements) {
    const auto row = tensorOf({1, 2}, {2});
    EXPECT_THAT(run("aten.tile.default", {tensorOf({1, 2}, {1, 2}), wholes({2})}), ElementsAre(1, 2, 1, 2));
    EXPECT_THAT(run("aten.tile.default", {row, wholes({2, 1})}), ElementsAre(1, 2, 1, 2));
    EXPECT_EQ(sizes, (Sizes{2, 2}));
    const auto block = tensorOf({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2});
    EXPECT_THAT(run("aten.movedim.intlist", {block, wholes({0, 1}), wholes({1, 2})}),
                ElementsAre(1, 3, 5, 7, 2, 4, 6, 8));
    EXPECT_THAT(run("aten.swapaxes.default", {block, whole(0), whole(2)}),
                ElementsAre(1, 5, 3, 7, 2, 6, 4, 8));
    EXPECT_THAT(run("aten.vstack.default", {{ReferenceValue::List{row, row}}}), ElementsAre(1, 2, 1, 2));
    EXPECT_EQ(sizes, (Sizes{2, 2}));
    EXPECT_THAT(run("aten.hstack.default", {{ReferenceValue::List{row, row}}}), ElementsAre(1, 2, 1, 2));
    EXPECT_EQ(sizes, (Sizes{4}));
    EXPECT_THAT(run("aten.ravel.default", {block}), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
    EXPECT_THAT(run("aten.broadcast_to.default", {row, wholes({2, 2})}), ElementsAre(1, 2, 1, 2));
    EXPECT_THAT(run("aten.channel_shuffle.default", {tensorOf({1, 2, 3, 4, 5, 6}, {1, 6, 1}), whole(2)}),
                ElementsAre(1, 4, 2, 5, 3, 6));
    EXPECT_THAT(run("aten.linspace.default", {{0.0}, {1.0}, whole(5)}), ElementsAre(0, 0.25, 0.5, 0.75, 1));
    EXPECT_THAT(run("aten.linspace.default", {{3.0}, {1.0}, whole(1)}), ElementsAre(3));
    EXPECT_THAT(run("aten.eye.m", {whole(2), whole(3)}), ElementsAre(1, 0, 0, 0, 1, 0));
    EXPECT_THAT(run("aten.im2col.default", {tensorOf({1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 1, 3, 3}),
                                            wholes({2, 2}), wholes({1, 1}), wholes({0, 0}), wholes({1, 1})}),
                ElementsAre(1, 2, 4, 5, 2, 3, 5, 6, 4, 5, 7, 8, 5, 6, 8, 9));
    EXPECT_EQ(sizes, (Sizes{1, 4, 4}));
    EXPECT_THAT(run("aten.im2col.default", {tensorOf({1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 3, 3}), wholes({2, 2}),
                                            wholes({2, 2}), wholes({0, 0}), wholes({1, 1})}),
                ElementsAre(1, 3, 7, 9));
    EXPECT_THAT(run("aten.upsample_nearest1d.vec", {tensorOf({1, 2}, {1, 1, 2}), wholes({4}), {}}),
                ElementsAre(1, 1, 2, 2));
    EXPECT_THAT(run("aten.upsample_linear1d.vec", {tensorOf({1, 3}, {1, 1, 2}), wholes({3}), {true}, {}}),
                ElementsAre(1, 2, 3));
    const auto hot =
        calls.tensor("aten.one_hot.default", {tensorOf({2, 0}, {2}), whole(3)}, ScalarType::Long);
    ASSERT_TRUE(hot) << hot.error().toString();
    EXPECT_THAT(std::span(hot->view.data<std::int64_t>(), 6), ElementsAre(0, 0, 1, 1, 0, 0));
    const ResultKind parts{.kind = ResultKind::Kind::Tensors,
                           .dtypes = {ScalarType::Double, ScalarType::Double}};
    const std::vector<ReferenceValue> split{tensorOf({1, 2, 3}, {3}), whole(2)};
    const auto made = calls.several("aten.tensor_split.sections", split, {&parts, 1});
    ASSERT_TRUE(made) << made.error().toString();
    const auto* list = made->front().as<ReferenceValue::List>();
    ASSERT_TRUE(list != nullptr && list->size() == 2);
    EXPECT_EQ(list->front().as<ReferenceTensor>()->view.numel(), 2) << "the first is one larger";
}

TEST_F(ComposedTest, IndexedElements) {
    const auto self = tensorOf({1, 2, 3, 4, 5, 6}, {2, 3});
    const auto index = [&](const Sizes& numbers) {
        auto kept = std::make_shared<Sizes>(numbers);
        const Sizes own{static_cast<std::int64_t>(numbers.size())};
        return ReferenceValue{ReferenceTensor{.view = core::Tensor::over(kept->data(), own), .owner = kept}};
    };
    const auto source = tensorOf({10, 20, 30, 40}, {2, 2});
    EXPECT_THAT(run("aten.index_copy.default", {self, whole(1), index({2, 0}), source}),
                ElementsAre(20, 2, 10, 40, 5, 30));
    EXPECT_THAT(run("aten.index_copy.default", {self, whole(-2), index({1}), tensorOf({7, 8, 9}, {1, 3})}),
                ElementsAre(1, 2, 3, 7, 8, 9));
    EXPECT_THAT(run("aten.index_add.default", {self, whole(1), index({2, 2}), source, whole(2)}),
                ElementsAre(1, 2, 63, 4, 5, 146));
    EXPECT_THAT(run("aten.index_fill.int_Scalar", {self, whole(1), index({1}), {-1.0}}),
                ElementsAre(1, -1, 3, 4, -1, 6));
    EXPECT_THAT(run("aten.index_fill.int_Tensor", {self, whole(0), index({1}), tensorOf({9}, {})}),
                ElementsAre(1, 2, 3, 9, 9, 9));
    EXPECT_FALSE(
        calls.tensor("aten.index_copy.default", {self, whole(1), index({3, 0}), source}, ScalarType::Double))
        << "an index behind the end";
    EXPECT_FALSE(
        calls.tensor("aten.index_copy.default", {self, whole(2), index({0, 1}), source}, ScalarType::Double))
        << "a dimension that is not there";
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
