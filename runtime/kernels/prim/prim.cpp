#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/prim/memory_views.h"
#include "runtime/kernels/prim/number_rules.h"
#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <array>

namespace et::kernels {
namespace prim {
namespace {

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
    KernelEntry{"executorch_prim::add.Scalar", box<&binary<add>>},
    KernelEntry{"executorch_prim::sub.Scalar", box<&binary<subtract>>},
    KernelEntry{"executorch_prim::mul.Scalar", box<&binary<multiply>>},
    KernelEntry{"executorch_prim::floordiv.Scalar", box<&binary<floorDivide>>},
    KernelEntry{"executorch_prim::floordiv.int", box<&binary<floorDivide>>},
    KernelEntry{"executorch_prim::truediv.Scalar", box<&binary<trueDivide>>},
    KernelEntry{"executorch_prim::mod.Scalar", box<&binary<modulo>>},
    KernelEntry{"executorch_prim::mod.int", box<&binary<modulo>>},
    KernelEntry{"executorch_prim::sym_max.Scalar", box<&binary<maximum>>},
    KernelEntry{"executorch_prim::sym_min.Scalar", box<&binary<minimum>>},
    KernelEntry{"executorch_prim::eq.Scalar", box<&binary<equal>>},
    KernelEntry{"executorch_prim::ne.Scalar", box<&binary<notEqual>>},
    KernelEntry{"executorch_prim::lt.Scalar", box<&binary<less>>},
    KernelEntry{"executorch_prim::le.Scalar", box<&binary<lessOrEqual>>},
    KernelEntry{"executorch_prim::gt.Scalar", box<&binary<greater>>},
    KernelEntry{"executorch_prim::ge.Scalar", box<&binary<greaterOrEqual>>},
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
