#include "runtime/kernels/type_promotion.h"

#include "runtime/core/element_types.h"
#include "runtime/kernels/kernel_context.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace et::kernels {
namespace {

using core::ScalarType;

enum class Kind : std::uint8_t { Bool, Integer, Float, Complex };

Kind kindOf(ScalarType type) {
    switch (core::scalarKind(type)) {
        case core::ScalarKind::Bool:
            return Kind::Bool;
        case core::ScalarKind::Float:
            return Kind::Float;
        case core::ScalarKind::Complex:
            return Kind::Complex;
        default:
            return Kind::Integer;
    }
}

bool isUnsigned(ScalarType type) {
    return core::scalarKind(type) == core::ScalarKind::Unsigned;
}

ScalarType complexOf(ScalarType real) {
    switch (real) {
        case ScalarType::Half:
            return ScalarType::ComplexHalf;
        case ScalarType::Double:
            return ScalarType::ComplexDouble;
        default:
            return ScalarType::ComplexFloat;
    }
}

ScalarType promoteIntegers(ScalarType left, ScalarType right) {
    const std::size_t leftBytes = core::elementBytes(left);
    const std::size_t rightBytes = core::elementBytes(right);
    if (isUnsigned(left) == isUnsigned(right)) {
        return leftBytes >= rightBytes ? left : right;
    }
    const std::size_t unsignedBytes = isUnsigned(left) ? leftBytes : rightBytes;
    const std::size_t signedBytes = isUnsigned(left) ? rightBytes : leftBytes;
    if (signedBytes > unsignedBytes) {
        return isUnsigned(left) ? right : left;
    }
    switch (unsignedBytes) {
        case 1:
            return ScalarType::Short;
        case 2:
            return ScalarType::Int;
        default:
            return ScalarType::Long;
    }
}

ScalarType promoteFloats(ScalarType left, ScalarType right) {
    if (core::elementBytes(left) != core::elementBytes(right)) {
        return core::elementBytes(left) > core::elementBytes(right) ? left : right;
    }
    return ScalarType::Float;  // half and bfloat16
}

ScalarType promoteComplex(ScalarType left, ScalarType right) {
    const ScalarType a = core::isComplex(left) ? left : complexOf(left);
    const ScalarType b = core::isComplex(right) ? right : complexOf(right);
    return core::elementBytes(a) >= core::elementBytes(b) ? a : b;
}

/// Returns the largest finite value of a float dtype.
template <class T>
constexpr double maxOf() {
    if constexpr (std::is_same_v<T, core::Half>) {
        return 65504;
    } else if constexpr (std::is_same_v<T, core::BFloat16>) {
        return 0x1.FEp127;
    } else {
        return std::numeric_limits<T>::max();
    }
}

template <class T>
bool fitsInteger(std::int64_t number) {
    if constexpr (!std::is_integral_v<T>) {
        return std::abs(static_cast<double>(number)) <= maxOf<T>();
    } else if constexpr (std::is_unsigned_v<T>) {
        const auto magnitude =
            number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
        return magnitude <= std::numeric_limits<T>::max();
    } else {
        return std::in_range<T>(number);
    }
}

template <class T>
bool fitsFloat(double number) {
    if constexpr (std::is_integral_v<T>) {
        // Both bounds are powers of two and therefore exact.
        const double low = static_cast<double>(std::numeric_limits<T>::min());
        const double high = std::ldexp(1.0, std::numeric_limits<T>::digits);
        return number >= low && number < high;
    } else {
        return !std::isfinite(number) || std::abs(number) <= maxOf<T>();
    }
}

ScalarType defaultOf(const core::Scalar& number) {
    if (number.isBool()) {
        return ScalarType::Bool;
    }
    return number.isInt() ? ScalarType::Long : ScalarType::Float;
}

}  // namespace

ScalarType promoteTypes(ScalarType left, ScalarType right) {
    if (left == right) {
        return left;
    }
    const Kind leftKind = kindOf(left);
    const Kind rightKind = kindOf(right);
    if (leftKind == Kind::Complex || rightKind == Kind::Complex) {
        return (leftKind <= Kind::Integer)    ? right
               : (rightKind <= Kind::Integer) ? left
                                              : promoteComplex(left, right);
    }
    if (leftKind != rightKind) {
        return leftKind > rightKind ? left : right;
    }
    return leftKind == Kind::Float ? promoteFloats(left, right) : promoteIntegers(left, right);
}

ScalarType resultType(std::initializer_list<const core::Tensor*> tensors) {
    std::optional<ScalarType> withDimensions;
    std::optional<ScalarType> withoutDimensions;
    for (const core::Tensor* tensor : tensors) {
        auto& type = tensor->dim() == 0 ? withoutDimensions : withDimensions;
        type = type ? promoteTypes(*type, tensor->dtype()) : tensor->dtype();
    }
    if (!withDimensions || !withoutDimensions) {
        return withDimensions ? *withDimensions : withoutDimensions.value_or(ScalarType::Float);
    }
    return kindOf(*withoutDimensions) > kindOf(*withDimensions)
               ? promoteTypes(*withDimensions, *withoutDimensions)
               : *withDimensions;
}

ScalarType resultType(const core::Tensor& left, const core::Tensor& right) {
    return resultType({&left, &right});
}

ScalarType resultType(const core::Tensor& tensor, const core::Scalar& number) {
    const ScalarType type = defaultOf(number);
    return kindOf(type) > kindOf(tensor.dtype()) ? type : tensor.dtype();
}

ScalarType floatingType(ScalarType type) {
    return core::isFloating(type) || core::isComplex(type) ? type : ScalarType::Float;
}

bool canCast(ScalarType from, ScalarType to) {
    const Kind source = kindOf(from);
    const Kind target = kindOf(to);
    // Bool is the only kind that cannot store even integers.
    return source <= target;
}

core::Result<> expectType(const core::Tensor& tensor, ScalarType type, std::string_view what) {
    if (tensor.dtype() != type) {
        return invalid(fmt::format("expected a {} of {}, got {}", what, core::scalarTypeName(type),
                                   core::scalarTypeName(tensor.dtype())));
    }
    return {};
}

bool fits(ScalarType type, const core::Scalar& number) {
    if (type == ScalarType::Bool || number.isBool()) {
        return true;
    }
    return core::visitRealType(
        type,
        [&]<class T>(std::type_identity<T>) {
            return number.isInt() ? fitsInteger<T>(number.to<std::int64_t>())
                                  : fitsFloat<T>(number.to<double>());
        },
        [] { return true; });
}

core::Result<> expectFits(ScalarType type, const core::Scalar& number, std::string_view name) {
    if (!fits(type, number)) {
        return invalid(number.isInt() ? fmt::format("{}: expected a number that {} can hold, got {}", name,
                                                    core::scalarTypeName(type), number.to<std::int64_t>())
                                      : fmt::format("{}: expected a number that {} can hold, got {}", name,
                                                    core::scalarTypeName(type), number.to<double>()));
    }
    return {};
}

}  // namespace et::kernels
