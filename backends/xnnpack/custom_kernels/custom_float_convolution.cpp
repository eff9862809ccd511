#include "backends/xnnpack/custom_kernels/custom_float_convolution.h"

#include "backends/xnnpack/custom_kernels/custom_image_convolution.h"
#include "runtime/kernels/dense/image_depthwise.h"
#include "runtime/kernels/dense/narrow_convolution.h"

#include <variant>

namespace et::backends::xnnpack {

using kernels::dense::ImageDepthwise;
using kernels::dense::NarrowConvolution;

bool isNarrowConvolution(const Payload& payload, const PayloadNode& node, const Shapes& shapes) {
    // Fewer products are not worth splitting the library's graph.
    constexpr std::size_t leastProducts = std::size_t{1} << 17U;
    if (node.traits->form() != NodeForm::Convolution || !hasFloatFilter(payload, node)) {
        return false;
    }
    const auto* const fields = std::get_if<ConvolutionFields>(&node.fields);
    return fields != nullptr && fields->groups == 1 &&
           fields->groupOutputChannels <= kernels::dense::narrowChannels() &&
           fields->kernel.height <= kernels::dense::maxNarrowKernel &&
           elementsOf(shapes[node.outputs[0]]) * fields->kernel.height * fields->kernel.width *
                   fields->groupInputChannels >=
               leastProducts &&
           needsLittle<NarrowConvolution>(node, shapes);
}

std::unique_ptr<CustomNode> makeNarrowConvolution(const CustomNode::Source& source, const PayloadNode& node) {
    const auto shape = makeImageConvolution(node);
    const OutputRange range = node.range.value_or(OutputRange{});
    return std::make_unique<CustomImageConvolution<NarrowConvolution>>(
        source, node, convolutionName(node, "F32"),
        NarrowConvolution(shape, constantFloats(source, node.inputs[1]),
                          constantFloats(source, node.inputs[2]), range.min, range.max));
}

bool isFloatDepthwise(const Payload& payload, const PayloadNode& node, const Shapes& shapes) {
    // Fewer products are not worth splitting the library's graph.
    constexpr std::size_t leastProducts = std::size_t{1} << 14U;
    if (node.traits->form() != NodeForm::DepthwiseConvolution || !hasFloatFilter(payload, node)) {
        return false;
    }
    const auto& fields = std::get<ConvolutionFields>(node.fields);
    return fields.groupInputChannels == 1 && fields.groupOutputChannels == 1 &&
           ImageDepthwise::takes(makeImageConvolution(node)) &&
           elementsOf(shapes[node.outputs[0]]) * fields.kernel.height * fields.kernel.width >= leastProducts;
}

core::Result<std::unique_ptr<CustomNode>> makeFloatDepthwise(const CustomNode::Source& source,
                                                             const PayloadNode& node) {
    const auto shape = makeImageConvolution(node);
    const float* const filter = constantFloats(source, node.inputs[1]);
    const float* const bias = constantFloats(source, node.inputs[2]);
    PackedWeights weights;
    ET_ASSIGN(const std::byte* const packed,
              weights.pack(source, PackedWeights::Form::Depthwise, filter, bias,
                           ImageDepthwise::weightElements(shape) * sizeof(float), [&](std::byte* to) {
                               ImageDepthwise::pack(shape, filter, bias, reinterpret_cast<float*>(to));
                           }));
    const OutputRange range = node.range.value_or(OutputRange{});
    return std::make_unique<CustomImageConvolution<ImageDepthwise>>(
        source, node, convolutionName(node, "F32"),
        ImageDepthwise(shape, reinterpret_cast<const float*>(packed), range.min, range.max),
        std::move(weights));
}

}  // namespace et::backends::xnnpack
