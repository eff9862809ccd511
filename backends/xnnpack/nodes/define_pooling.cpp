#include "backends/xnnpack/nodes/define_node.h"

namespace et::backends::xnnpack {

xnn_status defineAveragePooling(const NodeToDefine& what) {
    const auto& from = what.fields<PoolingFields>();
    return xnn_define_average_pooling_2d(what.graph, from.padding.top, from.padding.right,
                                         from.padding.bottom, from.padding.left, from.window.height,
                                         from.window.width, from.stride.height, from.stride.width,
                                         what.range.min, what.range.max, what.inputs[0], what.outputs[0], 0);
}

xnn_status defineMaxPooling(const NodeToDefine& what) {
    const auto& from = what.fields<PoolingFields>();
    return xnn_define_max_pooling_2d(
        what.graph, from.padding.top, from.padding.right, from.padding.bottom, from.padding.left,
        from.window.height, from.window.width, from.stride.height, from.stride.width, from.dilation.height,
        from.dilation.width, what.range.min, what.range.max, what.inputs[0], what.outputs[0], 0);
}

xnn_status defineArgMaxPooling(const NodeToDefine& what) {
    const auto& from = what.fields<PoolingFields>();
    return xnn_define_argmax_pooling_2d(what.graph, from.padding.top, from.padding.right, from.padding.bottom,
                                        from.padding.left, from.window.height, from.window.width,
                                        what.inputs[0], what.outputs[0], what.outputs[1], 0);
}

xnn_status defineGlobalAveragePooling(const NodeToDefine& what) {
    constexpr std::array<std::size_t, 2> heightAndWidth{1, 2};
    return xnn_define_static_reduce(what.graph, xnn_reduce_mean, heightAndWidth.size(), heightAndWidth.data(),
                                    what.inputs[0], what.outputs[0], what.node.flags);
}

}  // namespace et::backends::xnnpack
