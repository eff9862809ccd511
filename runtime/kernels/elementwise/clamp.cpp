#include "runtime/core/element_types.h"
#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/elementwise/float_loops.h"
#include "runtime/kernels/elementwise/kernels.h"
#include "runtime/kernels/elementwise/parts.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace et::kernels {
namespace {

constexpr auto maximum = [](auto a, auto b) { return maximumOf(a, b); };
constexpr auto minimum = [](auto a, auto b) { return minimumOf(a, b); };

constexpr Loops maximumLoops = orderedLoops<maximum, 2, fast::maximum>();
constexpr Loops minimumLoops = orderedLoops<minimum, 2, fast::minimum>();

/// If the bounds cross, the upper one wins; NaN propagates.
constexpr Loops boundsLoops = withoutBool(
    orderedLoops<[](auto x, auto low, auto high) { return minimumOf(maximumOf(x, low), high); }, 3>());

/// Numbers: lower and upper bound.
constexpr Loops clampLoops = withoutBool(
    orderedLoops<[](auto x, const auto& numbers) { return minimumOf(maximumOf(x, numbers[0]), numbers[1]); },
                 1, fast::clamp>());

core::Result<Operation> clampOperation(const std::optional<Scalar>& low, const std::optional<Scalar>& high,
                                       ScalarType type) {
    ET_TRY(expectFits(type, low.value_or(Scalar()), "min"));
    ET_TRY(expectFits(type, high.value_or(Scalar()), "max"));
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const bool whole = core::isIntegral(type);
    const bool isUnsigned = type == ScalarType::UInt64;  // stored as int64 bits
    using Whole = std::numeric_limits<std::int64_t>;
    const Scalar lowest = whole ? Scalar(isUnsigned ? std::int64_t{0} : Whole::min()) : Scalar(-infinity);
    const Scalar highest = whole ? Scalar(isUnsigned ? std::int64_t{-1} : Whole::max()) : Scalar(infinity);
    return Operation{.loops = clampLoops,
                     .common = type,
                     .result = type,
                     .numbers = {low ? heldBy(type, *low) : lowest, high ? heldBy(type, *high) : highest}};
}

core::Result<> clampTo(KernelContext& context, const Tensor& self, const std::optional<Scalar>& low,
                       const std::optional<Scalar>& high, ScalarType type, Tensor& out) {
    ET_ASSIGN(const Operation operation, clampOperation(low, high, type));
    return compute(context, operation, std::array{Input(self)}, out);
}

core::Result<> addBounds(KernelContext& context, float low, float high, const Tensor& self, Tensor& out) {
    if (std::isnan(low) || std::isnan(high)) {
        return invalid("bounds must not be NaN");
    }
    ET_TRY(out.resize(self.sizes()));
    FusedContext::fusedTailOf(context).add({.kind = ResultStep::Kind::Bounds, .numbers = {low, high}}, out);
    return {};
}

core::Result<> clampPartsTo(KernelContext& context, const Tensor& self, const std::optional<Scalar>& low,
                            const std::optional<Scalar>& high, ScalarType type, Tensor& out) {
    ET_ASSIGN(const Operation operation, clampOperation(low, high, type));
    if (type != ScalarType::Float || self.dtype() != type) {
        return unsupportedType(type);
    }
    return addBounds(context, operation.numbers[0].to<float>(), operation.numbers[1].to<float>(), self, out);
}

core::Result<ScalarType> clampType(const Tensor& self, const std::optional<Scalar>& low,
                                   const std::optional<Scalar>& high) {
    if (!low && !high) {
        return invalid("expected min or max, got neither");
    }
    ScalarType type = self.dtype();
    for (const auto& bound : {low, high}) {
        if (bound) {
            type = promoteTypes(type, resultType(self, *bound));
        }
    }
    return type;
}

/// (Tensor self, Scalar? min, Scalar? max, out)
core::Result<> clampOut(KernelContext& context, const Tensor& self, std::optional<Scalar> low,
                        std::optional<Scalar> high, Tensor& out) {
    ET_ASSIGN(const ScalarType type, clampType(self, low, high));
    return clampTo(context, self, low, high, type, out);
}

/// (Tensor self, Tensor? min, Tensor? max, out)
core::Result<> clampTensor(KernelContext& context, const Tensor& self, const Tensor* low, const Tensor* high,
                           Tensor& out) {
    if (low != nullptr && high != nullptr) {
        const ScalarType type = resultType({&self, low, high});
        return compute(context, {.loops = boundsLoops, .common = type, .result = type},
                       std::array{Input(self), Input(*low), Input(*high)}, out);
    }
    const Tensor* bound = low != nullptr ? low : high;
    if (bound == nullptr) {
        return invalid("expected min or max, got neither");
    }
    const ScalarType type = resultType(self, *bound);
    return compute(context,
                   {.loops = low != nullptr ? maximumLoops : minimumLoops, .common = type, .result = type},
                   std::array{Input(self), Input(*bound)}, out);
}

core::Result<> checkHardtanh(const Tensor& self, const Scalar& low, const Scalar& high) {
    if (self.dtype() == ScalarType::Byte && (low.to<double>() < 0 || high.to<double>() < 0)) {
        return invalid(fmt::format("expected bounds of at least 0 for uint8, got {} and {}", low.to<double>(),
                                   high.to<double>()));
    }
    return {};
}

/// (Tensor self, Scalar min_val, Scalar max_val, out): bounds are truncated for integers.
core::Result<> hardtanhOut(KernelContext& context, const Tensor& self, Scalar low, Scalar high, Tensor& out) {
    ET_TRY(checkHardtanh(self, low, high));
    return clampTo(context, self, low, high, self.dtype(), out);
}

constexpr KernelEntry clampEntries[] = {
    {"aten::clamp.out", box<&clampOut>},
    {"aten::clamp.Tensor_out", box<&clampTensor>},
    {"aten::hardtanh.out", box<&hardtanhOut>},
    {"aten::maximum.out", box<&binary<maximumLoops, sameType>>},
    {"aten::minimum.out", box<&binary<minimumLoops, sameType>>},
};

}  // namespace

core::Result<> hardtanhParts(KernelContext& context, const Tensor& self, Scalar low, Scalar high,
                             Tensor& out) {
    ET_TRY(checkHardtanh(self, low, high));
    return clampPartsTo(context, self, low, high, self.dtype(), out);
}

core::Result<> clampParts(KernelContext& context, const Tensor& self, std::optional<Scalar> low,
                          std::optional<Scalar> high, Tensor& out) {
    ET_ASSIGN(const ScalarType type, clampType(self, low, high));
    return clampPartsTo(context, self, low, high, type, out);
}

core::Result<> reluParts(KernelContext& context, const Tensor& self, Tensor& out) {
    if (self.dtype() != ScalarType::Float) {
        return unsupportedType(self.dtype());
    }
    // Infinity as upper bound has no effect.
    return addBounds(context, 0, std::numeric_limits<float>::infinity(), self, out);
}

std::span<const KernelEntry> clampKernels() {
    return clampEntries;
}

}  // namespace et::kernels
