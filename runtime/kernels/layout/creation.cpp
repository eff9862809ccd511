#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/layout/views.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

// Operators that create a tensor from nothing or from a number. Dtype and dim order are those of the result
// tensor.
namespace et::kernels {
namespace {

using core::Result;
using MemoryFormat = std::optional<std::int64_t>;
using DimOrderArgument = std::optional<IntList>;

Result<> fill(KernelContext& context, Scalar number, Tensor& out) {
    ET_TRY(expectFits(out.dtype(), number, "value"));
    return fillElements(context.threads(), number, viewOf(out));
}

Result<> fullOut(KernelContext& context, IntList size, Scalar number, Tensor& out) {
    ET_TRY(out.resize(size));
    return fill(context, number, out);
}

Result<> fullLikeOut(KernelContext& context, const Tensor& self, Scalar number, MemoryFormat, Tensor& out) {
    return fullOut(context, self.sizes(), number, out);
}

Result<> newFullOut(KernelContext& context, const Tensor&, IntList size, Scalar number, Tensor& out) {
    return fullOut(context, size, number, out);
}

template <std::int64_t number>
Result<> constantOut(KernelContext& context, IntList size, Tensor& out) {
    return fullOut(context, size, number, out);
}

template <std::int64_t number>
Result<> constantLikeOut(KernelContext& context, const Tensor& self, MemoryFormat, Tensor& out) {
    return fullOut(context, self.sizes(), number, out);
}

template <std::int64_t number>
Result<> newConstantOut(KernelContext& context, const Tensor&, IntList size, Tensor& out) {
    return fullOut(context, size, number, out);
}

Result<> scalarTensorOut(KernelContext& context, Scalar number, Tensor& out) {
    return fullOut(context, {}, number, out);
}

Result<> fillScalarOut(KernelContext& context, const Tensor& self, Scalar value, Tensor& out) {
    ET_TRY(expectType(out, self.dtype()));
    return fullOut(context, self.sizes(), value, out);
}

Result<> fillTensorOut(KernelContext& context, const Tensor& self, const Tensor& value, Tensor& out) {
    if (value.dim() != 0) {
        return invalid(
            fmt::format("expected a value without dimensions, got {}", core::sizesText(value.sizes())));
    }
    ET_TRY(expectType(out, self.dtype()));
    ET_ASSIGN(const ReadView everywhere, broadcastTo(viewOf(value), self.sizes()));
    return convertView(context, everywhere, out);
}

// Memory is left uninitialised.
Result<> emptyOut(KernelContext&, IntList size, MemoryFormat, Tensor& out) {
    return out.resize(size);
}

Result<> emptyDimOrderOut(KernelContext&, IntList size, DimOrderArgument, Tensor& out) {
    return out.resize(size);
}

Result<> emptyPermutedOut(KernelContext&, IntList size, IntList, Tensor& out) {
    return out.resize(size);
}

Result<> emptyLikeOut(KernelContext&, const Tensor& self, MemoryFormat, Tensor& out) {
    return out.resize(self.sizes());
}

Result<> newEmptyOut(KernelContext&, const Tensor&, IntList size, Tensor& out) {
    return out.resize(size);
}

/// Errors: InvalidArgument (zero step, end on the wrong side, not finite).
Result<> expectRange(double start, double end, double step) {
    if (!std::isfinite(start) || !std::isfinite(end) || !std::isfinite(step)) {
        return invalid(fmt::format("expected a finite range, got {} to {} in steps of {}", start, end, step));
    }
    if (step == 0 || (step > 0 ? end < start : end > start)) {
        return invalid(fmt::format("expected steps from {} towards {}, got steps of {}", start, end, step));
    }
    return {};
}

/// Returns the number of elements of a range, without overflow for any ends.
Result<std::int64_t> rangeLength(std::int64_t start, std::int64_t end, std::int64_t step) {
    const auto distance = step > 0 ? static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start)
                                   : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(end);
    const auto stride = step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
    if (stride == 0) {
        return invalid("expected a step of 1 or more, got a fraction");
    }
    const std::uint64_t length = distance / stride + (distance % stride != 0 ? 1 : 0);
    if (length > INT64_MAX) {
        return invalid(fmt::format("a range of {} elements is too large", length));
    }
    return static_cast<std::int64_t>(length);
}

Result<std::int64_t> rangeLength(double start, double end, double step) {
    const double length = std::ceil((end - start) / step);
    if (!(length < 9.2e18)) {
        return invalid(fmt::format("a range of {} elements is too large", length));
    }
    return static_cast<std::int64_t>(length);
}

/// start, start + step, …, computed in `Compute` as in PyTorch: in int64 for integers.
template <class Compute>
Result<> fillRange(KernelContext& context, Scalar start, Scalar step, Tensor& out) {
    return core::visitRealType(
        out.dtype(),
        [&]<class T>(std::type_identity<T>) -> Result<> {
            T* const elements = out.mutableData<T>();
            const auto first = start.to<Compute>();
            const auto stride = step.to<Compute>();
            context.threads().parallelFor(
                static_cast<std::size_t>(out.numel()), 32768, [&](std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                        if constexpr (std::is_integral_v<Compute>) {
                            const std::uint64_t offset = i * static_cast<std::uint64_t>(stride);
                            elements[i] = core::convertTo<T>(
                                static_cast<Compute>(static_cast<std::uint64_t>(first) + offset));
                        } else {
                            elements[i] = core::convertTo<T>(first + stride * static_cast<Compute>(i));
                        }
                    }
                });
            return {};
        },
        [&]() -> Result<> { return unsupportedType(out.dtype()); });
}

