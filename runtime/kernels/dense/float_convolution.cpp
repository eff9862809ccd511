#include "runtime/kernels/dense/float_convolution.h"

#include "runtime/kernels/dense/convolution_direct.h"
#include "runtime/kernels/dense/convolution_product.h"
#include "runtime/kernels/dense/convolution_rows.h"
#include "runtime/kernels/dense/depthwise.h"
#include "runtime/kernels/dense/elements.h"

#include <algorithm>

namespace et::kernels::dense {
namespace {

/// True for float tensors stored channels-last: channels innermost, then width, height and depth, then batch.
bool isChannelsLast(const Tensor& tensor, std::size_t channelDim) {
    if (tensor.dtype() != core::ScalarType::Float) {
        return false;
    }
    std::int64_t step = 1;
    const auto lies = [&](std::size_t dim) {
        const bool matches = tensor.size(dim) == 1 || tensor.stride(dim) == step;
        step *= tensor.size(dim);
        return matches;
    };
    bool result = lies(channelDim);
    for (std::size_t dim = tensor.dim(); dim-- > channelDim + 1;) {
        result = result && lies(dim);
    }
    return result && (channelDim == 0 || lies(0));
}

/// Minimum elements per thread.
constexpr std::size_t grainElements = 16384;

core::Result<std::span<float>> packingMemory(KernelContext& context, std::vector<float>& kept, bool keep,
                                             std::size_t elements) {
    if (!keep) {
        return context.scratch<float>(elements);
    }
    kept.resize(elements);
    return std::span<float>(kept);
}

}  // namespace

bool hasFewGaps(const Convolution& shape) {
    constexpr double leastUsed = 0.25;
    double used = 1;
    for (std::size_t dim = 0; dim < spatialDims; ++dim) {
        const Filter& filter = shape.filter;
        const std::int64_t maxPairs =
            filter.transposed ? shape.input[dim] : (shape.input[dim] - 1) / filter.stride[dim] + 1;
        used *= std::min(1.0, static_cast<double>(maxPairs) / static_cast<double>(shape.output[dim]));
    }
    return used >= leastUsed;
}

bool isDense(const Convolution& shape) {
    constexpr std::int64_t minRows = 4;
    return hasFewGaps(shape) && shape.filter.groupOutputs() >= minRows;
}

ConvolutionMethod chooseMethod(const Convolution& shape, const Tensor& input, const Tensor& out) {
    // Rows of smaller images fill vectors poorly.
    constexpr std::int64_t minPositions = 100;
    const bool isRowMajor =
        !(isChannelsLast(input, shape.channelDim) && isChannelsLast(out, shape.channelDim));
    const bool suitsRows = isRowMajor && shape.outputPlane() >= minPositions;
    if (suitsRows && isDepthwise(shape)) {
        return ConvolutionMethod::Depthwise;
    }
    if (suitsRows && hasFewInputs(shape) && hasFewGaps(shape)) {
        return ConvolutionMethod::Rows;
    }
    if (suitsRows && shape.filter.isPointwise() && isDense(shape)) {
        return ConvolutionMethod::Product;
    }
    if (XnnConvolution::takes(shape)) {
        return ConvolutionMethod::ChannelsLast;
    }
    return isDense(shape) ? ConvolutionMethod::Product : ConvolutionMethod::Direct;
}

core::Result<std::unique_ptr<FloatConvolution>> FloatConvolution::make(KernelContext& context,
                                                                       const Filter& filter,
                                                                       ConvolutionMethod method,
                                                                       const Tensor& weight,
                                                                       const Tensor* bias, bool keep) {
    auto made = std::make_unique<FloatConvolution>();
    made->filter = filter;
    made->method = method;
    made->weightData = weight.raw();
    made->biasData = bias == nullptr ? nullptr : bias->raw();
    made->libraryBytes = static_cast<std::uint64_t>(weight.numel()) * sizeof(float);
    ET_ASSIGN(const float* elements, rowMajor<float>(context, weight));
    switch (method) {
        case ConvolutionMethod::Rows:
        case ConvolutionMethod::Product: {
            ET_ASSIGN(const auto memory,
                      packingMemory(context, made->kept, keep, packedWeightElements(filter)));
            ET_TRY(method == ConvolutionMethod::Rows
                       ? packRowsWeight(context, filter, elements, memory.data())
                       : packWeight(context, filter, elements, memory.data()));
            made->packed = memory;
            break;
        }
        case ConvolutionMethod::ChannelsLast: {
            const float* biasElements = nullptr;
            if (bias != nullptr) {
                ET_ASSIGN(biasElements, rowMajor<float>(context, *bias));
            }
            ET_ASSIGN(made->library, XnnConvolution::make(context, filter, elements, biasElements));
            break;
        }
        case ConvolutionMethod::Depthwise:
        case ConvolutionMethod::Direct: {
            const std::span<const float> all(elements, toSize(weight.numel()));
            if (keep && elements != reinterpret_cast<const float*>(weight.raw())) {
                made->kept.assign(all.begin(), all.end());
                made->packed = made->kept;
            } else {
                made->packed = all;
            }
            break;
        }
    }
    return made;
}

bool FloatConvolution::isMadeOf(const Filter& other, ConvolutionMethod wanted, const Tensor& weight,
                                const Tensor* bias) const {
    return filter == other && method == wanted && weightData == weight.raw() &&
           biasData == (bias == nullptr ? nullptr : bias->raw());
}

core::Result<> FloatConvolution::run(KernelContext& context, const Convolution& shape, const Tensor& input,
                                     const Tensor* bias, Tensor& out, ResultSteps steps) {
    if (method == ConvolutionMethod::ChannelsLast) {
        return runChannelsLast(context, shape, input, out, steps);
    }
    const float* biasElements = nullptr;
    if (bias != nullptr) {
        ET_ASSIGN(biasElements, rowMajor<float>(context, *bias));
    }
    ET_ASSIGN(const float* elements, rowMajor<float>(context, input));
    ET_ASSIGN(float* results, rowMajorResult<float>(context, out));
    ET_TRY(runRowMajor(context, shape, elements, biasElements, results, steps));
    return finishRowMajor(context, results, out);
}

core::Result<> FloatConvolution::runRowMajor(KernelContext& context, const Convolution& shape,
                                             const float* input, const float* bias, float* output,
                                             ResultSteps steps) {
    if (method == ConvolutionMethod::Depthwise) {
        return depthwise(context, shape, input, packed.data(), bias, output, steps);
    }
    if (method == ConvolutionMethod::Rows) {
        return convolveRows(context, shape, input, packed.data(), bias, output, steps);
    }
    if (method == ConvolutionMethod::Product) {
        return convolveByProduct(context, shape, input, packed.data(), bias, output, steps);
    }
    ET_ASSIGN(const TapRuns taps, TapRuns::make(context, shape));
    convolveDirectly(context.threads(), shape, taps, input, packed.data(), bias, output);
    if (!steps.empty()) {
        const auto channels = toSize(shape.filter.outputChannels);
        const auto plane = toSize(shape.outputPlane());
        context.threads().parallelFor(
            toSize(shape.batch) * channels, 1, [&](std::size_t begin, std::size_t end) {
                for (std::size_t item = begin; item < end; ++item) {
                    doStepsToChannel(steps, output + item * plane, plane, item % channels);
                }
            });
    }
    return {};
}

core::Result<> FloatConvolution::runChannelsLast(KernelContext& context, const Convolution& shape,
                                                 const Tensor& input, Tensor& out, ResultSteps steps) {
    const float* from = nullptr;
    if (isChannelsLast(input, shape.channelDim)) {
        ET_ASSIGN(from, readableFloats(context, input.data<float>(), toSize(input.numel())));
    } else {
        ET_ASSIGN(const float* elements, rowMajor<float>(context, input));
        ET_ASSIGN(elements, readableFloats(context, elements, toSize(input.numel())));
        ET_ASSIGN(const auto copy, context.scratch<float>(toSize(input.numel()) + XNN_EXTRA_BYTES));
        ET_TRY(toChannelsLast(context, shape.batch, shape.filter.inputChannels, shape.inputPlane(), elements,
                              copy.data()));
        from = copy.data();
    }
    const auto compute = [&](float* results) -> core::Result<> {
        ET_TRY(library->run(context, shape, from, results));
        const auto channels = toSize(shape.filter.outputChannels);
        const std::size_t pixels = steps.empty() ? 0 : toSize(shape.batch * shape.outputPlane());
        context.threads().parallelFor(
            pixels, grainElements / channels + 1, [&](std::size_t begin, std::size_t end) {
                doStepsToPixels(steps, results + begin * channels, end - begin, channels);
            });
        return {};
    };
    if (isChannelsLast(out, shape.channelDim)) {
        return compute(out.mutableData<float>());
    }
    ET_ASSIGN(const auto results, context.scratch<float>(toSize(out.numel()) + XNN_EXTRA_BYTES));
    ET_TRY(compute(results.data()));
    ET_ASSIGN(float* target, rowMajorResult<float>(context, out));
    ET_TRY(toChannelsFirst(context, shape.batch, shape.filter.outputChannels, shape.outputPlane(),
                           results.data(), target));
    return finishRowMajor(context, target, out);
}

}  // namespace et::kernels::dense
