// Tests of backward operators against central differences of their forward operators in float64.
#include "runtime/core/element_types.h"
#include "tests/kernels/kernel_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace et::test::gradient {
namespace {

using core::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;

using Numbers = std::vector<double>;
using Sizes = std::vector<std::int64_t>;

/// Irregular numbers from -2.5 to 2.5, none near a whole number.
Numbers irregular(std::size_t count, std::size_t start = 1) {
    Numbers made;
    for (std::size_t i = 0; i < count; ++i) {
        made.push_back(static_cast<double>((i + start) * 7919 % 499) / 100 - 2.4951);
    }
    return made;
}

/// Sum of products.
double dot(const Numbers& a, const Numbers& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// Compares `gradient` with central differences of `loss` at `x`.
void expectGradient(const Numbers& gradient, Numbers x, const std::function<double(const Numbers&)>& loss) {
    constexpr double step = 1e-5;
    ASSERT_EQ(gradient.size(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double at = x[i];
        x[i] = at + step;
        const double above = loss(x);
        x[i] = at - step;
        const double below = loss(x);
        x[i] = at;
        EXPECT_NEAR(gradient[i], (above - below) / (2 * step), 1e-7) << "element " << i << " at " << at;
    }
}

/// Runs an operator; `addArguments` adds those between the tensors and the result.
Numbers run(std::string_view name, const Sizes& sizes, const std::vector<Numbers>& tensors,
            const std::function<void(KernelCall&)>& addArguments, const Sizes& resultSizes) {
    KernelCall call;
    for (const Numbers& each : tensors) {
        call.tensor<double>(sizes, each);
    }
    addArguments(call);
    const Tensor& out = call.emptyTensor<double>(resultSizes);
    const auto done = call.run(name);
    EXPECT_TRUE(done) << name << ": " << done.error().toString();
    return elements<double>(out);
}

/// An activation, its gradient, and whether that takes the activation's result instead of its input.
struct Activation {
    std::string_view forward;
    std::string_view backward;
    bool takesResult = false;
    std::function<void(KernelCall&)> forwardArguments = [](KernelCall&) {};
    std::function<void(KernelCall&)> backwardArguments = [](KernelCall&) {};
};

TEST(Gradient, OfActivations) {
    const auto text = [](std::string_view word) { return [word](KernelCall& call) { call.add(word); }; };
    const auto limits = [](KernelCall& call) {
        call.add(-1.0);
        call.add(1.5);
    };
    const std::vector<Activation> all{
        {.forward = "aten::relu.out",
         .backward = "aten::threshold_backward.grad_input",
         .backwardArguments = [](KernelCall& call) { call.add(std::int64_t{0}); }},
        {.forward = "aten::sigmoid.out",
         .backward = "aten::sigmoid_backward.grad_input",
         .takesResult = true},
        {.forward = "aten::tanh.out", .backward = "aten::tanh_backward.grad_input", .takesResult = true},
        {.forward = "aten::gelu.out",
         .backward = "aten::gelu_backward.grad_input",
         .forwardArguments = text("none"),
         .backwardArguments = text("none")},
        {.forward = "aten::gelu.out",
         .backward = "aten::gelu_backward.grad_input",
         .forwardArguments = text("tanh"),
         .backwardArguments = text("tanh")},
        {.forward = "aten::hardtanh.out",
         .backward = "aten::hardtanh_backward.grad_input",
         .forwardArguments = limits,
         .backwardArguments = limits},
        {.forward = "aten::leaky_relu.out",
         .backward = "aten::leaky_relu_backward.grad_input",
         .forwardArguments = [](KernelCall& call) { call.add(0.1); },
         .backwardArguments =
             [](KernelCall& call) {
                 call.add(0.1);
                 call.add(false);
             }},
    };
    const Sizes sizes{4, 6};
    const Numbers x = irregular(24);
    const Numbers g = irregular(24, 5);
    for (const Activation& each : all) {
        SCOPED_TRACE(each.backward);
        const auto forward = [&](const Numbers& at) {
            return run(each.forward, sizes, {at}, each.forwardArguments, sizes);
        };
        const Numbers gradient =
            run(each.backward, sizes, {g, each.takesResult ? forward(x) : x}, each.backwardArguments, sizes);
        expectGradient(gradient, x, [&](const Numbers& at) { return dot(g, forward(at)); });
    }
}

/// Activations without a forward kernel, which exporters decompose.
TEST(Gradient, OfDecomposedActivations) {
    const Numbers x{-4, -3, -1.25, 0.5, 2.75, 3, 5};
    const Numbers g{1, 2, 3, -1, 0.5, 2, 4};
    const Sizes sizes{7};
    const auto none = [](KernelCall&) {};
    const Numbers silu = run("aten::silu_backward.grad_input", sizes, {g, x}, none, sizes);
    expectGradient(silu, x, [&](const Numbers& at) {
        double sum = 0;
        for (std::size_t i = 0; i < at.size(); ++i) {
            sum += g[i] * at[i] / (1 + std::exp(-at[i]));
        }
        return sum;
    });
    EXPECT_THAT(
        run("aten::hardswish_backward.out", sizes, {g, x}, none, sizes),
        testing::Pointwise(testing::DoubleNear(1e-12), Numbers{0, 0, 3 * (-1.25 / 3 + 0.5), -(0.5 / 3 + 0.5),
                                                               0.5 * (2.75 / 3 + 0.5), 2, 4}));
    EXPECT_THAT(run("aten::hardsigmoid_backward.grad_input", sizes, {g, x}, none, sizes),
                testing::Pointwise(testing::DoubleNear(1e-12), Numbers{0, 0, 0.5, -1.0 / 6, 0.5 / 6, 0, 0}));
}

TEST(Gradient, OfSoftmaxAlongEachDimension) {
    const Sizes sizes{2, 3, 4};
    const Numbers x = irregular(24);
    const Numbers g = irregular(24, 9);
    for (const bool logarithm : {false, true}) {
        for (const std::int64_t dim : {0, 1, -1}) {
            SCOPED_TRACE(dim);
            const auto forward = [&](const Numbers& at) {
                return run(
                    logarithm ? "aten::_log_softmax.out" : "aten::_softmax.out", sizes, {at},
                    [dim](KernelCall& call) {
                        call.add(dim);
                        call.add(false);
                    },
                    sizes);
            };
            const Numbers gradient = run(
                logarithm ? "aten::_log_softmax_backward_data.out" : "aten::_softmax_backward_data.out",
                sizes, {g, forward(x)},
                [dim](KernelCall& call) {
                    call.add(dim);
                    call.add(std::int64_t{7});  // float64
                },
                sizes);
            expectGradient(gradient, x, [&](const Numbers& at) { return dot(g, forward(at)); });
        }
    }
}

constexpr double normEpsilon = 1e-5;

/// Result, means and reciprocals of a layer norm of 3 rows of 4 elements.
struct Normalized {
    Numbers result;
    Numbers mean;
    Numbers reciprocal;
};
Normalized layerNorm(const Numbers& x, const Numbers& weight, const Numbers& bias) {
    KernelCall call;
    call.tensor<double>({3, 4}, x);
    call.ints({4});
    call.tensor<double>({4}, weight);
    call.tensor<double>({4}, bias);
    call.add(normEpsilon);
    const Tensor& out = call.emptyTensor<double>({3, 4});
    const Tensor& mean = call.emptyTensor<double>({3, 1});
    const Tensor& reciprocal = call.emptyTensor<double>({3, 1});
    EXPECT_TRUE(call.run("aten::native_layer_norm.out"));
    return {elements<double>(out), elements<double>(mean), elements<double>(reciprocal)};
}

core::Value& addMask(KernelCall& call, std::initializer_list<bool> truths) {
    core::BoolListValue list{.numbers = std::make_unique<bool[]>(truths.size()), .size = truths.size()};
    std::ranges::copy(truths, list.numbers.get());
    return call.add(std::move(list));
}

TEST(Gradient, OfLayerNorm) {
    const Numbers x = irregular(12);
    const Numbers weight = irregular(4, 3);
    const Numbers bias = irregular(4, 6);
    const Numbers g = irregular(12, 8);
    const Normalized at = layerNorm(x, weight, bias);
    KernelCall call;
    call.tensor<double>({3, 4}, g);
    call.tensor<double>({3, 4}, x);
    call.ints({4});
    call.tensor<double>({3, 1}, at.mean);
    call.tensor<double>({3, 1}, at.reciprocal);
    call.tensor<double>({4}, weight);
    call.tensor<double>({4}, bias);
    addMask(call, {true, true, true});
    const Tensor& input = call.emptyTensor<double>({3, 4});
    const Tensor& weights = call.emptyTensor<double>({4});
    const Tensor& biases = call.emptyTensor<double>({4});
    const auto done = call.run("aten::native_layer_norm_backward.out");
    ASSERT_TRUE(done) << done.error().toString();
    expectGradient(elements<double>(input), x,
                   [&](const Numbers& each) { return dot(g, layerNorm(each, weight, bias).result); });
    expectGradient(elements<double>(weights), weight,
                   [&](const Numbers& each) { return dot(g, layerNorm(x, each, bias).result); });
    expectGradient(elements<double>(biases), bias,
                   [&](const Numbers& each) { return dot(g, layerNorm(x, weight, each).result); });
}

TEST(Gradient, OfLayerNormWritesOnlyRequestedResults) {
    KernelCall call;
    call.tensor<float>({1, 2}, {1, 1});
    call.tensor<float>({1, 2}, {1, 3});
    call.ints({2});
    call.tensor<float>({1, 1}, {2});
    call.tensor<float>({1, 1}, {1});
    call.none();
    call.none();
    addMask(call, {false, false, true});
    call.none();
    call.none();
    const Tensor& bias = call.emptyTensor<float>({2});
    const auto done = call.run("aten::native_layer_norm_backward.out");
    ASSERT_TRUE(done) << done.error().toString();
    EXPECT_THAT(elements<float>(bias), ElementsAre(1, 1));
}

TEST(Gradient, OfMeanSquaredError) {
    const Sizes sizes{3, 4};
    const Numbers x = irregular(12);
    const Numbers target = irregular(12, 4);
    for (const std::int64_t reduction : {0, 1, 2}) {
        SCOPED_TRACE(reduction);
        const Sizes lossSizes = reduction == 0 ? sizes : Sizes{};
        const Numbers g = irregular(reduction == 0 ? 12 : 1, 2);
        const auto add = [reduction](KernelCall& call) { call.add(reduction); };
        KernelCall call;
        call.tensor<double>(lossSizes, g);
        call.tensor<double>(sizes, x);
        call.tensor<double>(sizes, target);
        call.add(reduction);
        const Tensor& out = call.emptyTensor<double>(sizes);
        ASSERT_TRUE(call.run("aten::mse_loss_backward.grad_input"));
        expectGradient(elements<double>(out), x, [&](const Numbers& at) {
            return dot(g, run("aten::mse_loss.out", sizes, {at, target}, add, lossSizes));
        });
    }
}

constexpr std::int64_t ignoredClass = 1;

/// The loss of 4 rows of 3 log-probabilities, and the total weight.
struct Likelihood {
    Numbers loss;
    Numbers total;
};
Likelihood nllLoss(const Numbers& x, const Numbers& weight, std::int64_t reduction) {
    KernelCall call;
    call.tensor<double>({4, 3}, x);
    call.tensor<std::int64_t>({4}, {2, 0, ignoredClass, 2});
    call.tensor<double>({3}, weight);
    call.add(reduction);
    call.add(ignoredClass);
    const Tensor& out = call.emptyTensor<double>(reduction == 0 ? Sizes{4} : Sizes{});
    const Tensor& total = call.emptyTensor<double>({});
    const auto done = call.run("aten::nll_loss_forward.output");
    EXPECT_TRUE(done) << done.error().toString();
    return {elements<double>(out), elements<double>(total)};
}

TEST(Gradient, OfNegativeLogLikelihood) {
    const Numbers x = irregular(12);
    const Numbers weight{0.5, 2, 1.5};
    EXPECT_NEAR(nllLoss(x, weight, 1).loss[0], -(1.5 * x[2] + 0.5 * x[3] + 1.5 * x[11]) / 3.5, 1e-12);
    EXPECT_EQ(nllLoss(x, weight, 1).total[0], 3.5);
    EXPECT_EQ(nllLoss(x, weight, 0).loss[2], 0);
    for (const std::int64_t reduction : {0, 1, 2}) {
        SCOPED_TRACE(reduction);
        const Numbers g = irregular(reduction == 0 ? 4 : 1, 2);
        KernelCall call;
        call.tensor<double>(reduction == 0 ? Sizes{4} : Sizes{}, g);
        call.tensor<double>({4, 3}, x);
        call.tensor<std::int64_t>({4}, {2, 0, ignoredClass, 2});
        call.tensor<double>({3}, weight);
        call.add(reduction);
        call.add(ignoredClass);
        call.tensor<double>({}, nllLoss(x, weight, reduction).total);
        const Tensor& out = call.emptyTensor<double>({4, 3});
        const auto done = call.run("aten::nll_loss_backward.grad_input");
        ASSERT_TRUE(done) << done.error().toString();
        expectGradient(elements<double>(out), x,
                       [&](const Numbers& at) { return dot(g, nllLoss(at, weight, reduction).loss); });
    }
}

TEST(Gradient, OfEmbedding) {
    KernelCall call;
    call.tensor<float>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    call.tensor<std::int64_t>({2, 2}, {0, 2, 1, 2});
    call.add(std::int64_t{4});
    call.add(std::int64_t{1});  // padding
    call.add(false);
    const Tensor& out = call.emptyTensor<float>({4, 2});
    ASSERT_TRUE(call.run("aten::embedding_dense_backward.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, 0, 0, 10, 12, 0, 0));
}

TEST(Gradient, OfEmbeddingDividedByUses) {
    KernelCall call;
    call.tensor<float>({3, 1}, {1, 3, 5});
    call.tensor<std::int32_t>({3}, {1, 1, 0});
    call.add(std::int64_t{2});
    call.add(std::int64_t{-1});
    call.add(true);
    const Tensor& out = call.emptyTensor<float>({2, 1});
    ASSERT_TRUE(call.run("aten::embedding_dense_backward.out"));
    EXPECT_THAT(elements<float>(out), ElementsAre(5, 2));
}

TEST(Gradient, OfAveragePooling) {
    const Sizes input{1, 2, 5, 4};
    const Sizes output{1, 2, 3, 2};
    const Numbers x = irregular(40);
    const Numbers g = irregular(12, 3);
    for (const bool countsPadding : {false, true}) {
        const auto add = [countsPadding](KernelCall& call) {
            call.ints({3, 2});
            call.ints({2, 2});
            call.ints({1, 0});
            call.add(false);
            call.add(countsPadding);
            call.none();
        };
        KernelCall call;
        call.tensor<double>(output, g);
        call.tensor<double>(input, x);
        add(call);
        const Tensor& out = call.emptyTensor<double>(input);
        const auto done = call.run("aten::avg_pool2d_backward.grad_input");
        ASSERT_TRUE(done) << done.error().toString();
        expectGradient(elements<double>(out), x, [&](const Numbers& at) {
            return dot(g, run("aten::avg_pool2d.out", input, {at}, add, output));
        });
    }
}

TEST(Gradient, OfAdaptivePooling) {
    const Sizes input{1, 2, 5, 4};
    const Sizes output{1, 2, 3, 2};
    const Numbers x = irregular(40);
    const Numbers g = irregular(12, 3);
    KernelCall call;
    call.tensor<double>(output, g);
    call.tensor<double>(input, x);
    const Tensor& out = call.emptyTensor<double>(input);
    ASSERT_TRUE(call.run("aten::_adaptive_avg_pool2d_backward.out"));
    expectGradient(elements<double>(out), x, [&](const Numbers& at) {
        return dot(g, run(
                          "aten::_adaptive_avg_pool2d.out", input, {at},
                          [](KernelCall& each) { each.ints({3, 2}); }, output));
    });
}

TEST(Gradient, OfOtherDimOrdersAndHalf) {
    KernelCall call;
    call.tensor<float>({1, 2, 1, 2}, {1, 2, 3, 4}, {0, 2, 3, 1});  // channels last
    call.tensor<float>({1, 2, 1, 2}, {1, -1, 1, 1});
    call.add(std::int64_t{0});
    const Tensor& out = call.emptyTensor<float>({1, 2, 1, 2});
    ASSERT_TRUE(call.run("aten::threshold_backward.grad_input"));
    EXPECT_THAT(elements<float>(out), ElementsAre(1, 0, 2, 4));
    KernelCall half;
    half.tensor<core::Half>({2}, {core::Half(1.0F), core::Half(2.0F)});
    half.tensor<core::Half>({2}, {core::Half(0.0F), core::Half(1.0F)});
    const Tensor& result = half.emptyTensor<core::Half>({2});
    ASSERT_TRUE(half.run("aten::tanh_backward.grad_input"));
    EXPECT_EQ(static_cast<float>(elements<core::Half>(result)[0]), 1);
    EXPECT_EQ(static_cast<float>(elements<core::Half>(result)[1]), 0);
}

TEST(Gradient, RefusesWrongArguments) {
    KernelCall sizes;
    sizes.tensor<float>({2}, {1, 2});
    sizes.tensor<float>({3}, {1, 2, 3});
    sizes.add(std::int64_t{0});
    sizes.emptyTensor<float>({3});
    EXPECT_THAT(errorOf(sizes, "aten::threshold_backward.grad_input"),
                HasSubstr("expected tensors of float32 [3], got float32 [2]"));
    for (const std::int64_t index : {-1, 4}) {
        KernelCall embedding;
        embedding.tensor<float>({1, 1}, {1});
        embedding.tensor<std::int64_t>({1}, {index});
        embedding.add(std::int64_t{4});
        embedding.add(std::int64_t{-1});
        embedding.add(false);
        embedding.emptyTensor<float>({4, 1});
        EXPECT_THAT(errorOf(embedding, "aten::embedding_dense_backward.out"),
                    HasSubstr("expected indices from 0 to 3, got " + std::to_string(index)));
    }
    KernelCall target;
    target.tensor<float>({1, 2}, {1, 2});
    target.tensor<std::int64_t>({1}, {2});
    target.none();
    target.add(std::int64_t{1});
    target.add(std::int64_t{-100});
    target.emptyTensor<float>({});
    target.emptyTensor<float>({});
    EXPECT_THAT(errorOf(target, "aten::nll_loss_forward.output"),
                HasSubstr("expected targets from 0 to 1, got 2"));
    KernelCall reduction;
    reduction.tensor<float>({1}, {1});
    reduction.tensor<float>({1}, {1});
    reduction.add(std::int64_t{3});
    reduction.emptyTensor<float>({});
    EXPECT_THAT(errorOf(reduction, "aten::mse_loss.out"), HasSubstr("expected 0, 1 or 2, got 3"));
}

}  // namespace
}  // namespace et::test::gradient
