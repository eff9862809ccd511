#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/dense/convolution_backward.h"
#include "runtime/kernels/dense/convolution_direct.h"
#include "runtime/kernels/dense/convolution_operator.h"
#include "runtime/kernels/dense/convolution_product.h"
#include "runtime/kernels/dense/elements.h"
#include "runtime/kernels/dense/float_convolution.h"
#include "runtime/kernels/dense/fused.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace et::kernels {
namespace dense {
namespace {

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
                    &FusedContext::followersOf(context));
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
FusedWork workOf(Arguments arguments, ResultSteps steps) {
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
        *work = workOf(first, followers.steps());
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
