#include "backends/xnnpack/custom_kernels/custom_image_convolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <variant>

namespace et::backends::xnnpack {

using kernels::dense::ImageConvolution;

bool hasFloatFilter(const Payload& payload, const PayloadNode& node) {
    const auto isConstant = [&](ValueIndex value) { return payload.value(value).constant != 0; };
    const std::array values{node.inputs[0], node.inputs[1], node.inputs[2], node.outputs[0]};
    return node.flags == 0 &&
           std::ranges::all_of(values,
                               [&](ValueIndex value) {
                                   return value == noValue || payload.value(value).datatype == Datatype::Fp32;
                               }) &&
           !isConstant(node.inputs[0]) && isConstant(node.inputs[1]) &&
           (node.inputs[2] == noValue || isConstant(node.inputs[2]));
}

const float* constantFloats(const CustomNode::Source& source, ValueIndex value) {
    return value == noValue ? nullptr : static_cast<const float*>(source.constants.data(value));
}

ImageConvolution makeImageConvolution(const PayloadNode& node) {
    const auto& fields = std::get<ConvolutionFields>(node.fields);
    return {.height = {.kernel = fields.kernel.height,
                       .stride = fields.stride.height,
                       .dilation = fields.dilation.height,
                       .padding = fields.padding.top},
            .width = {.kernel = fields.kernel.width,
                      .stride = fields.stride.width,
                      .dilation = fields.dilation.width,
                      .padding = fields.padding.left},
            .inputChannels = std::size_t{fields.groups} * fields.groupInputChannels,
            .outputChannels = std::size_t{fields.groups} * fields.groupOutputChannels};
}

void takeSizes(ImageConvolution& shape, const ValueSizes& from, const ValueSizes& to) {
    shape.height.input = from[1];
    shape.width.input = from[2];
    shape.height.output = to[1];
    shape.width.output = to[2];
}

std::string ConvolutionName::text() const {
    return fmt::format("Convolution (NHWC, {}) {}", type, how);
}

ConvolutionName convolutionName(const PayloadNode& node, std::string_view type) {
    const HeightWidth& kernel = std::get<ConvolutionFields>(node.fields).kernel;
    const bool isPointwise = kernel.height * kernel.width == 1;
    const bool isDepthwise = node.traits->form() == NodeForm::DepthwiseConvolution;
    return {.type = type, .how = isDepthwise ? "DWConv" : isPointwise ? "GEMM" : "IGEMM"};
}

}  // namespace et::backends::xnnpack