Result<> arangeStartOut(KernelContext& context, Scalar start, Scalar end, Scalar step, Tensor& out) {
    ET_TRY(expectRange(start.to<double>(), end.to<double>(), step.to<double>()));
    // Only an int64 result uses integer arithmetic; for other dtypes the length follows from the numbers as
    // given.
    const bool whole = out.dtype() == ScalarType::Long;
    ET_ASSIGN(const std::int64_t length,
              whole ? rangeLength(start.to<std::int64_t>(), end.to<std::int64_t>(), step.to<std::int64_t>())
                    : rangeLength(start.to<double>(), end.to<double>(), step.to<double>()));
    ET_TRY(out.resize(Sizes{length}));
    return core::isFloating(out.dtype()) ? fillRange<double>(context, start, step, out)
                                         : fillRange<std::int64_t>(context, start, step, out);
}

Result<> arangeOut(KernelContext& context, Scalar end, Tensor& out) {
    return arangeStartOut(context, std::int64_t{0}, end, std::int64_t{1}, out);
}

constexpr KernelEntry creationEntries[] = {
    {"aten::full.out", box<&fullOut>},
    {"aten::full_like.out", box<&fullLikeOut>},
    {"aten::new_full.out", box<&newFullOut>},
    {"aten::zeros.out", box<&constantOut<0>>},
    {"aten::zeros_like.out", box<&constantLikeOut<0>>},
    {"aten::new_zeros.out", box<&newConstantOut<0>>},
    {"aten::ones.out", box<&constantOut<1>>},
    {"aten::ones_like.out", box<&constantLikeOut<1>>},
    {"aten::new_ones.out", box<&newConstantOut<1>>},
    {"aten::scalar_tensor.out", box<&scalarTensorOut>},
    {"aten::fill.Scalar_out", box<&fillScalarOut>},
    {"aten::fill.Tensor_out", box<&fillTensorOut>},
    {"aten::empty.out", box<&emptyOut>},
    {"aten::empty_like.out", box<&emptyLikeOut>},
    {"aten::new_empty.out", box<&newEmptyOut>},
    {"aten::empty_permuted.out", box<&emptyPermutedOut>},
    {"dim_order_ops::_empty_dim_order.out", box<&emptyDimOrderOut>},
    {"aten::arange.out", box<&arangeOut>},
    {"aten::arange.start_out", box<&arangeStartOut>},
};

}  // namespace

std::span<const KernelEntry> creationKernels() {
    return creationEntries;
}

}  // namespace et::kernels
