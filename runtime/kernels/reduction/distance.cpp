#include "runtime/kernels/reduction/element_access.h"
#include "runtime/kernels/reduction/operators.h"
#include "runtime/kernels/reduction/reduction_walk.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace et::kernels::reduction {
namespace {

/// Returns the p-norm of a - b over `count` elements. p = 0 counts the elements that differ.
template <class T>
T distance(const T* a, const T* b, std::size_t count, double p) {
    double sum = 0;
    const auto add = [&](auto term) {
        for (std::size_t i = 0; i < count; ++i) {
            sum += term(static_cast<double>(std::abs(a[i] - b[i])));
        }
        return sum;
    };
    if (p == 0) {
        return static_cast<T>(add([](double d) { return d != 0 ? 1.0 : 0.0; }));
    }
    if (p == 1) {
        return static_cast<T>(add([](double d) { return d; }));
    }
    if (p == 2) {
        return static_cast<T>(std::sqrt(add([](double d) { return d * d; })));
    }
    if (std::isinf(p)) {
        double largest = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto d = static_cast<double>(std::abs(a[i] - b[i]));
            largest = d > largest || std::isnan(d) ? d : largest;
        }
        return static_cast<T>(largest);
    }
    return static_cast<T>(std::pow(add([p](double d) { return std::pow(d, p); }), 1 / p));
}

Result<> requireNorm(double p) {
    return p >= 0 ? Result<>() : invalid(fmt::format("expected p of at least 0, got {}", p));
}

/// Returns the tensor's elements in row-major order.
template <class T>
Result<std::span<const T>> rowMajorElements(KernelContext& context, const Tensor& tensor) {
    const auto count = static_cast<std::size_t>(tensor.numel());
    if (tensor.isContiguous() && tensor.dtype() == core::scalarTypeOf<T>) {
        return std::span<const T>(tensor.data<T>(), count);
    }
    ET_ASSIGN(const std::span<T> copy, context.scratch<T>(count));
    Tensor rowMajor = Tensor::over(copy.data(), std::span(tensor.sizes()));
    ET_TRY(copyElements(context.threads(), viewOf(tensor), viewOf(rowMajor)));
    return std::span<const T>(copy);
}

/// Returns the batch strides of a tensor that broadcasts to the batch dimensions of the result.
Strides batchStrides(const Tensor& tensor, std::span<const std::int64_t> batch) {
    const std::size_t rank = tensor.dim() - 2;
    const Strides strides = rowMajorStrides(tensor.sizes());
    return broadcastStrides(std::span(tensor.sizes().data(), rank), std::span(strides.data(), rank), batch);
}

template <class T>
Result<> cdist(KernelContext& context, const Tensor& x1, const Tensor& x2, double p, Tensor& out) {
    ET_ASSIGN(const std::span<const T> a, rowMajorElements<T>(context, x1));
    ET_ASSIGN(const std::span<const T> b, rowMajorElements<T>(context, x2));
    ET_ASSIGN(const auto writer, ElementWriter<T>::make(out));
    const std::size_t rank = out.dim() - 2;
    const auto width = x1.size(x1.dim() - 1);
    const std::span<const std::int64_t> batch(out.sizes().data(), rank);
    const Strides outBatch{std::span(out.strides().data(), rank)};
    const StridedWalk<3> walk(batch, {outBatch, batchStrides(x1, batch), batchStrides(x2, batch)});
    const auto& steps = walk.rowStrides();
    const std::int64_t rows = out.size(rank);
    const auto cost = static_cast<std::size_t>(std::max<std::int64_t>(out.size(rank + 1) * width, 1));
    const auto matrix = [&](std::int64_t to, const T* left, const T* right) {
        context.threads().parallelFor(
            static_cast<std::size_t>(rows), cheapElements / std::min(cost, cheapElements),
            [&](std::size_t begin, std::size_t end) {
                for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
                    for (std::int64_t j = 0; j < out.size(rank + 1); ++j) {
                        const T d =
                            distance(left + i * width, right + j * width, static_cast<std::size_t>(width), p);
                        writer.commit(&d, to + i * out.stride(rank) + j * out.stride(rank + 1), 1, 1);
                    }
                }
            });
    };
    walk.forRows(0, walk.rows(), [&](const auto& row) {
        for (std::int64_t i = 0; i < walk.rowLength(); ++i) {
            matrix(row[0] + i * steps[0], a.data() + row[1] + i * steps[1], b.data() + row[2] + i * steps[2]);
        }
    });
    return {};
}

template <class T>
Result<> pdist(KernelContext& context, const Tensor& self, double p, Tensor& out) {
    ET_ASSIGN(const std::span<const T> x, rowMajorElements<T>(context, self));
    ET_ASSIGN(const auto writer, ElementWriter<T>::make(out));
    const std::int64_t width = self.size(1);
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < self.size(0); ++i) {
        for (std::int64_t j = i + 1; j < self.size(0); ++j) {
            const T d =
                distance(x.data() + i * width, x.data() + j * width, static_cast<std::size_t>(width), p);
            writer.commit(&d, at++, 1, 1);
        }
    }
    return {};
}

}  // namespace

Result<> cdistForwardOut(KernelContext& context, const Tensor& x1, const Tensor& x2, double p,
                         std::optional<std::int64_t> /*computeMode: how to be fast*/, Tensor& out) {
    ET_TRY(requireNorm(p));
    const std::size_t r1 = x1.dim();
    const std::size_t r2 = x2.dim();
    if (r1 < 2 || r2 < 2 || x1.size(r1 - 1) != x2.size(r2 - 1) || x1.dtype() != x2.dtype()) {
        return invalid(fmt::format("expected two tensors with equal row lengths, got {} and {}",
                                   core::describe(x1), core::describe(x2)));
    }
    ET_ASSIGN(Sizes sizes,
              broadcastSizes(std::span(x1.sizes().data(), r1 - 2), std::span(x2.sizes().data(), r2 - 2)));
    sizes.push_back(x1.size(r1 - 2));
    sizes.push_back(x2.size(r2 - 2));
    ET_TRY(out.resize(sizes));
    ET_TRY(expectType(out, x1.dtype()));
    if (out.numel() == 0) {
        return {};
    }
    return visitFloatingType(out.dtype(), [&](auto compute) {
        return cdist<typename decltype(compute)::type>(context, x1, x2, p, out);
    });
}

Result<> pdistForwardOut(KernelContext& context, const Tensor& self, double p, Tensor& out) {
    ET_TRY(requireNorm(p));
    if (self.dim() != 2) {
        return invalid(fmt::format("expected 2 dimensions, got {}", core::sizesText(self.sizes())));
    }
    const std::int64_t rows = self.size(0);
    constexpr std::int64_t maxRows = std::int64_t{1} << 31;
    if (rows > maxRows) {
        return core::fail(core::ErrorCode::Limit, fmt::format("{} rows", rows));
    }
    ET_TRY(out.resize(Sizes{rows == 0 ? 0 : rows * (rows - 1) / 2}));
    ET_TRY(expectType(out, self.dtype()));
    return visitFloatingType(out.dtype(), [&](auto compute) {
        return pdist<typename decltype(compute)::type>(context, self, p, out);
    });
}

}  // namespace et::kernels::reduction
