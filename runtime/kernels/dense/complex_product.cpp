#include "runtime/kernels/dense/complex_product.h"

#include <array>
#include <complex>

namespace et::kernels::dense {
namespace {

using Total = std::complex<double>;

/// Strides of a batch of matrices, in elements; the batch stride is 0 for a single matrix.
struct Steps {
    std::int64_t batch;
    std::int64_t row;
    std::int64_t column;
};

Steps stepsOf(const Tensor& tensor) {
    const std::size_t last = tensor.dim() - 1;
    return {.batch = tensor.dim() > 2 ? tensor.stride(0) : 0,
            .row = tensor.stride(last - 1),
            .column = tensor.stride(last)};
}

template <class T>
void multiplyAs(KernelContext& context, const MatrixOperation& operation, Tensor& out) {
    const Steps left = stepsOf(operation.left);
    Steps right = stepsOf(operation.right);
    if (operation.rightIsTransposed) {
        std::swap(right.row, right.column);
    }
    const Steps to = stepsOf(out);
    const T* const lefts = operation.left.data<T>();
    const T* const rights = operation.right.data<T>();
    T* const results = out.mutableData<T>();
    const auto rows = static_cast<std::size_t>(operation.batch * operation.rows);
    context.threads().parallelFor(rows, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::int64_t batch = static_cast<std::int64_t>(i) / operation.rows;
            const std::int64_t row = static_cast<std::int64_t>(i) % operation.rows;
            for (std::int64_t column = 0; column < operation.columns; ++column) {
                const T* a = lefts + batch * left.batch + row * left.row;
                const T* b = rights + batch * right.batch + column * right.column;
                Total total;
                for (std::int64_t k = 0; k < operation.depth; ++k) {
                    total += Total(a[k * left.column]) * Total(b[k * right.row]);
                }
                results[batch * to.batch + row * to.row + column * to.column] = T(total);
            }
        }
    });
}

}  // namespace

core::Result<> multiplyComplex(KernelContext& context, const MatrixOperation& operation, Tensor& out) {
    if (operation.addend != nullptr || operation.left.dim() < 2 || out.dim() < 2) {
        return unsupportedType(out.dtype());
    }
    return core::ElementTypes<std::complex<float>, std::complex<double>>::visit(
        out.dtype(),
        [&]<class T>(std::type_identity<T>) -> core::Result<> {
            multiplyAs<T>(context, operation, out);
            return {};
        },
        [&] -> core::Result<> { return unsupportedType(out.dtype()); });
}

}  // namespace et::kernels::dense
