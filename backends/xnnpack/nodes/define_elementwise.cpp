#include "backends/xnnpack/nodes/define_node.h"

namespace et::backends::xnnpack {

xnn_status defineUnary(const NodeToDefine& what) {
    const auto type = static_cast<xnn_unary_operator>(what.node.facts->operation);
    xnn_unary_params parameters{};
    const xnn_unary_params* given = &parameters;
    switch (type) {
        case xnn_unary_clamp:
            parameters.clamp = {.min = what.range.min, .max = what.range.max};
            break;
        case xnn_unary_elu:
            parameters.elu = {.alpha = what.fields<NumberFields>().value};
            break;
        case xnn_unary_leaky_relu:
            parameters.leaky_relu = {.negative_slope = what.fields<NumberFields>().value};
            break;
        default:
            given = nullptr;
            break;
    }
    return xnn_define_unary(what.graph, type, given, what.inputs[0], what.outputs[0], 0);
}

xnn_status defineBinary(const NodeToDefine& what) {
    const xnn_binary_params parameters{.output_min = what.range.min, .output_max = what.range.max};
    return xnn_define_binary(what.graph, static_cast<xnn_binary_operator>(what.node.facts->operation),
                             what.node.range ? &parameters : nullptr, what.inputs[0], what.inputs[1],
                             what.outputs[0], 0);
}

xnn_status defineSoftmax(const NodeToDefine& what) {
    return xnn_define_softmax(what.graph, what.inputs[0], what.outputs[0], 0);
}

xnn_status defineCopy(const NodeToDefine& what) {
    return xnn_define_copy(what.graph, what.inputs[0], what.outputs[0], 0);
}

}  // namespace et::backends::xnnpack
