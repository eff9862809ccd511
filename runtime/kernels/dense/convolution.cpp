#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/dense/convolution_direct.h"
#include "runtime/kernels/dense/convolution_operator.h"
#include "runtime/kernels/dense/convolution_product.h"
#include "runtime/kernels/dense/elements.h"
#include "runtime/kernels/dense/float_convolution.h"
#include "runtime/kernels/dense/fused.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>

namespace et::kernels {
namespace dense {
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

/// aten::convolution_backward.out: the gradients of input, weight and bias selected by `mask`. Results that
/// are not selected are not written and may be None. Errors: InvalidArgument, Unsupported, Limit.
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

/// True if packed weights may be kept for the next run.
bool isConstant(const ConvolutionArguments& arguments) {
    return arguments.weight.dtype() == core::ScalarType::Float && arguments.weight.isConstant() &&
           (arguments.bias == nullptr || arguments.bias->isConstant());
}

/// Returns the packed weights of this instruction; repacks them if its arguments have changed.
core::Result<FloatConvolution*> cachedConvolution(KernelContext& context, const Convolution& shape,
                                                  ConvolutionMethod method,
                                                  const ConvolutionArguments& arguments) {
    // Only this kernel sets the state of these instructions.
    auto* cached = static_cast<FloatConvolution*>(context.state().get());
    if (cached == nullptr || !cached->isMadeOf(shape.filter, method, arguments.weight, arguments.bias)) {
        ET_ASSIGN(auto made, FloatConvolution::make(context, shape.filter, method, arguments.weight,
                                                    arguments.bias, true));
        cached = made.get();
        context.state() = std::move(made);
    }
    return cached;
}

core::Result<> convolveFloats(KernelContext& context, const Convolution& shape,
                              const ConvolutionArguments& arguments, Tensor& result, FusedTail* followers) {
    Tensor* target = &result;
    if (followers != nullptr) {
        ET_ASSIGN(target,
                  followers->begin(context, result, {&arguments.input, &arguments.weight, arguments.bias}));
        if (target == nullptr) {
            return invalid("instructions after a convolution cannot be fused with it");
        }
    }
    Tensor& out = *target;
    const ResultSteps steps = followers == nullptr ? ResultSteps() : followers->steps();
    const ConvolutionMethod method = chooseMethod(shape, arguments.input, out);
    if (isConstant(arguments)) {
        ET_ASSIGN(FloatConvolution * cached, cachedConvolution(context, shape, method, arguments));
        return cached->run(context, shape, arguments.input, arguments.bias, out, steps);
    }
    ET_ASSIGN(const auto once,
              FloatConvolution::make(context, shape.filter, method, arguments.weight, arguments.bias, false));
    return once->run(context, shape, arguments.input, arguments.bias, out, steps);
}

template <class T>
core::Result<> convolveRowMajor(KernelContext& context, const Convolution& shape, const T* input,
                                const T* weight, const T* bias, T* results) {
    if constexpr (std::is_floating_point_v<T>) {
        if (isDense(shape)) {
            ET_ASSIGN(const auto packed, context.scratch<T>(packedWeightElements(shape.filter)));
            ET_TRY(packWeight(context, shape.filter, weight, packed.data()));
            return convolveByProduct<T>(context, shape, input, packed.data(), bias, results);
        }
    }
    ET_ASSIGN(const TapRuns taps, TapRuns::make(context, shape));
    convolveDirectly(context.threads(), shape, taps, input, weight, bias, results);
    return {};
}

/// Convolution in double or int64.
template <class T>
core::Result<> convolveElements(KernelContext& context, const Convolution& shape,
                                const ConvolutionArguments& arguments, Tensor& out) {
    const T* bias = nullptr;
    if (arguments.bias != nullptr) {
        ET_ASSIGN(bias, rowMajor<T>(context, *arguments.bias));
    }
    ET_ASSIGN(const T* input, rowMajor<T>(context, arguments.input));
    ET_ASSIGN(const T* weight, rowMajor<T>(context, arguments.weight));
    ET_ASSIGN(T * results, rowMajorResult<T>(context, out));
    ET_TRY(convolveRowMajor(context, shape, input, weight, bias, results));
    return finishRowMajor(context, results, out);
}

/// Result for an input without channels: the bias.
template <class T>
core::Result<> fillWithBias(KernelContext& context, const Convolution& shape, const Tensor* bias,
                            Tensor& out) {
    ET_ASSIGN(T * results, rowMajorResult<T>(context, out));
    const T* elements = nullptr;
    if (bias != nullptr) {
        ET_ASSIGN(elements, rowMajor<T>(context, *bias));
    }
    const std::int64_t planes = shape.batch * shape.filter.outputChannels;
    for (std::int64_t plane = 0; plane < planes; ++plane) {
        std::fill_n(results + plane * shape.outputPlane(), shape.outputPlane(),
                    elements == nullptr ? T{} : elements[plane % shape.filter.outputChannels]);
    }
    return finishRowMajor(context, results, out);
}

}  // namespace

core::Result<> convolve(KernelContext& context, const ConvolutionArguments& arguments, Tensor& out,
                        FusedTail* followers) {
    ET_ASSIGN(const Convolution shape, convolutionShape(arguments));
    ET_TRY(expectOneType({&arguments.input, &arguments.weight, arguments.bias, &out}));
    ET_TRY(out.resize(shape.outputSizes));
    return visitDenseType(out.dtype(), [&]<class T>(std::type_identity<T>) -> core::Result<> {
        if (out.numel() == 0) {
            return {};
        }
        if (arguments.input.numel() == 0 || arguments.weight.numel() == 0) {
            return fillWithBias<T>(context, shape, arguments.bias, out);
        }
        if constexpr (std::is_same_v<T, float>) {
            return convolveFloats(context, shape, arguments, out, followers);
        } else {
            return convolveElements<T>(context, shape, arguments, out);
        }
    });
}

namespace {

core::Result<> convolutionOut(KernelContext& context, const Tensor& input, const Tensor& weight,
                              const Tensor* bias, IntList stride, IntList padding, IntList dilation,
                              bool transposed, IntList outputPadding, std::int64_t groups, Tensor& out) {
    return convolve(context,
                    {input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups}, out);
}

core::Result<> convolutionBefore(KernelContext& context, const Tensor& input, const Tensor& weight,
                                 const Tensor* bias, IntList stride, IntList padding, IntList dilation,
                                 bool transposed, IntList outputPadding, std::int64_t groups, Tensor& out) {
    return convolve(context,
                    {input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups}, out,
                    &FusedContext::fusedTailOf(context));
}

/// Packs constant weights. Invalid arguments are reported when the instruction runs, because sizes may change
/// before that.
core::Result<> prepareConvolution(KernelContext& context, const Tensor& input, const Tensor& weight,
                                  const Tensor* bias, IntList stride, IntList padding, IntList dilation,
                                  bool transposed, IntList outputPadding, std::int64_t groups, Tensor& out) {
    const ConvolutionArguments arguments{input,    weight,     bias,          stride, padding,
                                         dilation, transposed, outputPadding, groups};
    if (!isConstant(arguments)) {
        return {};
    }
    const auto shape = convolutionShape(arguments);
    if (!shape || !expectOneType({&input, &weight, bias, &out}) || weight.numel() == 0 ||
        input.numel() == 0 || shape->filter.outputChannels == 0) {
        return {};
    }
    ET_ASSIGN(const auto* cached,
              cachedConvolution(context, *shape, chooseMethod(*shape, input, out), arguments));
    static_cast<void>(cached);
    return {};
}

/// `arguments` are those of box<&convolutionBefore>.
FusedWork fusedWork(Arguments arguments, ResultSteps steps) {
    const auto& weight = *arguments[1]->as<Tensor>();
    // [outputs, inputs of a group, kernel...]: each result sums that many products. For a transposed
    // convolution the first two are swapped and there are fewer products; the difference is negligible.
    const std::size_t outputs = *arguments[6]->as<bool>() ? 1 : 0;
    FusedWork work{2 * static_cast<double>(weight.numel()) / static_cast<double>(weight.size(outputs))};
    std::ranges::transform(steps, work.begin() + 1, &ResultStep::operations);
    return work;
}

}  // namespace

core::Result<bool> convolveThen(KernelContext& context, Arguments first,
                                std::span<const FusedTail::Call> behind, FusedWork* work) {
    FusedTail followers(behind);
    FusedContext fused(context, followers);
    const auto done = box<&convolutionBefore>.call(fused, first);
    if (!done) {
        return done.error().code == core::ErrorCode::Limit ? core::Result<bool>(std::unexpected(done.error()))
                                                           : core::Result<bool>(false);
    }
    if (work != nullptr && followers.hasBegun()) {
        *work = fusedWork(first, followers.steps());
    }
    return followers.hasBegun();
}

}  // namespace dense

std::span<const KernelEntry> convolutionKernels() {
    static constexpr std::array<KernelEntry, 2> entries{{
        {.name = "aten::convolution.out",
         .kernel = box<&dense::convolutionOut>,
         .prepare = box<&dense::prepareConvolution>,
         .packed = 1U << 1U},
        {.name = "aten::convolution_backward.out", .kernel = box<&dense::convolutionBackward>},
    }};
    return entries;
}

}  // namespace et::kernels
