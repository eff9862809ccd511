// Tests of Hadamard transforms.
#include "tests/kernels/kernel_call.h"

#include <gmock/gmock.h>

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

}  // namespace
}  // namespace et::test
