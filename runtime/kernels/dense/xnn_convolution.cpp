#include "runtime/kernels/dense/xnn_convolution.h"

#include "runtime/kernels/dense/elements.h"
#include "runtime/kernels/kernel_context.h"

#include <limits>

namespace et::kernels::dense {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

std::uint32_t number(std::int64_t value) {
    return static_cast<std::uint32_t>(value);
}

/// True if the weight's memory layout is XNNPACK's: [group][output][height][width][input].
bool isInLibraryOrder(const Filter& filter) {
    return !filter.transposed && (filter.taps() == 1 || filter.groupInputs() == 1);
}

/// Reorders the weight to XNNPACK's layout.
void reorderWeight(const Filter& filter, const float* weight, float* to) {
    const std::int64_t inputs = filter.groupInputs();
    const std::int64_t outputs = filter.groupOutputs();
    const std::int64_t taps = filter.taps();
    const std::int64_t inputStep = filter.transposed ? outputs * taps : taps;
    const std::int64_t outputStep = filter.transposed ? taps : inputs * taps;
    for (std::int64_t group = 0; group < filter.groups; ++group) {
        for (std::int64_t output = 0; output < outputs; ++output) {
            const float* from = weight + group * inputs * outputs * taps + output * outputStep;
            for (std::int64_t tap = 0; tap < taps; ++tap) {
                for (std::int64_t input = 0; input < inputs; ++input) {
                    *to++ = from[input * inputStep + tap];
                }
            }
        }
    }
}

core::Result<> transpose(KernelContext& context, std::int64_t batch, std::int64_t rows, std::int64_t columns,
                         const float* from, float* to) {
    ET_TRY(initializeXnnpack());
    const std::array<std::size_t, 3> shape{toSize(batch), toSize(rows), toSize(columns)};
    constexpr std::array<std::size_t, 3> order{0, 2, 1};
    return checkXnnpack(xnn_run_transpose_nd_x32(from, to, shape.size(), shape.data(), order.data(), 0,
                                                 context.threads().handle()),
                        "xnn_run_transpose_nd_x32");
}

}  // namespace

bool XnnConvolution::takes(const Convolution& shape) {
    constexpr std::int64_t largestParameter = 1 << 12;
    constexpr std::int64_t largestSide = 1 << 20;
    constexpr std::int64_t maxPointers = 1 << 23;
    const Filter& filter = shape.filter;
    bool fits = filter.kernel[0] == 1 && filter.stride[0] == 1 && filter.padding[0] == 0 &&
                shape.input[0] == 1 && shape.output[0] == 1;
    for (std::size_t dim = 1; dim < spatialDims; ++dim) {
        fits = fits && filter.kernel[dim] <= largestParameter && filter.stride[dim] <= largestParameter &&
               filter.padding[dim] <= largestParameter && filter.dilation[dim] <= largestParameter &&
               shape.input[dim] <= largestSide && shape.output[dim] <= largestSide &&
               (!filter.transposed || filter.outputPadding[dim] < filter.stride[dim]);
    }
    // One pointer per tap and position; sub-convolutions of a transposed convolution round up.
    return fits && filter.groups <= largestSide && filter.inputChannels <= largestSide &&
           filter.outputChannels <= largestSide && shape.batch <= largestSide &&
           static_cast<double>(filter.taps()) * static_cast<double>(shape.outputPlane() + 64) *
                   (filter.transposed ? 2 : 1) <
               maxPointers;
}

