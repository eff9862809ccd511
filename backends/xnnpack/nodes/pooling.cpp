#include "backends/xnnpack/nodes/define_node.h"
#include "backends/xnnpack/nodes/detail/node_reader.h"
#include "backends/xnnpack/nodes/forms.h"
#include "backends/xnnpack/nodes/fusion_hazards.h"
#include "backends/xnnpack/nodes/reuse_limits.h"
#include "backends/xnnpack/nodes/shape_step.h"
#include "backends/xnnpack/nodes/signatures.h"
#include "backends/xnnpack/nodes/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

// Pooling: one result per window, or per whole image.
namespace et::backends::xnnpack {

using core::ErrorCode;
using core::Result;

namespace {

/// The library counts the elements of a window with fewer bits.
constexpr std::uint64_t maxWindow = 1U << 24U;

Result<> readPooling(NodeReader& reader) {
    const auto& from = reader.as<schema::Pooling>();
    reader.node.fields = PoolingFields{.padding = NodeReader::padding(from),
                                       .window = {from.window_height(), from.window_width()},
                                       .stride = {from.stride_height(), from.stride_width()},
                                       .dilation = {from.dilation_height(), from.dilation_width()}};
    return reader.ends(from, {from.input()});
}

Result<> readArgMaxPooling(NodeReader& reader) {
    const auto& from = reader.as<schema::ArgMaxPooling>();
    const HeightWidth window{from.window_height(), from.window_width()};
    reader.node.fields = PoolingFields{
        .padding = NodeReader::padding(from), .window = window, .stride = window, .dilation = {1, 1}};
    ET_TRY(reader.ends(from, {from.input()}));
    ET_ASSIGN(const ValueIndex index, reader.value(from.output_index()));
    reader.node.outputs.push_back(index);
    return {};
}

bool acceptsArgMax(const NodeTypes& types) {
    return types.input(0) == Datatype::Fp32 && types.output() == Datatype::Fp32 &&
           types.output(1) == Datatype::Int32;
}

/// Asserted by the library.
Result<> checkRange(const Payload& payload, std::size_t index) {
    const PayloadNode& node = payload.nodes[index];
    if (!node.range || isMoreThanOne(*node.range, payload.value(node.outputs[0]))) {
        return {};
    }
    return core::fail(ErrorCode::Format,
                      fmt::format("{}: the range {} to {} is a single number in the output",
                                  node.traits->name, node.range->min, node.range->max),
                      {.file = {}, .field = fmt::format("nodes[{}]", index), .offset = {}});
}

bool isPadded(const std::array<WindowAxis, 2>& both) {
    return std::ranges::any_of(both,
                               [](const WindowAxis& axis) { return axis.before != 0 || axis.after != 0; });
}

bool isDilated(const std::array<WindowAxis, 2>& both) {
    return both[0].dilation > 1 || both[1].dilation > 1;
}

/// `isInside`: whether the library pools without reading outside the image.
Result<> shapePooling(ShapeStep& step, const std::array<WindowAxis, 2>& both,
                      bool (*isInside)(const std::array<WindowAxis, 2>&)) {
    ET_ASSIGN(const ValueSizes out, slide(step, both, step.input(0)[Channels]));
    if (std::uint64_t{both[0].window} * both[1].window >= maxWindow) {
        return step.fail(fmt::format("no support for windows of {} x {}", both[0].window, both[1].window),
                         ErrorCode::Unsupported);
    }
    if (!isInside(both)) {
        return step.fail(fmt::format("no support for padding that windows of {} x {} reach on both sides",
                                     both[0].window, both[1].window),
                         ErrorCode::Unsupported);
    }
    for (std::size_t i = 1; i < step.node.outputs.size(); ++i) {
        ET_TRY(step.give(out, i));
    }
    return step.give(out);
}

std::array<WindowAxis, 2> poolingAxes(const ShapeStep& step, const HeightWidth& dilation) {
    const auto& from = step.fields<PoolingFields>();
    return windowAxes(step.input(0), from.padding, from.window, from.stride, dilation);
}

bool isMaximumInside(const std::array<WindowAxis, 2>& both) {
    return !isDilated(both) || (both[0].isMaximumInside() && both[1].isMaximumInside());
}

Result<> shapeAveragePooling(ShapeStep& step) {
    ET_TRY(step.requireImage());
    return shapePooling(step, poolingAxes(step, {1, 1}), [](const std::array<WindowAxis, 2>& both) {
        return !isPadded(both) || both[0].isAverageRight();
    });
}

Result<> shapeMaxPooling(ShapeStep& step) {
    ET_TRY(step.requireImage());
    return shapePooling(step, poolingAxes(step, step.fields<PoolingFields>().dilation), isMaximumInside);
}

Result<> shapeArgMaxPooling(ShapeStep& step) {
    ET_TRY(step.requireImage());
    return shapePooling(step, poolingAxes(step, {1, 1}), isMaximumInside);
}

Result<> shapeGlobalAveragePooling(ShapeStep& step) {
    ET_TRY(step.requireImage());
    const ValueSizes& in = step.input(0);
    const bool keeps = (step.node.flags & XNN_FLAG_KEEP_DIMS) != 0;
    return step.give(keeps ? ValueSizes{in[Batch], 1, 1, in[Channels]} : ValueSizes{in[Batch], in[Channels]});
}

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

/// Other datatypes accumulate in a buffer of fixed size.
void keepInputUnlessFp32(const Payload& payload, std::size_t node, ReuseLimits& limits) {
    if (payload.value(payload.nodes[node].inputs[0]).datatype != Datatype::Fp32) {
        keepInput(payload, node, limits);
    }
}

constexpr std::array keepDims{NodeFlag{XNN_FLAG_KEEP_DIMS, "kept dimensions"}};

}  // namespace

constinit const NodeFormInfo averagePoolingForm{.form = NodeForm::AveragePooling,
                                                .cost = core::Cost::NhwcAveragePool,
                                                .read = readPooling,
                                                .accepts = haveOneType<floats>,
                                                .shape = shapeAveragePooling,
                                                .define = defineAveragePooling,
                                                .fusesClamp = fusesAnyClamp,
                                                .limitReuse = keepChannels,
                                                .flags = keepDims};

constinit const NodeFormInfo maxPoolingForm{.form = NodeForm::MaxPooling,
                                            .cost = core::Cost::NhwcMaxPool,
                                            .read = readPooling,
                                            .accepts = haveOneType<floatsAndBytes>,
                                            .check = checkRange,
                                            .shape = shapeMaxPooling,
                                            .define = defineMaxPooling,
                                            .fusesClamp = fusesAnyClamp,
                                            .limitReuse = keepChannels,
                                            .flags = keepDims};

constinit const NodeFormInfo argMaxPoolingForm{.form = NodeForm::ArgMaxPooling,
                                               .cost = core::Cost::NhwcMaxPool,
                                               .read = readArgMaxPooling,
                                               .accepts = acceptsArgMax,
                                               .shape = shapeArgMaxPooling,
                                               .define = defineArgMaxPooling,
                                               .limitReuse = keepInput};

constinit const NodeFormInfo globalAveragePoolingForm{.form = NodeForm::GlobalAveragePooling,
                                                      .cost = core::Cost::Mean,
                                                      .read = readUnary,
                                                      .accepts = haveOneType<floatsAndBytes>,
                                                      .shape = shapeGlobalAveragePooling,
                                                      .define = defineGlobalAveragePooling,
                                                      .limitReuse = keepInputUnlessFp32,
                                                      .flags = keepDims};

}  // namespace et::backends::xnnpack
