#include "runtime/kernels/dense/matrix_operators.h"

#include "runtime/kernels/dense/elements.h"
#include "runtime/kernels/dense/matrix_product.h"
#include "runtime/kernels/dense/xnn_linear.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <complex>
#include <type_traits>

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

/// Product of complex matrices by definition, summed in double, without an addend. Errors: Unsupported (a
/// dtype other than complex64 and complex128, an addend).
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

bool isOne(const Scalar& number) {
    return number.to<double>() == 1;
}
bool isZero(const Scalar& number) {
    return number.to<double>() == 0;
}

/// True if the right matrix can be kept packed.
bool isPackable(const MatrixOperation& operation) {
    const Tensor& right = operation.right;
    return right.dtype() == core::ScalarType::Float && right.isConstant() && right.isContiguous() &&
           right.numel() > 0 && operation.batch == 1;
}

/// True if the addend is constant, has one element per column, and is added unscaled: a bias.
bool isPackableBias(const MatrixOperation& operation) {
    const Tensor* addend = operation.addend;
    return addend != nullptr && addend->isConstant() && addend->dtype() == core::ScalarType::Float &&
           addend->isContiguous() && addend->numel() == operation.columns && addend->dim() > 0 &&
           addend->size(addend->dim() - 1) == operation.columns && isOne(operation.beta) &&
           isOne(operation.alpha);
}

XnnLinear::Weight weightOf(const MatrixOperation& operation) {
    return {.elements = operation.right.data<float>(),
            .inputs = toSize(operation.depth),
            .outputs = toSize(operation.columns),
            .isTransposed = operation.rightIsTransposed,
            .bias = isPackableBias(operation) ? operation.addend->data<float>() : nullptr};
}

core::Result<XnnLinear*> cachedLinear(KernelContext& context, const MatrixOperation& operation) {
    // Only this kernel sets the state of these instructions.
    auto* cached = static_cast<XnnLinear*>(context.state().get());
    const XnnLinear::Weight weight = weightOf(operation);
    if (cached == nullptr || !cached->isMadeOf(weight)) {
        ET_ASSIGN(auto made, XnnLinear::make(context, weight));
        cached = made.get();
        context.state() = std::move(made);
    }
    return cached;
}

/// Elements and strides of the right matrix. Micro-kernels also accept a transposed one for a single sample:
/// its columns are contiguous.
template <class T>
struct RightMatrix {
    const T* elements;
    std::size_t rowStride;
    std::size_t columnStride = 1;
};

/// There is no micro-kernel for integers.
core::Result<> multiplyRowMajor(KernelContext& context, const MatrixOperation& operation,
                                const std::int64_t* left, const RightMatrix<std::int64_t>& rightMatrix,
                                std::int64_t* result) {
    const std::int64_t* right = rightMatrix.elements;
    const std::int64_t depth = operation.depth;
    const std::int64_t columns = operation.columns;
    const auto rows = toSize(operation.batch * operation.rows);
    constexpr std::int64_t grainWork = 1 << 16;
    const auto grain = toSize(std::max<std::int64_t>(1, grainWork / std::max<std::int64_t>(1, columns)));
    context.threads().parallelFor(rows, grain, [&](std::size_t begin, std::size_t end) {
        for (auto row = static_cast<std::int64_t>(begin); row < static_cast<std::int64_t>(end); ++row) {
            const std::int64_t* matrix = right + row / operation.rows * depth * columns;
            std::int64_t* target = result + row * columns;
            std::fill_n(target, columns, 0);
            for (std::int64_t k = 0; k < depth; ++k) {
                const std::int64_t factor = left[row * depth + k];
                for (std::int64_t j = 0; j < columns; ++j) {
                    target[j] = multiplyAdd(target[j], factor, matrix[k * columns + j]);
                }
            }
        }
    });
    return {};
}

template <class T>
    requires std::is_floating_point_v<T>
core::Result<> multiplyRowMajor(KernelContext& context, const MatrixOperation& operation, const T* left,
                                const RightMatrix<T>& right, T* result) {
    const std::size_t rows = toSize(operation.rows);
    const std::size_t depth = toSize(operation.depth);
    const std::size_t columns = toSize(operation.columns);
    const std::size_t step = packedElements(rows, depth);
    ET_ASSIGN(const auto packed, context.scratch<T>(toSize(operation.batch) * step));
    for (std::size_t sample = 0; sample < toSize(operation.batch); ++sample) {
        packLeft(left + sample * rows * depth, rows, depth, depth, 1, packed.data() + sample * step);
    }
    return multiply(context, MatrixProduct<T>{.batch = toSize(operation.batch),
                                              .rows = rows,
                                              .depth = depth,
                                              .columns = columns,
                                              .left = packed.data(),
                                              .leftStep = step,
                                              .right = right.elements,
                                              .rightStride = right.rowStride,
                                              .rightColumnStride = right.columnStride,
                                              .rightStep = depth * columns,
                                              .result = result,
                                              .resultStride = columns,
                                              .resultStep = rows * columns});
}

