// Tests of llama::quantized_moe_ffn.
#include "tests/kernels/every_target.h"
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"
#include "tests/support/torchao_packing.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

using core::Tensor;
using testing::HasSubstr;

std::size_t place(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

struct ExpertsCase {
    int tokens = 5;
    int dim = 32;
    int hidden = 16;
    int experts = 4;
    int chosen = 2;
    int group = 16;
    int bits = 4;
    std::string_view scoring = "sigmoid";
    bool hasBias = true;
    double routeScale = 2.5;

    [[nodiscard]] std::vector<float> x() const { return randomNumbers(tokens * dim, 1, 1); }
    [[nodiscard]] std::vector<float> gate() const { return randomNumbers(experts * dim, 2, 1); }
    [[nodiscard]] std::vector<float> bias() const { return randomNumbers(hasBias ? experts : 0, 3, 2); }
    [[nodiscard]] LinearWeights up(int expert) const { return weights(2 * hidden, dim, 10 + expert); }
    [[nodiscard]] LinearWeights down(int expert) const { return weights(dim, hidden, 30 + expert); }

  private:
    [[nodiscard]] LinearWeights weights(int outputs, int depth, int seed) const {
        return {.bits = bits,
                .outputs = outputs,
                .depth = depth,
                .group = group,
                .integers = lowBitIntegers(bits, place(outputs * depth), static_cast<unsigned>(seed)),
                .scales = randomNumbers(outputs * depth / group, static_cast<unsigned>(seed),
                                        bits == 4 ? 0.1F : 0.01F)};
    }
};

std::vector<double> multiply(const LinearWeights& weights, const std::vector<double>& row) {
    std::vector<double> sums;
    for (int output = 0; output < weights.outputs; ++output) {
        double sum = 0;
        for (int k = 0; k < weights.depth; ++k) {
            sum += row[place(k)] * weights.integers[place(output * weights.depth + k)] *
                   weights.scales[place(output * weights.groups() + k / weights.group)];
        }
        sums.push_back(sum);
    }
    return sums;
}

/// The numbers of the chosen experts, and their weights.
std::vector<std::pair<int, double>> choose(const ExpertsCase& of, const std::vector<double>& row) {
    const std::vector<float> gate = of.gate();
    const std::vector<float> bias = of.bias();
    std::vector<double> scores;
    std::vector<double> ranks;
    for (int expert = 0; expert < of.experts; ++expert) {
        double score = 0;
        for (int k = 0; k < of.dim; ++k) {
            score += row[place(k)] * gate[place(expert * of.dim + k)];
        }
        scores.push_back(of.scoring == "sigmoid" ? 1 / (1 + std::exp(-score)) : std::exp(score));
        ranks.push_back(scores.back() + (of.hasBias ? bias[place(expert)] : 0));
    }
    std::vector<int> order(place(of.experts));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order,
                             [&](int left, int right) { return ranks[place(left)] > ranks[place(right)]; });
    order.resize(place(of.chosen));
    double sum = 0;
    for (const int expert : order) {
        sum += scores[place(expert)];
    }
    std::vector<std::pair<int, double>> chosen;
    for (const int expert : order) {
        chosen.emplace_back(expert,
                            scores[place(expert)] / sum * (of.scoring == "sigmoid" ? of.routeScale : 1));
    }
    return chosen;
}

std::vector<double> naiveExperts(const ExpertsCase& of) {
    const std::vector<float> x = of.x();
    std::vector<double> out(x.size());
    for (int token = 0; token < of.tokens; ++token) {
        const auto first = x.begin() + token * of.dim;
        const std::vector<double> row(first, first + of.dim);
        for (const auto& [expert, weight] : choose(of, row)) {
            const std::vector<double> both = multiply(of.up(expert), row);
            std::vector<double> middle;
            for (int i = 0; i < of.hidden; ++i) {
                const double up = both[place(i)];
                middle.push_back(up / (1 + std::exp(-up)) * both[place(of.hidden + i)]);
            }
            const std::vector<double> down = multiply(of.down(expert), middle);
            for (int i = 0; i < of.dim; ++i) {
                out[place(token * of.dim + i)] += weight * down[place(i)];
            }
        }
    }
    return out;
}

/// Arguments of a call, if they differ from the case.
struct ExpertsChange {
    std::int64_t chosen = 2;
    std::int64_t experts = 4;
    std::int64_t hidden = 16;
    std::int64_t dim = 32;
    std::int64_t group = 16;
    std::int64_t bits = 4;
    std::string_view scoring = "sigmoid";
    std::size_t missingBytes = 0;
    std::vector<std::int64_t> x{5, 32};
    std::vector<std::int64_t> gate{4, 32};
    std::vector<std::int64_t> bias{4};
};

void addPacked(KernelCall& call, const ExpertsCase& of, bool up, std::size_t missing) {
    std::vector<std::uint8_t> all;
    for (int expert = 0; expert < of.experts; ++expert) {
        std::vector<std::uint8_t> packed = packLinear(up ? of.up(expert) : of.down(expert));
        packed.resize(packed.size() - missing);
        all.insert(all.end(), packed.begin(), packed.end());
    }
    call.tensor<std::uint8_t>({of.experts, static_cast<std::int64_t>(all.size()) / of.experts}, all);
}