core::Result<XnnConvolution> XnnConvolution::make(KernelContext& context, const Filter& filter,
                                                  const float* weight, const float* bias) {
    ET_TRY(initializeXnnpack());
    const std::size_t elements = toSize(filter.outputChannels * filter.groupInputs() * filter.taps());
    if (isInLibraryOrder(filter)) {
        ET_ASSIGN(weight, readableFloats(context, weight, elements));
    } else {
        ET_ASSIGN(const auto reordered, context.scratch<float>(elements + XNN_EXTRA_BYTES));
        reorderWeight(filter, weight, reordered.data());
        weight = reordered.data();
    }
    if (bias != nullptr) {
        ET_ASSIGN(bias, readableFloats(context, bias, toSize(filter.outputChannels)));
    }
    XnnConvolution result;
    result.transposed = filter.transposed;
    xnn_operator_t operation = nullptr;
    const auto create =
        filter.transposed ? &xnn_create_deconvolution2d_nhwc_f32 : &xnn_create_convolution2d_nhwc_f32;
    const xnn_status status =
        create(number(filter.padding[1]), number(filter.padding[2]), number(filter.padding[1]),
               number(filter.padding[2]), number(filter.kernel[1]), number(filter.kernel[2]),
               number(filter.stride[1]), number(filter.stride[2]), number(filter.dilation[1]),
               number(filter.dilation[2]), number(filter.groups), toSize(filter.groupInputs()),
               toSize(filter.groupOutputs()), toSize(filter.inputChannels), toSize(filter.outputChannels),
               weight, bias, -infinity, infinity, 0, nullptr, nullptr, &operation);
    ET_TRY(checkXnnpack(status, "xnn_create_convolution2d_nhwc_f32"));
    result.operation.reset(operation);
    return result;
}

core::Result<> XnnConvolution::reshape(KernelContext& context, const Convolution& shape) {
    const std::array<std::int64_t, 3> wanted{shape.batch, shape.input[1], shape.input[2]};
    if (shapedFor == wanted) {
        return {};
    }
    shapedFor = {};
    pthreadpool_t threads = context.threads().handle();
    std::size_t height = 0;
    std::size_t width = 0;
    std::size_t alignment = 0;
    const xnn_status status =
        transposed ? xnn_reshape_deconvolution2d_nhwc_f32(
                         operation.get(), toSize(shape.batch), toSize(shape.input[1]), toSize(shape.input[2]),
                         number(shape.filter.outputPadding[1]), number(shape.filter.outputPadding[2]),
                         &height, &width, threads)
                   : xnn_reshape_convolution2d_nhwc_f32(
                         operation.get(), toSize(shape.batch), toSize(shape.input[1]), toSize(shape.input[2]),
                         &workspaceBytes, &alignment, &height, &width, threads);
    ET_TRY(checkXnnpack(status, "xnn_reshape_convolution2d_nhwc_f32"));
    if (height != toSize(shape.output[1]) || width != toSize(shape.output[2])) {
        return core::fail(core::ErrorCode::Unsupported,
                          "XNNPACK computes different output sizes for a convolution");
    }
    shapedFor = wanted;
    return {};
}

core::Result<> XnnConvolution::run(KernelContext& context, const Convolution& shape, const float* input,
                                   float* output) {
    ET_TRY(reshape(context, shape));
    ET_ASSIGN(const auto workspace, context.scratch<std::byte>(workspaceBytes));
    const xnn_status status =
        transposed ? xnn_setup_deconvolution2d_nhwc_f32(operation.get(), input, output)
                   : xnn_setup_convolution2d_nhwc_f32(operation.get(), workspace.data(), input, output);
    ET_TRY(checkXnnpack(status, "xnn_setup_convolution2d_nhwc_f32"));
    return checkXnnpack(xnn_run_operator(operation.get(), context.threads().handle()), "xnn_run_operator");
}

core::Result<> toChannelsLast(KernelContext& context, std::int64_t batch, std::int64_t channels,
                              std::int64_t plane, const float* from, float* to) {
    return transpose(context, batch, channels, plane, from, to);
}

core::Result<> toChannelsFirst(KernelContext& context, std::int64_t batch, std::int64_t channels,
                               std::int64_t plane, const float* from, float* to) {
    return transpose(context, batch, plane, channels, from, to);
}

}  // namespace et::kernels::dense
