// Tests of the gated delta rule, under its three names.
#include "tests/kernels/every_target.h"
#include "tests/kernels/kernel_call.h"
#include "tests/kernels/numbers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace et::test {
namespace {

using core::Tensor;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(DeltaRule, ForgetsAndLearns) {
    KernelCall call;
    call.tensor<float>({1, 1, 1, 2}, {1, 2});
    call.tensor<float>({1, 1, 1, 2}, {1, 0});
    call.tensor<float>({1, 1, 1, 1}, {10});
    call.tensor<float>({1, 1, 1}, {std::log(0.5F)});
    call.tensor<float>({1, 1, 1}, {0.25F});
    Tensor& state = call.tensor<float>({1, 1, 2, 1}, {4, 8});
    Tensor& out = call.emptyTensor<float>({1, 1, 1, 1});
    ASSERT_TRUE(call.run("llama::recurrent_gated_delta_rule.out"));
    // Half of the state remains, 2 and 4; key 0 is updated by a quarter of 10 - 2.
    EXPECT_THAT(elements<float>(state), ElementsAre(4, 4));
    EXPECT_THAT(elements<float>(out), ElementsAre(12));
}

TEST(DeltaRule, DecaysEachChannelAndLeavesItsInput) {
    KernelCall call;
    call.tensor<float>({1, 1, 1, 2}, {1, 1});
    call.tensor<float>({1, 1, 1, 2}, {0, 1});
    call.tensor<float>({1, 1, 1, 1}, {3});
    call.tensor<float>({1, 1, 1, 2}, {0.5F, 0.25F});
    call.tensor<float>({1, 1, 1}, {1});
    Tensor& initial = call.tensor<float>({1, 1, 2, 1}, {4, 8});
    Tensor& out = call.emptyTensor<float>({1, 1, 1, 1});
    Tensor& last = call.emptyTensor<float>({1, 1, 2, 1});
    ASSERT_TRUE(call.run("llama::channelwise_gated_delta_rule.out"));
    EXPECT_THAT(elements<float>(initial), ElementsAre(4, 8));
    EXPECT_THAT(elements<float>(last), ElementsAre(2, 3));
    EXPECT_THAT(elements<float>(out), ElementsAre(5));
}

struct DeltaRuleShape {
    std::int64_t batch = 2;
    std::int64_t heads = 2;
    std::int64_t shared = 1;  ///< query heads per head
    std::int64_t tokens = 5;
    std::int64_t keys = 6;
    std::int64_t values = 7;
    bool isDecayPerKey = true;
};

struct DeltaRuleNumbers {
    explicit DeltaRuleNumbers(const DeltaRuleShape& shape)
        : query(randomNumbers(shape.batch * shape.heads * shape.shared * shape.tokens * shape.keys, 1, 1)),
          key(randomNumbers(shape.batch * shape.heads * shape.tokens * shape.keys, 2, 0.5F)),
          value(randomNumbers(shape.batch * shape.heads * shape.tokens * shape.values, 3, 1)),
          decay(randomNumbers(
              shape.batch * shape.heads * shape.tokens * (shape.isDecayPerKey ? shape.keys : 1), 4, 0.4F)),
          beta(randomNumbers(shape.batch * shape.heads * shape.tokens, 5, 0.5F)),
          state(randomNumbers(shape.batch * shape.heads * shape.keys * shape.values, 6, 1)) {
        for (float& factor : decay) {
            factor += 0.5F;  // 0.1 to 0.9
        }
    }

