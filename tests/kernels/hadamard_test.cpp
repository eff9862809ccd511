// Tests of Hadamard transforms and llama's gated delta rule.
#include "tests/kernels/kernel_call.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace et::test {
namespace {

using core::Tensor;
using testing::ElementsAre;

std::vector<float> hadamard(const std::vector<float>& numbers) {
    KernelCall call;
    call.tensor<float>({static_cast<std::int64_t>(numbers.size())}, numbers);
    Tensor& out = call.emptyTensor<float>({static_cast<std::int64_t>(numbers.size())});
    EXPECT_TRUE(call.run("llama::fast_hadamard_transform.out"));
    return elements<float>(out);
}

TEST(Hadamard, OfAPowerOfTwo) {
    EXPECT_THAT(hadamard({1, 2, 3, 4}), ElementsAre(5, -1, -2, 0));
}

TEST(Hadamard, Of28KeepsRightAngles) {
    std::vector<std::vector<float>> columns;
    for (std::size_t i = 0; i < 56; ++i) {
        std::vector<float> unit(56, 0);
        unit[i] = 1;
        columns.push_back(hadamard(unit));
    }
    for (const auto& left : columns) {
        for (const auto& right : columns) {
            double sum = 0;
            for (std::size_t i = 0; i < left.size(); ++i) {
                sum += static_cast<double>(left[i]) * static_cast<double>(right[i]);
            }
            ASSERT_NEAR(sum, &left == &right ? 28 : 0, 1e-4);
        }
    }
}

TEST(Hadamard, RefusesOtherLengths) {
    KernelCall call;
    call.emptyTensor<float>({12});
    call.emptyTensor<float>({12});
    EXPECT_FALSE(call.run("llama::fast_hadamard_transform.out"));
}

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

}  // namespace
}  // namespace et::test
