#include "runtime/kernels/reduction/element_access.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/type_promotion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace et::kernels::reduction {

Result<> allCloseOut(KernelContext& context, const Tensor& self, const Tensor& other, double rtol,
                     double atol, bool equalNan, bool /*dummy*/, Tensor& out) {
    if (self.sizes() != other.sizes() || self.dtype() != other.dtype() || !self.sameLayout(other)) {
        return invalid(fmt::format("other: expected {} as self, with its dim order, got {}",
                                   core::describe(self), core::describe(other)));
    }
    ET_TRY(expectType(out, ScalarType::Bool));
    if (out.numel() != 1) {
        ET_TRY(out.resize(Sizes{1}));
    }
    ET_ASSIGN(const auto left, ElementReader<double>::make(self));
    ET_ASSIGN(const auto right, ElementReader<double>::make(other));
    ET_ASSIGN(const std::span<double> memory, context.scratch<double>(2 * blockSize));
    const auto isClose = [&](double a, double b) {
        return a == b || (equalNan && std::isnan(a) && std::isnan(b)) ||
               (std::isfinite(a - b) && std::abs(a - b) <= atol + std::abs(rtol * b));
    };
    bool areClose = true;
    const auto count = static_cast<std::size_t>(self.numel());
    for (std::size_t done = 0; done < count && areClose; done += blockSize) {
        const std::size_t block = std::min(blockSize, count - done);
        const auto offset = static_cast<std::int64_t>(done);
        const double* const a = left.read(offset, 1, block, memory.data());
        const double* const b = right.read(offset, 1, block, memory.data() + blockSize);
        areClose = std::equal(a, a + block, b, isClose);
    }
    *out.mutableData<bool>() = areClose;
    return {};
}

}  // namespace et::kernels::reduction
