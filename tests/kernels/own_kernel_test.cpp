// Tests a kernel written as described in boxing.h and kernel_context.h.
#include "runtime/kernels/boxing.h"
#include "tests/kernels/kernel_call.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace et::test {
namespace {

using core::Tensor;
using kernels::KernelContext;
using testing::ElementsAre;
using testing::HasSubstr;

/// (Tensor self, int dim, out): multiplies all elements by the size of a dimension.
core::Result<> timesSizeOut(KernelContext& context, const Tensor& self, std::int64_t dim, Tensor& out) {
    if (self.dtype() != core::ScalarType::Float) {
        return kernels::unsupportedType(self.dtype());
    }
    if (dim < 0 || dim >= static_cast<std::int64_t>(self.dim())) {
        return kernels::invalid(fmt::format("expected a dimension of {}, got {}", core::describe(self), dim));
    }
    ET_TRY(out.resize(self.sizes()));
    const auto count = static_cast<std::size_t>(self.numel());
    ET_ASSIGN(const std::span<float> scaled, context.scratch<float>(count));
    const auto factor = static_cast<float>(self.size(static_cast<std::size_t>(dim)));
    std::transform(self.data<float>(), self.data<float>() + count, scaled.begin(),
                   [factor](float x) { return x * factor; });
    std::ranges::copy(scaled, out.mutableData<float>());
    return {};
}

constexpr kernels::KernelEntry entry{"my::times_size.out", kernels::box<&timesSizeOut>};

TEST(OwnKernel, GetsItsArgumentsUnboxed) {
    KernelCall call;
    call.tensor<float>({1, 3}, {1, 2, 3});
    call.add(std::int64_t{1});
    const Tensor& out = call.emptyTensor<float>({1, 3});
    ASSERT_TRUE(call.run(entry));
    EXPECT_THAT(test::elements<float>(out), ElementsAre(3, 6, 9));
}

TEST(OwnKernel, ReportsErrors) {
    KernelCall call;
    call.tensor<float>({1, 3}, {1, 2, 3});
    core::Value& dim = call.add(std::int64_t{2});
    call.emptyTensor<float>({1, 3});
    EXPECT_THAT(test::errorOf(call, entry), HasSubstr("expected a dimension of float32 [1, 3], got 2"));
    dim.set(true);
    EXPECT_THAT(test::errorOf(call, entry), HasSubstr("argument 1: expected Int, got Bool"));

    KernelCall integers;
    integers.tensor<std::int32_t>({1}, {1});
    integers.add(std::int64_t{0});
    integers.emptyTensor<std::int32_t>({1});
    EXPECT_THAT(test::errorOf(integers, entry), HasSubstr("does not support int32"));
}

}  // namespace
}  // namespace et::test
