#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <random>

// Operators that draw random numbers, from the generator seeded by the caller of the runtime. Values match
// PyTorch's only in distribution.
namespace et::kernels {
namespace {

using core::Result;
using MemoryFormat = std::optional<std::int64_t>;

/// Fills `out` with values of `draw(std::type_identity<T>)` for its element type.
template <class Draw>
Result<> drawAll(IntList size, const Draw& draw, Tensor& out) {
    ET_TRY(out.resize(size));
    return core::visitRealType(
        out.dtype(),
        [&]<class T>(std::type_identity<T> type) -> Result<> {
            T* const elements = out.mutableData<T>();
            for (std::int64_t i = 0; i < out.numel(); ++i) {
                elements[i] = draw(type);
            }
            return {};
        },
        [&]() -> Result<> { return unsupportedType(out.dtype()); });
}

/// Fraction bits of the dtype: a number with more bits could be rounded up to 1.
template <class T>
constexpr int fractionBits() {
    return std::is_same_v<T, double>           ? 53
           : std::is_same_v<T, core::Half>     ? 11
           : std::is_same_v<T, core::BFloat16> ? 8
                                               : 24;
}

Result<> expectFloating(const Tensor& out) {
    return core::isFloating(out.dtype()) ? Result<>{} : Result<>(unsupportedType(out.dtype()));
}

Result<> randOut(KernelContext& context, IntList size, Tensor& out) {
    ET_TRY(expectFloating(out));
    return drawAll(
        size,
        [&]<class T>(std::type_identity<T>) {
            constexpr int bits = fractionBits<T>();
            return core::convertTo<T>(
                std::ldexp(static_cast<double>(context.random()() >> (64 - bits)), -bits));
        },
        out);
}

Result<> randLikeOut(KernelContext& context, const Tensor& self, MemoryFormat, Tensor& out) {
    return randOut(context, self.sizes(), out);
}

Result<> randnOut(KernelContext& context, IntList size, Tensor& out) {
    ET_TRY(expectFloating(out));
    std::normal_distribution<double> normal;
    return drawAll(
        size, [&]<class T>(std::type_identity<T>) { return core::convertTo<T>(normal(context.random())); },
        out);
}

Result<> randnLikeOut(KernelContext& context, const Tensor& self, MemoryFormat, Tensor& out) {
    return randnOut(context, self.sizes(), out);
}

Result<> randintLowOut(KernelContext& context, std::int64_t low, std::int64_t high, IntList size,
                       Tensor& out) {
    if (low >= high) {
        return invalid(fmt::format("expected a non-empty range, got {} to {}", low, high));
    }
    std::uniform_int_distribution<std::int64_t> numbers(low, high - 1);
    return drawAll(
        size, [&]<class T>(std::type_identity<T>) { return core::convertTo<T>(numbers(context.random())); },
        out);
}

Result<> randintOut(KernelContext& context, std::int64_t high, IntList size, Tensor& out) {
    return randintLowOut(context, 0, high, size, out);
}

Result<> randintLikeOut(KernelContext& context, const Tensor& self, std::int64_t high, MemoryFormat,
                        Tensor& out) {
    return randintLowOut(context, 0, high, self.sizes(), out);
}

Result<> randintLikeLowOut(KernelContext& context, const Tensor& self, std::int64_t low, std::int64_t high,
                           MemoryFormat, Tensor& out) {
    return randintLowOut(context, low, high, self.sizes(), out);
}

constexpr KernelEntry randomEntries[] = {
    {"aten::rand.out", box<&randOut>},
    {"aten::rand_like.out", box<&randLikeOut>},
    {"aten::randn.out", box<&randnOut>},
    {"aten::randn_like.out", box<&randnLikeOut>},
    {"aten::randint.out", box<&randintOut>},
    {"aten::randint.low_out", box<&randintLowOut>},
    {"aten::randint_like.out", box<&randintLikeOut>},
    {"aten::randint_like.low_dtype_out", box<&randintLikeLowOut>},
};

}  // namespace

std::span<const KernelEntry> randomKernels() {
    return randomEntries;
}

}  // namespace et::kernels