void addNumbers(KernelCall& call, const ExpertsChange& numbers) {
    for (const std::int64_t number :
         {numbers.chosen, numbers.experts, numbers.hidden, numbers.dim, numbers.group, numbers.bits}) {
        call.add(whole(number));
    }
    call.add(numbers.scoring);
}

void expectExperts(const ExpertsCase& of, std::size_t threads = 1) {
    SCOPED_TRACE(testing::Message() << of.bits << " bits, " << of.tokens << " tokens, " << of.scoring);
    KernelCall call(threads);
    call.tensor<float>({of.tokens, of.dim}, of.x());
    call.tensor<float>({of.experts, of.dim}, of.gate());
    call.tensor<float>({of.hasBias ? of.experts : 0}, of.bias());
    addPacked(call, of, true, 0);
    addPacked(call, of, false, 0);
    addNumbers(call, {.chosen = of.chosen,
                      .experts = of.experts,
                      .hidden = of.hidden,
                      .dim = of.dim,
                      .group = of.group,
                      .bits = of.bits,
                      .scoring = of.scoring});
    call.add(of.routeScale);
    Tensor& out = call.emptyTensor<float>({of.tokens, of.dim});
    const auto done = call.run("llama::quantized_moe_ffn.out");
    ASSERT_TRUE(done) << done.error().message;
    const std::vector<double> expected = naiveExperts(of);
    double error = 0;
    double signal = 1e-30;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        error += std::pow(elements<float>(out)[i] - expected[i], 2);
        signal += expected[i] * expected[i];
    }
    EXPECT_LT(error / signal, 1e-12);
}

TEST(Experts, SumTheChosenNetworks) {
    onEveryTarget([] {
        for (const int bits : {4, 8}) {
            expectExperts({.bits = bits});
            expectExperts({.bits = bits, .scoring = "softmax", .hasBias = false});
            expectExperts({.bits = bits, .hasBias = false, .routeScale = 1});
        }
    });
}

TEST(Experts, AcceptAnyNumberOfTokensAndExperts) {
    for (const int tokens : {0, 1, 2, 40}) {
        expectExperts({.tokens = tokens});
    }
    expectExperts({.experts = 1, .chosen = 1});
    expectExperts({.experts = 7, .chosen = 7});
    expectExperts({.tokens = 9, .dim = 64, .hidden = 96, .group = 32}, 3);
}

std::string errorOfChange(const ExpertsChange& change) {
    const ExpertsCase of;
    KernelCall call;
    call.emptyTensor<float>(change.x);
    call.emptyTensor<float>(change.gate);
    call.emptyTensor<float>(change.bias);
    addPacked(call, of, true, change.missingBytes);
    addPacked(call, of, false, 0);
    addNumbers(call, change);
    call.add(1.0);
    call.emptyTensor<float>({5, 32});
    return errorOf(call, "llama::quantized_moe_ffn.out");
}

TEST(Experts, NameAWrongArgument) {
    EXPECT_EQ(errorOfChange({}), "no error");
    EXPECT_THAT(errorOfChange({.x = {5, 31}}), HasSubstr("x: expected row-major float32 [5, 32]"));
    EXPECT_THAT(errorOfChange({.gate = {4, 31}}),
                HasSubstr("gate_weight: expected row-major float32 [4, 32]"));
    EXPECT_THAT(errorOfChange({.bias = {3}}), HasSubstr("expert_bias: expected row-major float32 [4]"));
    EXPECT_THAT(errorOfChange({.scoring = "softmax"}),
                HasSubstr("expert_bias: expected an empty tensor with softmax"));
    EXPECT_THAT(errorOfChange({.scoring = "tanh"}),
                HasSubstr("score_func: expected sigmoid or softmax, got \"tanh\""));
    EXPECT_THAT(errorOfChange({.bits = 3}), HasSubstr("weight_nbit: expected 4 or 8, got 3"));
    EXPECT_THAT(errorOfChange({.bits = 8}), HasSubstr("packed_w13: expected a header of 8-bit weights"));
    EXPECT_THAT(errorOfChange({.missingBytes = 1}),
                HasSubstr("packed_w13: expected the 4-bit weights of 32 outputs"));
    EXPECT_THAT(errorOfChange({.hidden = 32}), HasSubstr("packed_w13: "));
    for (const std::int64_t number : {std::int64_t{0}, std::int64_t{-1}, min, max}) {
        EXPECT_THAT(errorOfChange({.chosen = number}), HasSubstr("num_activated_experts: expected 1 to 4"));
        EXPECT_NE(errorOfChange({.experts = number}), "no error");
        EXPECT_THAT(errorOfChange({.hidden = number}), HasSubstr("hidden_dim: "));
        EXPECT_THAT(errorOfChange({.dim = number}), HasSubstr("dim: "));
        EXPECT_THAT(errorOfChange({.group = number}), HasSubstr("group_size: "));
    }
}

TEST(Experts, WithScoresThatAreNotNumbersAreChosenLast) {
    const ExpertsCase of;
    KernelCall call;
    call.tensor<float>({5, 32}, std::vector<float>(160, nan));
    call.tensor<float>({4, 32}, of.gate());
    call.emptyTensor<float>({0});
    addPacked(call, of, true, 0);
    addPacked(call, of, false, 0);
    addNumbers(call, {});
    call.add(1.0);
    call.emptyTensor<float>({5, 32});
    EXPECT_EQ(errorOf(call, "llama::quantized_moe_ffn.out"), "no error");
}

}  // namespace
}  // namespace et::test