    std::vector<float> query, key, value, decay, beta, state;
};

struct DeltaRuleResult {
    std::vector<double> out, state;
};

/// The recurrence in double, element by element.
DeltaRuleResult naiveDeltaRule(const DeltaRuleShape& shape, const DeltaRuleNumbers& numbers) {
    DeltaRuleResult result{.out = {}, .state = {numbers.state.begin(), numbers.state.end()}};
    result.out.resize(numbers.query.size() / static_cast<std::size_t>(shape.keys) *
                      static_cast<std::size_t>(shape.values));
    const auto at = [](std::int64_t index) { return static_cast<std::size_t>(index); };
    for (std::int64_t head = 0; head < shape.batch * shape.heads; ++head) {
        const auto state = [&](std::int64_t k, std::int64_t v) -> double& {
            return result.state[at((head * shape.keys + k) * shape.values + v)];
        };
        for (std::int64_t t = 0; t < shape.tokens; ++t) {
            const std::int64_t token = head * shape.tokens + t;
            for (std::int64_t v = 0; v < shape.values; ++v) {
                double predicted = 0;
                for (std::int64_t k = 0; k < shape.keys; ++k) {
                    state(k, v) *= numbers.decay[at(shape.isDecayPerKey ? token * shape.keys + k : token)];
                    predicted += state(k, v) * numbers.key[at(token * shape.keys + k)];
                }
                const double change =
                    (numbers.value[at(token * shape.values + v)] - predicted) * numbers.beta[at(token)];
                for (std::int64_t k = 0; k < shape.keys; ++k) {
                    state(k, v) += change * numbers.key[at(token * shape.keys + k)];
                }
                for (std::int64_t query = 0; query < shape.shared; ++query) {
                    const std::int64_t row = (head * shape.shared + query) * shape.tokens + t;
                    double sum = 0;
                    for (std::int64_t k = 0; k < shape.keys; ++k) {
                        sum += state(k, v) * numbers.query[at(row * shape.keys + k)];
                    }
                    result.out[at(row * shape.values + v)] = sum;
                }
            }
        }
    }
    return result;
}

void addArguments(KernelCall& call, const DeltaRuleShape& shape, const DeltaRuleNumbers& numbers) {
    const std::int64_t batch = shape.batch;
    const std::int64_t heads = shape.heads;
    call.tensor<float>({batch, heads * shape.shared, shape.tokens, shape.keys}, numbers.query);
    call.tensor<float>({batch, heads, shape.tokens, shape.keys}, numbers.key);
    call.tensor<float>({batch, heads, shape.tokens, shape.values}, numbers.value);
    if (shape.isDecayPerKey) {
        call.tensor<float>({batch, heads, shape.tokens, shape.keys}, numbers.decay);
    } else {
        call.tensor<float>({batch, heads, shape.tokens}, numbers.decay);
    }
    call.tensor<float>({batch, heads, shape.tokens}, numbers.beta);
    call.tensor<float>({batch, heads, shape.keys, shape.values}, numbers.state);
}

void expectNear(const std::vector<float>& got, const std::vector<double>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    double error = 0;
    double signal = 1e-30;
    for (std::size_t i = 0; i < got.size(); ++i) {
        error += (got[i] - expected[i]) * (got[i] - expected[i]);
        signal += expected[i] * expected[i];
    }
    EXPECT_LT(error / signal, 1e-12);  // 120 dB
}

void expectRecurrence(const DeltaRuleShape& shape, const char* name, std::size_t threads = 1) {
    SCOPED_TRACE(testing::Message() << name << ": " << shape.shared << " queries, " << shape.tokens
                                    << " tokens, " << shape.keys << " keys, " << shape.values << " values");
    const DeltaRuleNumbers numbers(shape);
    const DeltaRuleResult expected = naiveDeltaRule(shape, numbers);
    KernelCall call(threads);
    addArguments(call, shape, numbers);
    Tensor& out =
        call.emptyTensor<float>({shape.batch, shape.heads * shape.shared, shape.tokens, shape.values});
    Tensor& state = call.emptyTensor<float>({shape.batch, shape.heads, shape.keys, shape.values});
    const auto done = call.run(name);
    ASSERT_TRUE(done) << done.error().message;
    expectNear(elements<float>(out), expected.out);
    expectNear(elements<float>(state), expected.state);
}

TEST(DeltaRule, EqualsTheRecurrence) {
    onEveryTarget([] {
        for (const char* name : {"llama::gated_delta_rule.out", "llama::channelwise_gated_delta_rule.out"}) {
            for (const bool isDecayPerKey : {true, false}) {
                for (const std::int64_t shared : {1, 2, 3, 4, 5, 9}) {
                    expectRecurrence({.shared = shared, .isDecayPerKey = isDecayPerKey}, name);
                }
                for (const std::int64_t values : {1, 4, 8, 16, 17, 32, 33, 70}) {
                    expectRecurrence({.values = values, .isDecayPerKey = isDecayPerKey}, name);
                }
                for (const std::int64_t tokens : {0, 1, 2, 64}) {
                    expectRecurrence({.tokens = tokens, .isDecayPerKey = isDecayPerKey}, name);
                }
            }
        }
    });
}

TEST(DeltaRule, DividesHeadsAndColumnsAmongThreads) {
    expectRecurrence({.shared = 5, .tokens = 9, .values = 70}, "llama::gated_delta_rule.out", 3);
}

TEST(DeltaRule, AcceptsTheListOfResultsOfAProgram) {
    const DeltaRuleShape shape;
    const DeltaRuleNumbers numbers(shape);
    KernelCall call;
    addArguments(call, shape, numbers);
    call.emptyTensor<float>({2, 2, 5, 7});
    call.emptyTensor<float>({2, 2, 6, 7});
    call.none();  // a program passes the list of both results
    EXPECT_EQ(errorOf(call, "llama::gated_delta_rule.out"), "no error");
}

/// The error of a call whose tensor number `which` has `sizes` (float32).
std::string errorWith(std::size_t which, const std::vector<std::int64_t>& sizes) {
    std::vector<std::vector<std::int64_t>> all{{1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 5}, {1, 2, 3},
                                               {1, 2, 3},    {1, 2, 4, 5}, {1, 2, 3, 5}, {1, 2, 4, 5}};
    all[which] = sizes;
    KernelCall call;
    for (const auto& each : all) {
        call.emptyTensor<float>(each);
    }
    return errorOf(call, "llama::gated_delta_rule.out");
}

TEST(DeltaRule, NamesAWrongArgument) {
    EXPECT_EQ(errorWith(0, {1, 2, 3, 4}), "no error");
    EXPECT_THAT(errorWith(0, {2, 3, 4}), HasSubstr("query: expected row-major float32 with 4 dimensions"));
    EXPECT_THAT(errorWith(0, {1, 3, 3, 4}),
                HasSubstr("query: expected a multiple of the 2 heads of key, got 3"));
    EXPECT_THAT(errorWith(0, {1, 0, 3, 4}), HasSubstr("query: "));
    EXPECT_THAT(errorWith(0, {1, 2, 3, 6}), HasSubstr("query: expected row-major float32 [1, 2, 3, 4]"));
    EXPECT_THAT(errorWith(1, {1, 2, 3}), HasSubstr("key: "));
    EXPECT_THAT(errorWith(1, {1, 0, 3, 4}), HasSubstr("query: expected a multiple of the 0 heads"));
    EXPECT_THAT(errorWith(2, {1, 2, 2, 5}), HasSubstr("value: expected row-major float32 [1, 2, 3, 5]"));
    EXPECT_THAT(errorWith(3, {1, 2}), HasSubstr("decay: expected row-major float32 [1, 2, 3, 4]"));
    EXPECT_THAT(errorWith(3, {1, 2, 4}), HasSubstr("decay: expected row-major float32 [1, 2, 3]"));
    EXPECT_THAT(errorWith(4, {1, 2, 4}), HasSubstr("beta: "));
    EXPECT_THAT(errorWith(5, {1, 2, 5, 4}), HasSubstr("initial_state: "));
    EXPECT_NE(errorWith(6, {1, 2, 3, 4}), "no error");
    EXPECT_NE(errorWith(7, {1, 2, 4, 4}), "no error");
}

TEST(DeltaRule, RejectsOtherDtypes) {
    KernelCall call;
    call.emptyTensor<float>({1, 1, 1, 2});
    call.emptyTensor<double>({1, 1, 1, 2});
    call.emptyTensor<float>({1, 1, 1, 2});
    call.emptyTensor<float>({1, 1, 1});
    call.emptyTensor<float>({1, 1, 1});
    call.emptyTensor<float>({1, 1, 2, 2});
    call.emptyTensor<float>({1, 1, 1, 2});
    call.emptyTensor<float>({1, 1, 2, 2});
    EXPECT_THAT(errorOf(call, "llama::gated_delta_rule.out"), HasSubstr("key: expected row-major float32"));
}

}  // namespace
}  // namespace et::test
