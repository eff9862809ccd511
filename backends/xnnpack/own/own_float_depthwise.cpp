#include "backends/xnnpack/own/own_float_depthwise.h"

#include "backends/xnnpack/own/float_filter.h"
#include "backends/xnnpack/own/own_image_convolution.h"
#include "runtime/kernels/dense/image_depthwise.h"

#include <variant>

namespace et::backends::xnnpack {

using kernels::dense::ImageDepthwise;

bool isFloatDepthwise(const Payload& payload, const PayloadNode& node, const Shapes& shapes) {
    // Less is not worth the parts that the library's graph then falls into.
    constexpr std::size_t leastProducts = std::size_t{1} << 14U;
    if (node.traits->form() != NodeForm::DepthwiseConvolution || !hasFloatFilter(payload, node)) {
        return false;
    }
    const auto& fields = std::get<ConvolutionFields>(node.fields);
    return fields.groupInputChannels == 1 && fields.groupOutputChannels == 1 &&
           ImageDepthwise::takes(imageConvolutionOf(node)) &&
           elementsOf(shapes[node.outputs[0]]) * fields.kernel.height * fields.kernel.width >= leastProducts;
}

std::unique_ptr<OwnNode> makeFloatDepthwise(const OwnNode::Source& source, const PayloadNode& node) {
    const OutputRange range = node.range.value_or(OutputRange{});
    return std::make_unique<OwnImageConvolution<ImageDepthwise>>(
        source, node, convolutionName(node, "F32"),
        ImageDepthwise(imageConvolutionOf(node), constantFloats(source, node.inputs[1]),
                       constantFloats(source, node.inputs[2]), range.min, range.max));
}

}  // namespace et::backends::xnnpack
