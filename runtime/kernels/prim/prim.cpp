#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/prim/memory_views.h"
#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>

namespace et::kernels {
namespace prim {
namespace {

using core::Scalar;

// Python's arithmetic on the scalars of a program (https://docs.python.org/3/reference/expressions.html),
// except that integers have 64 bits and wrap. A bool is treated as 0 or 1.

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
core::Result<Scalar> compute(Scalar left, Scalar right) {
    if (isFloat(left) || isFloat(right)) {
        return Scalar(Operation()(left.to<double>(), right.to<double>()));
    }
    return Scalar(wrapping(left.to<std::int64_t>(), right.to<std::int64_t>(), Operation()));
}

/// Applies `operation` to two floats if either operand is one, else to two integers.
template <class Operation>
Scalar apply(Scalar left, Scalar right, Operation operation) {
    if (isFloat(left) || isFloat(right)) {
        return Scalar(operation(left.to<double>(), right.to<double>()));
    }
    return Scalar(operation(left.to<std::int64_t>(), right.to<std::int64_t>()));
}

template <class Comparison>
core::Result<Scalar> compare(Scalar left, Scalar right) {
    return apply(left, right, Comparison());
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

/// Errors: InvalidArgument (NaN, infinity, out of int64).
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

/// `left // right`, rounded towards minus infinity.
core::Result<Scalar> floorDivide(Scalar left, Scalar right) {
    if (right.to<double>() == 0) {
        return divisionByZero();
    }
    return apply(left, right, [](auto a, auto b) { return floorQuotient(a, b); });
}

/// `left / right`: always a float.
core::Result<Scalar> trueDivide(Scalar left, Scalar right) {
    if (right.to<double>() == 0) {
        return divisionByZero();
    }
    return Scalar(left.to<double>() / right.to<double>());
}

/// `left % right`: has the sign of `right`.
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

/// Rounds ties to even.
core::Result<Scalar> round(Scalar number) {
    return whole(number, [](double value) { return std::nearbyint(value); });
}

core::Result<Scalar> trunc(Scalar number) {
    return whole(number, [](double value) { return std::trunc(value); });
}

/// Stores a scalar in a value that holds a scalar or None. Other values may be referenced elsewhere.
core::Result<> store(Scalar number, core::Value& out) {
    if (!out.isNone() && !out.scalar()) {
        return invalid(fmt::format("expected an output number, got {}", out.kindName()));
    }
    if (number.isBool()) {
        out.set(number.to<bool>());
    } else if (number.isInt()) {
        out.set(number.to<std::int64_t>());
    } else {
        out.set(number.to<double>());
    }
    return {};
}

template <core::Result<Scalar> (*operation)(Scalar)>
core::Result<> unary(KernelContext&, Scalar number, core::Value& out) {
    ET_ASSIGN(const Scalar result, operation(number));
    return store(result, out);
}

template <core::Result<Scalar> (*operation)(Scalar, Scalar)>
core::Result<> binary(KernelContext&, Scalar left, Scalar right, core::Value& out) {
    ET_ASSIGN(const Scalar result, operation(left, right));
    return store(result, out);
}

core::Result<> choose(KernelContext&, Scalar condition, Scalar yes, Scalar no, core::Value& out) {
    return store(condition.to<bool>() ? yes : no, out);
}

core::Result<> symSize(KernelContext&, const Tensor& self, std::int64_t dim, core::Value& out) {
    ET_ASSIGN(const std::size_t axis, wrapDim(dim, self.dim()));
    return self.dim() == 0 ? invalid("a zero-dimensional tensor has no sizes") : store(self.size(axis), out);
}

core::Result<> symStride(KernelContext&, const Tensor& self, std::int64_t dim, core::Value& out) {
    ET_ASSIGN(const std::size_t axis, wrapDim(dim, self.dim()));
    return self.dim() == 0 ? invalid("a zero-dimensional tensor has no strides")
                           : store(self.stride(axis), out);
}

core::Result<> symNumel(KernelContext&, const Tensor& self, core::Value& out) {
    return store(self.numel(), out);
}

/// Always 0: tensors are dense and start at their memory.
core::Result<> symStorageOffset(KernelContext&, const Tensor&, core::Value& out) {
    return store(std::int64_t{0}, out);
}

/// aten::_local_scalar_dense: the element of a one-element tensor.
core::Result<> localScalar(KernelContext&, const Tensor& self, core::Value& out) {
    if (self.numel() != 1) {
        return invalid(
            fmt::format("expected a tensor with one element, got {}", core::sizesText(self.sizes())));
    }
    return core::visitRealType(
        self.dtype(),
        [&]<class T>(std::type_identity<T>) -> core::Result<> {
            const T number = *self.data<T>();
            if constexpr (std::is_same_v<T, bool>) {
                return store(number, out);
            } else if constexpr (std::is_integral_v<T>) {
                return store(static_cast<std::int64_t>(number), out);
            } else {
                return store(static_cast<double>(number), out);
            }
        },
        [&] -> core::Result<> { return unsupportedType(self.dtype()); });
}

constexpr std::array table{
    KernelEntry{"executorch_prim::add.Scalar", box<&binary<compute<std::plus<>>>>},
    KernelEntry{"executorch_prim::sub.Scalar", box<&binary<compute<std::minus<>>>>},
    KernelEntry{"executorch_prim::mul.Scalar", box<&binary<compute<std::multiplies<>>>>},
    KernelEntry{"executorch_prim::floordiv.Scalar", box<&binary<floorDivide>>},
    KernelEntry{"executorch_prim::floordiv.int", box<&binary<floorDivide>>},
    KernelEntry{"executorch_prim::truediv.Scalar", box<&binary<trueDivide>>},
    KernelEntry{"executorch_prim::mod.Scalar", box<&binary<modulo>>},
    KernelEntry{"executorch_prim::mod.int", box<&binary<modulo>>},
    KernelEntry{"executorch_prim::sym_max.Scalar", box<&binary<maximum>>},
    KernelEntry{"executorch_prim::sym_min.Scalar", box<&binary<minimum>>},
    KernelEntry{"executorch_prim::eq.Scalar", box<&binary<compare<std::equal_to<>>>>},
    KernelEntry{"executorch_prim::ne.Scalar", box<&binary<compare<std::not_equal_to<>>>>},
    KernelEntry{"executorch_prim::lt.Scalar", box<&binary<compare<std::less<>>>>},
    KernelEntry{"executorch_prim::le.Scalar", box<&binary<compare<std::less_equal<>>>>},
    KernelEntry{"executorch_prim::gt.Scalar", box<&binary<compare<std::greater<>>>>},
    KernelEntry{"executorch_prim::ge.Scalar", box<&binary<compare<std::greater_equal<>>>>},
    KernelEntry{"executorch_prim::neg.Scalar", box<&unary<negate>>},
    KernelEntry{"executorch_prim::ceil.Scalar", box<&unary<ceil>>},
    KernelEntry{"executorch_prim::floor.Scalar", box<&unary<floor>>},
    KernelEntry{"executorch_prim::round.Scalar", box<&unary<round>>},
    KernelEntry{"executorch_prim::trunc.Scalar", box<&unary<trunc>>},
    KernelEntry{"executorch_prim::sym_float.Scalar", box<&unary<toFloat>>},
    KernelEntry{"executorch_prim::sym_int.Scalar", box<&unary<trunc>>},
    KernelEntry{"executorch_prim::sym_not.Scalar", box<&unary<logicalNot>>},
    KernelEntry{"executorch_prim::sym_ite.Scalar", box<&choose>},
    KernelEntry{"executorch_prim::et_copy_index.tensor", box<&copyIndex>},
    KernelEntry{"executorch_prim::et_view.default", box<&view>},
    KernelEntry{"executorch_prim::et_select.default", box<&select>},
    KernelEntry{"aten::sym_size.int", box<&symSize>},
    KernelEntry{"aten::sym_stride.int", box<&symStride>},
    KernelEntry{"aten::sym_numel", box<&symNumel>},
    KernelEntry{"aten::sym_storage_offset", box<&symStorageOffset>},
    KernelEntry{"aten::_local_scalar_dense", box<&localScalar>},
};

}  // namespace
}  // namespace prim

std::span<const KernelEntry> primKernels() {
    return prim::table;
}

}  // namespace et::kernels