/// True if the columns of the right matrix are contiguous in memory, ready for a micro-kernel.
template <class T>
bool liesTransposed(const MatrixOperation& operation) {
    const Tensor& right = operation.right;
    if (!std::is_floating_point_v<T> || right.dtype() != core::scalarTypeOf<T> || right.dim() != 2 ||
        operation.batch != 1) {
        return false;
    }
    const std::size_t depthDim = operation.rightIsTransposed ? 1 : 0;
    return right.stride(depthDim) == 1 && right.stride(1 - depthDim) == operation.depth;
}

template <class T>
core::Result<RightMatrix<T>> rightMatrix(KernelContext& context, const MatrixOperation& operation) {
    if (liesTransposed<T>(operation)) {
        return RightMatrix<T>{
            .elements = operation.right.data<T>(), .rowStride = 1, .columnStride = toSize(operation.depth)};
    }
    const std::size_t columns = toSize(operation.columns);
    if (!operation.rightIsTransposed) {
        ET_ASSIGN(const T* elements, rowMajor<T>(context, operation.right));
        return RightMatrix<T>{.elements = elements, .rowStride = columns};
    }
    ET_ASSIGN(const auto copy, context.scratch<T>(toSize(operation.right.numel())));
    ReadView view = viewOf(operation.right);
    view.swap(0, 1);
    ET_TRY(gather(context, view, copy.data()));
    return RightMatrix<T>{.elements = copy.data(), .rowStride = columns};
}

/// result = beta * addend + alpha * result; a beta of 0 ignores the addend. As in PyTorch, factors are
/// truncated for integers.
template <class T>
core::Result<> addScaled(KernelContext& context, const MatrixOperation& operation, T* result) {
    const T beta = operation.beta.to<T>();
    const T alpha = operation.alpha.to<T>();
    const std::array<std::int64_t, 2> sizes{operation.rows, operation.columns};
    const Tensor* addend = isZero(operation.beta) ? nullptr : operation.addend;
    const T* elements = nullptr;
    Strides steps{0, 0};
    if (addend != nullptr) {
        ET_ASSIGN(elements, rowMajor<T>(context, *addend));
        steps = broadcastStrides(addend->sizes(), rowMajorStrides(addend->sizes()), sizes);
    } else if (isOne(operation.alpha)) {
        return {};
    }
    constexpr std::int64_t grainWork = 1 << 15;
    const auto grain = toSize(grainWork / operation.columns + 1);
    context.threads().parallelFor(toSize(operation.rows), grain, [&](std::size_t begin, std::size_t end) {
        for (auto row = static_cast<std::int64_t>(begin); row < static_cast<std::int64_t>(end); ++row) {
            T* target = result + row * operation.columns;
            const T* source = elements == nullptr ? nullptr : elements + row * steps[0];
            for (std::int64_t j = 0; j < operation.columns; ++j) {
                const T scaled = multiplyAdd(T{}, alpha, target[j]);
                target[j] = source == nullptr ? scaled : multiplyAdd(scaled, beta, source[j * steps[1]]);
            }
        }
    });
    return {};
}

/// result = left x right, plus the addend if it is packed with the right matrix. Returns whether it was.
template <class T>
core::Result<bool> multiplyMatrices(KernelContext& context, const MatrixOperation& operation, T* result) {
    if (operation.depth == 0) {
        std::fill_n(result, operation.batch * operation.rows * operation.columns, T{});
        return false;
    }
    ET_ASSIGN(const T* left, rowMajor<T>(context, operation.left));
    if constexpr (std::is_same_v<T, float>) {
        if (isPackable(operation)) {
            ET_ASSIGN(XnnLinear * linear, cachedLinear(context, operation));
            ET_TRY(linear->run(context, toSize(operation.rows), left, result));
            return isPackableBias(operation);
        }
    }
    ET_ASSIGN(const RightMatrix<T> right, rightMatrix<T>(context, operation));
    ET_TRY(multiplyRowMajor(context, operation, left, right, result));
    return false;
}

template <class T>
core::Result<> computeAs(KernelContext& context, const MatrixOperation& operation, Tensor& out) {
    ET_ASSIGN(T * result, rowMajorResult<T>(context, out));
    ET_ASSIGN(const bool hasAddend, multiplyMatrices(context, operation, result));
    if (!hasAddend) {
        ET_TRY(addScaled(context, operation, result));
    }
    return finishRowMajor(context, result, out);
}

}  // namespace

core::Result<> compute(KernelContext& context, const MatrixOperation& operation, Tensor& out) {
    const core::ScalarType type = out.dtype();
    for (const Tensor* tensor : {&operation.left, &operation.right, operation.addend}) {
        if (tensor != nullptr && tensor->dtype() != type) {
            return invalid(fmt::format("expected tensors of one dtype, got {} and {}",
                                       core::scalarTypeName(type), core::scalarTypeName(tensor->dtype())));
        }
    }
    if (core::isComplex(type)) {
        return multiplyComplex(context, operation, out);
    }
    return visitDenseType(type, [&]<class T>(std::type_identity<T>) -> core::Result<> {
        return out.numel() == 0 ? core::Result<>() : computeAs<T>(context, operation, out);
    });
}

core::Result<> prepare(KernelContext& context, const MatrixOperation& operation) {
    if (isPackable(operation)) {
        ET_ASSIGN(const auto* cached, cachedLinear(context, operation));
        static_cast<void>(cached);
    }
    return {};
}

}  // namespace et::kernels::dense
