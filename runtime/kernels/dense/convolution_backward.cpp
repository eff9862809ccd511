#include "runtime/kernels/dense/convolution_backward.h"

#include "runtime/kernels/dense/convolution_direct.h"
#include "runtime/kernels/dense/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace et::kernels::dense {
namespace {

/// Requested gradients; null if not requested.
struct Gradients {
    Tensor* input = nullptr;
    Tensor* weight = nullptr;
    Tensor* bias = nullptr;
};

core::Result<Tensor*> result(Tensor* tensor, bool wanted, core::ScalarType type, const core::Sizes& sizes) {
    if (!wanted) {
        return nullptr;
    }
    if (tensor == nullptr) {
        return invalid("expected a tensor for each gradient requested by the mask, got None");
    }
    if (tensor->dtype() != type) {
        return invalid(fmt::format("expected gradients of {}, got {}", core::scalarTypeName(type),
                                   core::scalarTypeName(tensor->dtype())));
    }
    ET_TRY(tensor->resize(sizes));
    return tensor;
}

/// Runs `compute(elements)` and stores its result in `tensor`; zeros if the inputs are empty.
template <class T, class Compute>
core::Result<> fill(KernelContext& context, Tensor* tensor, bool isEmpty, Compute&& compute) {
    if (tensor == nullptr || tensor->numel() == 0) {
        return {};
    }
    ET_ASSIGN(T * elements, rowMajorResult<T>(context, *tensor));
    if (isEmpty) {
        std::fill_n(elements, tensor->numel(), T{});
    } else {
        compute(elements);
    }
    return finishRowMajor(context, elements, *tensor);
}

/// Sums each channel over batch and positions.
template <class T>
void biasGradient(const Convolution& shape, const T* outputGradient, T* gradient) {
    const std::int64_t channels = shape.filter.outputChannels;
    const std::int64_t plane = shape.outputPlane();
    for (std::int64_t channel = 0; channel < channels; ++channel) {
        T sum{};
        for (std::int64_t sample = 0; sample < shape.batch; ++sample) {
            const T* row = outputGradient + (sample * channels + channel) * plane;
            for (std::int64_t j = 0; j < plane; ++j) {
                sum = multiplyAdd(sum, row[j], T{1});
            }
        }
        gradient[channel] = sum;
    }
}

template <class T>
core::Result<> computeGradients(KernelContext& context, const Convolution& shape,
                                const Tensor& outputGradient, const Tensor& input, const Tensor& weight,
                                const Gradients& gradients) {
    const bool isEmpty = outputGradient.numel() == 0 || input.numel() == 0 || weight.numel() == 0;
    ET_ASSIGN(const T* errors, rowMajor<T>(context, outputGradient));
    ET_ASSIGN(const T* inputs, rowMajor<T>(context, input));
    ET_ASSIGN(const T* weights, rowMajor<T>(context, weight));
    TapRuns taps;
    if (!isEmpty) {
        ET_ASSIGN(taps, TapRuns::make(context, shape));
    }
    const ThreadPool& threads = context.threads();
    ET_TRY(fill<T>(context, gradients.input, isEmpty,
                   [&](T* gradient) { inputGradient(threads, shape, taps, errors, weights, gradient); }));
    ET_TRY(fill<T>(context, gradients.weight, isEmpty,
                   [&](T* gradient) { weightGradient(threads, shape, taps, errors, inputs, gradient); }));
    return fill<T>(context, gradients.bias, outputGradient.numel() == 0,
                   [&](T* gradient) { biasGradient(shape, errors, gradient); });
}

}  // namespace

core::Result<> convolutionBackward(KernelContext& context, const Tensor& outputGradient, const Tensor& input,
                                   const Tensor& weight, std::optional<IntList> biasSizes, IntList stride,
                                   IntList padding, IntList dilation, bool transposed, IntList outputPadding,
                                   std::int64_t groups, BoolList mask, Tensor* inputResult,
                                   Tensor* weightResult, Tensor* biasResult) {
    ET_ASSIGN(const Convolution shape, convolutionShape({input, weight, nullptr, stride, padding, dilation,
                                                         transposed, outputPadding, groups}));
    const core::Sizes biasShape{shape.filter.outputChannels};
    if (biasSizes && !std::ranges::equal(*biasSizes, biasShape) && !biasSizes->empty() &&
        !std::ranges::equal(*biasSizes, std::array<std::int64_t, 1>{0})) {
        return invalid(fmt::format("bias: expected {}, got {}", core::sizesText(biasShape),
                                   core::sizesText(*biasSizes)));
    }
    if (!(outputGradient.sizes() == shape.outputSizes)) {
        return invalid(fmt::format("expected a gradient of {}, got {}", core::sizesText(shape.outputSizes),
                                   core::sizesText(outputGradient.sizes())));
    }
    ET_TRY(expectOneType({&outputGradient, &input, &weight}));
    if (mask.size() != 3) {
        return invalid(fmt::format("expected a mask of 3 elements, got {}", mask.size()));
    }
    const core::ScalarType type = input.dtype();
    Gradients gradients;
    ET_ASSIGN(gradients.input, result(inputResult, mask[0], type, input.sizes()));
    ET_ASSIGN(gradients.weight, result(weightResult, mask[1], type, weight.sizes()));
    ET_ASSIGN(gradients.bias, result(biasResult, mask[2], type, biasShape));
    return visitDenseType(type, [&]<class T>(std::type_identity<T>) {
        return computeGradients<T>(context, shape, outputGradient, input, weight, gradients);
    });
}

}  // namespace et::kernels::dense
