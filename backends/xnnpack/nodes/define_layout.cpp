#include "backends/xnnpack/nodes/define_node.h"

#include <algorithm>
#include <span>

namespace et::backends::xnnpack {
namespace {

/// Numbers of the payload as the library takes them. Ranks are at most XNN_MAX_TENSOR_DIMS.
class Numbers {
  public:
    explicit Numbers(std::span<const std::uint32_t> from) { std::ranges::copy(from, numbers.begin()); }
    [[nodiscard]] const std::size_t* data() const { return numbers.data(); }

  private:
    std::array<std::size_t, XNN_MAX_TENSOR_DIMS> numbers{};
};

}  // namespace

xnn_status defineConcatenate(const NodeToDefine& what) {
    const std::int32_t axis = what.fields<ConcatenateFields>().axis;
    const auto& in = what.inputs;
    switch (what.node.inputs.size()) {
        case 2:
            return xnn_define_concatenate2(what.graph, axis, in[0], in[1], what.outputs[0], 0);
        case 3:
            return xnn_define_concatenate3(what.graph, axis, in[0], in[1], in[2], what.outputs[0], 0);
        case 4:
            return xnn_define_concatenate4(what.graph, axis, in[0], in[1], in[2], in[3], what.outputs[0], 0);
        default:
            return xnn_define_concatenate5(what.graph, axis, in[0], in[1], in[2], in[3], in[4],
                                           what.outputs[0], 0);
    }
}

xnn_status defineTranspose(const NodeToDefine& what) {
    const auto& order = what.fields<TransposeFields>().order;
    return xnn_define_static_transpose(what.graph, order.size(), Numbers(order).data(), what.inputs[0],
                                       what.outputs[0], 0);
}

xnn_status defineReshape(const NodeToDefine& what) {
    const auto& sizes = what.fields<ReshapeFields>().sizes;
    return xnn_define_static_reshape(what.graph, sizes.size(), Numbers(sizes).data(), what.inputs[0],
                                     what.outputs[0], 0);
}

xnn_status defineSlice(const NodeToDefine& what) {
    const auto& from = what.fields<SliceFields>();
    return xnn_define_static_slice(what.graph, from.sizes.size(), Numbers(from.offsets).data(),
                                   Numbers(from.sizes).data(), what.inputs[0], what.outputs[0], 0);
}

xnn_status definePad(const NodeToDefine& what) {
    const auto& from = what.fields<PadFields>();
    return xnn_define_static_constant_pad(what.graph, Numbers(from.before).data(), Numbers(from.after).data(),
                                          from.value, what.inputs[0], what.outputs[0], 0);
}

xnn_status defineResize(const NodeToDefine& what) {
    const HeightWidth size = what.fields<ResizeFields>().size;
    return xnn_define_static_resize_bilinear_2d(what.graph, size.height, size.width, what.inputs[0],
                                                what.outputs[0], what.node.flags);
}

}  // namespace et::backends::xnnpack
