#include "backends/xnnpack/custom_kernels/custom_float_depthwise.h"

#include "backends/xnnpack/custom_kernels/custom_image_convolution.h"
#include "backends/xnnpack/custom_kernels/float_filter.h"
#include "runtime/kernels/dense/image_depthwise.h"

#include <variant>

namespace et::backends::xnnpack {

using kernels::dense::ImageDepthwise;

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
