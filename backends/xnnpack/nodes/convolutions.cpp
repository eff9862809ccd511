#include "backends/xnnpack/nodes/define_node.h"
#include "backends/xnnpack/nodes/detail/node_reader.h"
#include "backends/xnnpack/nodes/forms.h"
#include "backends/xnnpack/nodes/fusion_hazards.h"
#include "backends/xnnpack/nodes/reuse_limits.h"
#include "backends/xnnpack/nodes/shape_step.h"
#include "backends/xnnpack/nodes/signatures.h"
#include "backends/xnnpack/nodes/windows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

// Convolutions.
namespace et::backends::xnnpack {

using core::ErrorCode;
using core::Result;

namespace {

constexpr std::string_view productInputs = "input filter bias";
/// Dimensions that share a scale: an image has one scale.
constexpr std::uint8_t imageDims = 3;

Result<> readConvolution(NodeReader& reader) {
    const auto& from = reader.as<schema::Convolution>();
    reader.node.fields = ConvolutionFields{.padding = NodeReader::padding(from),
                                           .kernel = {from.kernel_height(), from.kernel_width()},
                                           .stride = {from.stride_height(), from.stride_width()},
                                           .dilation = {from.dilation_height(), from.dilation_width()},
                                           .adjustment = {from.adjustment_height(), from.adjustment_width()},
                                           .groups = from.groups(),
                                           .groupInputChannels = from.group_input_channels(),
                                           .groupOutputChannels = from.group_output_channels()};
    return reader.weighted(from);
}

/// Types that all convolutions support, and `further` types of some.
template <std::size_t count>
bool acceptsWindows(const NodeTypes& types, const std::array<ProductTypes, count>& further) {
    using enum Datatype;
    static constexpr std::array products = std::to_array<ProductTypes>({{Fp32, Fp32, Fp32, Fp32},
                                                                        {Fp16, Fp32, Fp32, Fp16},
                                                                        {QInt8, QInt8, QInt32, QInt8},
                                                                        {QUInt8, QUInt8, QInt32, QUInt8},
                                                                        {QInt8, QCInt8, QCInt32, QInt8}});
    return isProductOf(products, Filter::Constant, types) || isProductOf(further, Filter::Constant, types);
}

bool acceptsConvolution(const NodeTypes& types) {
    using enum Datatype;
    return acceptsWindows(
        types, std::to_array<ProductTypes>({{QDInt8, QCInt8, Fp32, Fp32}, {QDInt8, QCInt8, Fp32, Fp16}}));
}

bool acceptsDepthwise(const NodeTypes& types) {
    return acceptsWindows(types, std::array<ProductTypes, 0>{});
}

bool acceptsTransposed(const NodeTypes& types) {
    using enum Datatype;
    return acceptsWindows(types, std::to_array<ProductTypes>({{QDInt8, QCInt8, Fp32, Fp32}}));
}

Result<> requireChannels(const ShapeStep& step, const ConvolutionFields& from) {
    const std::array counts{from.groups, from.groupInputChannels, from.groupOutputChannels};
    if (std::ranges::any_of(counts, [](std::uint32_t count) { return count == 0 || count > largestStep; })) {
        return step.fail(fmt::format("expected groups and channels from 1 to {}, got {}", largestStep,
                                     fmt::join(counts, ", ")));
    }
    const std::size_t inputs = std::size_t{from.groups} * from.groupInputChannels;
    const std::size_t outputs = std::size_t{from.groups} * from.groupOutputChannels;
    const bool depthwise = step.node.traits->form() == NodeForm::DepthwiseConvolution;
    const ValueSizes filter =
        depthwise ? ValueSizes{1, from.kernel.height, from.kernel.width, outputs}
                  : ValueSizes{outputs, from.kernel.height, from.kernel.width, from.groupInputChannels};
    if (step.input(0)[Channels] != inputs || !(step.input(1) == filter) ||
        (depthwise && from.groupInputChannels != 1)) {
        return step.fail(fmt::format("expected {} channels and a filter {}, got inputs {} and a filter {}",
                                     inputs, text(filter), text(step.input(0)), text(step.input(1))));
    }
    ET_TRY(step.requireChannelDim(depthwise ? 3 : 0));
    return step.requireBias(outputs);
}

std::array<WindowAxis, 2> makeAxes(const ShapeStep& step, const ConvolutionFields& from) {
    return windowAxes(step.input(0), from.padding, from.kernel, from.stride, from.dilation);
}

Result<> shapeConvolution(ShapeStep& step) {
    const auto& from = step.fields<ConvolutionFields>();
    ET_TRY(step.requireImage());
    ET_TRY(requireChannels(step, from));
    ET_ASSIGN(const ValueSizes out,
              slide(step, makeAxes(step, from), std::size_t{from.groups} * from.groupOutputChannels));
    return step.give(out);
}

/// Whether the library splits a transposed convolution into one per pixel of the stride. It then counts the
/// pixels of each from its start, and writes out of bounds if the start is beyond the output.
bool isByPixelOfStride(const ConvolutionFields& from) {
    return std::max(from.dilation.height, from.dilation.width) == 1 &&
           from.stride.height <= from.kernel.height && from.stride.width <= from.kernel.width;
}

Result<> shapeTransposedConvolution(ShapeStep& step) {
    const auto& from = step.fields<ConvolutionFields>();
    ET_TRY(step.requireImage());
    ET_TRY(requireChannels(step, from));
    const auto both = makeAxes(step, from);
    const std::array adjustments{from.adjustment.height, from.adjustment.width};
    ValueSizes out = step.input(0);
    for (std::size_t i = 0; i < both.size(); ++i) {
        const WindowAxis& axis = both[i];
        const std::size_t whole = axis.stride * (axis.size - 1) + axis.span() + adjustments[i];
        if (!axis.isSane() || adjustments[i] >= axis.stride ||
            whole <= std::size_t{axis.before} + axis.after) {
            return step.fail(fmt::format(
                "expected a kernel {} with stride {}, adjustment {} and padding {}, {} that leave pixels",
                axis.window, axis.stride, adjustments[i], axis.before, axis.after));
        }
        out[Height + i] = whole - axis.before - axis.after;
        if (isByPixelOfStride(from) && out[Height + i] + 1 < axis.stride) {
            return step.fail(
                fmt::format("expected an output of at least {} pixels for a stride of {}, got {}",
                            axis.stride - 1, axis.stride, out[Height + i]),
                ErrorCode::Unsupported);
        }
    }
    out[Channels] = std::size_t{from.groups} * from.groupOutputChannels;
    countPointers(step, out, both);
    return step.give(out);
}

xnn_status defineConvolution(const NodeToDefine& what) {
    const auto& from = what.fields<ConvolutionFields>();
    return xnn_define_convolution_2d(
        what.graph, from.padding.top, from.padding.right, from.padding.bottom, from.padding.left,
        from.kernel.height, from.kernel.width, from.stride.height, from.stride.width, from.dilation.height,
        from.dilation.width, from.groups, from.groupInputChannels, from.groupOutputChannels, what.range.min,
        what.range.max, what.inputs[0], what.inputs[1], what.inputs[2], what.outputs[0], 0);
}

xnn_status defineDepthwiseConvolution(const NodeToDefine& what) {
    const auto& from = what.fields<ConvolutionFields>();
    return xnn_define_depthwise_convolution_2d(
        what.graph, from.padding.top, from.padding.right, from.padding.bottom, from.padding.left,
        from.kernel.height, from.kernel.width, from.stride.height, from.stride.width, from.dilation.height,
        from.dilation.width, from.groupOutputChannels, from.groups, what.range.min, what.range.max,
        what.inputs[0], what.inputs[1], what.inputs[2], what.outputs[0], 0);
}

xnn_status defineTransposedConvolution(const NodeToDefine& what) {
    const auto& from = what.fields<ConvolutionFields>();
    return xnn_define_deconvolution_2d(
        what.graph, from.padding.top, from.padding.right, from.padding.bottom, from.padding.left,
        from.adjustment.height, from.adjustment.width, from.kernel.height, from.kernel.width,
        from.stride.height, from.stride.width, from.dilation.height, from.dilation.width, from.groups,
        from.groupInputChannels, from.groupOutputChannels, what.range.min, what.range.max, what.inputs[0],
        what.inputs[1], what.inputs[2], what.outputs[0], 0);
}

void keepQuantizedInput(const Payload& payload, std::size_t node, ReuseLimits& limits) {
    if (payload.value(payload.nodes[node].inputs[0]).datatype == Datatype::QDInt8) {
        keepInput(payload, node, limits);
    }
}

constexpr std::array depthwiseFlags{NodeFlag{XNN_FLAG_DEPTHWISE_CONVOLUTION, "depthwise"}};

}  // namespace

constinit const NodeFormInfo convolutionForm{
    .form = NodeForm::Convolution,
    .cost = core::Cost::NhwcConvolution,
    .read = readConvolution,
    .accepts = acceptsConvolution,
    .shape = shapeConvolution,
    .define = defineConvolution,
    .fusesClamp = fusesAnyClamp,
    .limitReuse = keepQuantizedInput,
    .inputNames = productInputs,
    .scaleDims = imageDims,
    // Later versions rewrite convolutions with a window of one pixel.
    .laterNames = "Fully Connected ("};

constinit const NodeFormInfo depthwiseConvolutionForm{.form = NodeForm::DepthwiseConvolution,
                                                      .cost = core::Cost::NhwcConvolution,
                                                      .read = readConvolution,
                                                      .accepts = acceptsDepthwise,
                                                      .shape = shapeConvolution,
                                                      .define = defineDepthwiseConvolution,
                                                      .fusesClamp = fusesAnyClamp,
                                                      .limitReuse = keepQuantizedInput,
                                                      .flags = depthwiseFlags,
                                                      .inputNames = productInputs,
                                                      .scaleDims = imageDims};

constinit const NodeFormInfo transposedConvolutionForm{.form = NodeForm::TransposedConvolution,
                                                       .cost = core::Cost::NhwcTransposedConvolution,
                                                       .read = readConvolution,
                                                       .accepts = acceptsTransposed,
                                                       .shape = shapeTransposedConvolution,
                                                       .define = defineTransposedConvolution,
                                                       .fusesClamp = fusesAnyClamp,
                                                       .limitReuse = keepInput,
                                                       .inputNames = productInputs,
                                                       .scaleDims = imageDims};

}  // namespace et::backends::xnnpack
