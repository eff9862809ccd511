#include "runtime/kernels/prim/number_rules.h"

#include "runtime/kernels/kernel_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

namespace et::kernels::prim {
namespace {

bool isFloat(Scalar number) {
    return number.isDouble();
}

/// Two's complement without undefined overflow.
template <class Operation>
std::int64_t wrapping(std::int64_t left, std::int64_t right, Operation operation) {
    return static_cast<std::int64_t>(
        operation(static_cast<std::uint64_t>(left), static_cast<std::uint64_t>(right)));
}

template <class Operation>
Scalar compute(Scalar left, Scalar right, Operation operation) {
    if (isFloat(left) || isFloat(right)) {
        return operation(left.to<double>(), right.to<double>());
    }
    return wrapping(left.to<std::int64_t>(), right.to<std::int64_t>(), operation);
}

/// Applies `operation` to two floats if either operand is one, else to two integers.
template <class Operation>
Scalar apply(Scalar left, Scalar right, Operation operation) {
    if (isFloat(left) || isFloat(right)) {
        return Scalar(operation(left.to<double>(), right.to<double>()));
    }
    return Scalar(operation(left.to<std::int64_t>(), right.to<std::int64_t>()));
}

std::unexpected<core::Error> divisionByZero() {
    return invalid("division by zero");
}

/// Remainder with the sign of `right`, which must not be 0.
std::int64_t floorModulo(std::int64_t left, std::int64_t right) {
    if (right == -1) {
        return 0;  // INT64_MIN % -1 overflows
    }
    const std::int64_t rest = left % right;
    return rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest;
}

double floorModulo(double left, double right) {
    const double rest = std::fmod(left, right);
    if (rest == 0) {
        return std::copysign(0.0, right);
    }
    return (rest < 0) != (right < 0) ? rest + right : rest;
}

std::int64_t floorQuotient(std::int64_t left, std::int64_t right) {
    if (right == -1) {
        return wrapping(0, left, std::minus{});
    }
    return left / right - (left % right != 0 && (left < 0) != (right < 0) ? 1 : 0);
}

double floorQuotient(double left, double right) {
    const double rest = floorModulo(left, right);
    const double quotient = (left - rest) / right;  // an integer except for rounding
    const double whole = std::floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : whole;
}

core::Result<Scalar> whole(Scalar number, double (*rounded)(double)) {
    if (!isFloat(number)) {
        return Scalar(number.to<std::int64_t>());
    }
    const double value = rounded(number.to<double>());
    constexpr double limit = 9223372036854775808.0;
    if (!(value >= -limit && value < limit)) {
        return invalid(fmt::format("expected a number in the range of int64, got {}", value));
    }
    return Scalar(static_cast<std::int64_t>(value));
}

}  // namespace

core::Result<Scalar> add(Scalar left, Scalar right) {
    return compute(left, right, std::plus{});
}
core::Result<Scalar> subtract(Scalar left, Scalar right) {
    return compute(left, right, std::minus{});
}
core::Result<Scalar> multiply(Scalar left, Scalar right) {
    return compute(left, right, std::multiplies{});
}

core::Result<Scalar> floorDivide(Scalar left, Scalar right) {
    if (right.to<double>() == 0) {
        return divisionByZero();
    }
    return apply(left, right, [](auto a, auto b) { return floorQuotient(a, b); });
}

core::Result<Scalar> trueDivide(Scalar left, Scalar right) {
    if (right.to<double>() == 0) {
        return divisionByZero();
    }
    return Scalar(left.to<double>() / right.to<double>());
}

core::Result<Scalar> modulo(Scalar left, Scalar right) {
    if (right.to<double>() == 0) {
        return divisionByZero();
    }
    return apply(left, right, [](auto a, auto b) { return floorModulo(a, b); });
}

core::Result<Scalar> maximum(Scalar left, Scalar right) {
    return apply(left, right, [](auto a, auto b) { return std::max(a, b); });
}
core::Result<Scalar> minimum(Scalar left, Scalar right) {
    return apply(left, right, [](auto a, auto b) { return std::min(a, b); });
}

core::Result<Scalar> equal(Scalar left, Scalar right) {
    return apply(left, right, std::equal_to{});
}
core::Result<Scalar> notEqual(Scalar left, Scalar right) {
    return apply(left, right, std::not_equal_to{});
}
core::Result<Scalar> less(Scalar left, Scalar right) {
    return apply(left, right, std::less{});
}
core::Result<Scalar> lessOrEqual(Scalar left, Scalar right) {
    return apply(left, right, std::less_equal{});
}
core::Result<Scalar> greater(Scalar left, Scalar right) {
    return apply(left, right, std::greater{});
}
core::Result<Scalar> greaterOrEqual(Scalar left, Scalar right) {
    return apply(left, right, std::greater_equal{});
}

core::Result<Scalar> negate(Scalar number) {
    if (isFloat(number)) {
        return Scalar(-number.to<double>());
    }
    return Scalar(wrapping(0, number.to<std::int64_t>(), std::minus{}));
}
core::Result<Scalar> toFloat(Scalar number) {
    return Scalar(number.to<double>());
}
core::Result<Scalar> logicalNot(Scalar number) {
    return Scalar(!number.to<bool>());
}
core::Result<Scalar> ceil(Scalar number) {
    return whole(number, [](double value) { return std::ceil(value); });
}
core::Result<Scalar> floor(Scalar number) {
    return whole(number, [](double value) { return std::floor(value); });
}
core::Result<Scalar> round(Scalar number) {
    return whole(number, [](double value) { return std::nearbyint(value); });
}
core::Result<Scalar> trunc(Scalar number) {
    return whole(number, [](double value) { return std::trunc(value); });
}

}  // namespace et::kernels::prim
