#include "backends/xnnpack/nodes/define_node.h"

namespace et::backends::xnnpack {

xnn_status defineFullyConnected(const NodeToDefine& what) {
    return xnn_define_fully_connected(what.graph, what.range.min, what.range.max, what.inputs[0],
                                      what.inputs[1], what.inputs[2], what.outputs[0], what.node.flags);
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

xnn_status defineBatchMatrixMultiply(const NodeToDefine& what) {
    return xnn_define_batch_matrix_multiply(what.graph, what.inputs[0], what.inputs[1], what.outputs[0],
                                            what.node.flags);
}

xnn_status defineAttention(const NodeToDefine& what) {
    return xnn_define_scaled_dot_product_attention(what.graph, xnn_attention_logits_cap_type_none, nullptr,
                                                   what.inputs[0], what.inputs[1], what.inputs[2],
                                                   what.inputs[3], what.inputs[4], what.outputs[0], 0);
}

}  // namespace et::backends::xnnpack
