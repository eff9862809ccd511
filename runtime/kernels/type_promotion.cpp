#include "runtime/kernels/type_promotion.h"

#include "runtime/core/element_types.h"

#include <cstdint>
#include <optional>

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
    return ScalarType::Float;  // half with bfloat16
}

ScalarType promoteComplex(ScalarType left, ScalarType right) {
    const ScalarType a = core::isComplex(left) ? left : complexOf(left);
    const ScalarType b = core::isComplex(right) ? right : complexOf(right);
    return core::elementBytes(a) >= core::elementBytes(b) ? a : b;
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
    // Bool is the only kind that not even integers may be written to.
    return source <= target;
}

}  // namespace et::kernels
