#include "backends/xnnpack/nodes/define_node.h"
#include "backends/xnnpack/nodes/detail/node_reader.h"
#include "backends/xnnpack/nodes/dimension_order.h"
#include "backends/xnnpack/nodes/forms.h"
#include "backends/xnnpack/nodes/reuse_limits.h"
#include "backends/xnnpack/nodes/shape_step.h"
#include "backends/xnnpack/nodes/signatures.h"
#include "backends/xnnpack/nodes/windows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

// Nodes that move elements, and resizing, which interpolates.
namespace et::backends::xnnpack {

using core::ErrorCode;
using core::Result;

namespace {

/// Limit for image padding, which the library adds to that of a convolution.
constexpr std::uint32_t maxPadding = 1U << 23U;
/// The library counts pixels in fp32 when resizing.
constexpr std::size_t maxResized = 1U << 24U;

/// Numbers of the payload in the form that the library accepts. Ranks are at most XNN_MAX_TENSOR_DIMS.
class Numbers {
  public:
    explicit Numbers(std::span<const std::uint32_t> from) { std::ranges::copy(from, numbers.begin()); }
    [[nodiscard]] const std::size_t* data() const { return numbers.data(); }

  private:
    std::array<std::size_t, XNN_MAX_TENSOR_DIMS> numbers{};
};

// Concatenate

Result<> readConcatenate(NodeReader& reader) {
    const auto& from = reader.as<schema::Concatenate>();
    // Serialized from a signed number.
    reader.node.fields = ConcatenateFields{.axis = static_cast<std::int32_t>(from.axis())};
    ET_TRY(reader.ends(from, {}));
    const std::array all{from.input1(), from.input2(), from.input3(), from.input4(), from.input5()};
    for (std::size_t i = 0; i < reader.node.traits->inputs; ++i) {
        ET_ASSIGN(const ValueIndex index, reader.value(all[i]));
        reader.node.inputs.push_back(index);
    }
    return {};
}

Result<> shapeConcatenate(ShapeStep& step) {
    ValueSizes out = step.input(0);
    const std::int64_t rank = static_cast<std::int64_t>(out.size());
    std::int64_t axis = step.fields<ConcatenateFields>().axis;
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank) {
        return step.fail(
            fmt::format("expected an axis below {}, got {}", rank, step.fields<ConcatenateFields>().axis));
    }
    const auto at = static_cast<std::size_t>(axis);
    for (std::size_t i = 1; i < step.node.inputs.size(); ++i) {
        const ValueSizes& other = step.input(i);
        if (other.size() == out.size()) {
            const std::size_t joined = out[at] + other[at];
            out[at] = other[at];
            if (other == out) {
                out[at] = joined;
                continue;
            }
        }
        return step.fail(fmt::format("expected shapes that differ only along axis {}, got {} and {}", at,
                                     text(step.input(0)), text(other)));
    }
    return step.give(out);
}

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

// Transpose

Result<> readTranspose(NodeReader& reader) {
    const auto& from = reader.as<schema::Transpose>();
    ET_ASSIGN(auto order, reader.list(from.order()));
    reader.node.fields = TransposeFields{.order = std::move(order)};
    return reader.ends(from, {from.input()});
}

Result<> shapeTranspose(ShapeStep& step) {
    const auto& order = step.fields<TransposeFields>().order;
    const ValueSizes& in = step.input(0);
    std::vector<std::uint32_t> sorted = order;
    std::ranges::sort(sorted);
    bool isPermutation = sorted.size() == in.size() && !in.empty();
    for (std::uint32_t i = 0; isPermutation && i < sorted.size(); ++i) {
        isPermutation = sorted[i] == i;
    }
    if (!isPermutation) {
        return step.fail(fmt::format("expected a permutation of {} dimensions, got {}", in.size(),
                                     fmt::join(order, ", ")));
    }
    ValueSizes out = in;
    for (std::size_t i = 0; i < order.size(); ++i) {
        out[i] = in[order[i]];
    }
    return step.give(out);
}

xnn_status defineTranspose(const NodeToDefine& what) {
    const auto& order = what.fields<TransposeFields>().order;
    return xnn_define_static_transpose(what.graph, order.size(), Numbers(order).data(), what.inputs[0],
                                       what.outputs[0], 0);
}

/// A transposition without a debug handle was added by lowering and is not in the graph.
DimensionOrder followTranspose(const PayloadNode& node, const DimensionOrder& order) {
    const auto& moved = std::get<TransposeFields>(node.fields).order;
    if (moved.size() != order.size()) {
        return order;
    }
    if (node.debugHandle != noDebugHandle) {
        return memoryOrder(order.size());
    }
    DimensionOrder place(moved.size());  // new position of each dimension
    for (std::size_t i = 0; i < moved.size(); ++i) {
        place[moved[i] % moved.size()] = static_cast<std::uint8_t>(i);
    }
    DimensionOrder turned = order;
    for (std::uint8_t& each : turned) {
        each = place[each];
    }
    return turned;
}

// Reshape

Result<> readReshape(NodeReader& reader) {
    const auto& from = reader.as<schema::Reshape>();
    ET_ASSIGN(auto sizes, reader.list(from.sizes()));
    reader.node.fields = ReshapeFields{.sizes = std::move(sizes)};
    return reader.ends(from, {from.input()});
}

Result<> shapeReshape(ShapeStep& step) {
    const auto& sizes = step.fields<ReshapeFields>().sizes;
    std::size_t whole = 1;
    for (const std::size_t size : step.input(0)) {
        whole *= size;
    }
    std::size_t given = 1;
    for (const std::uint32_t size : sizes) {
        const std::size_t factor = std::max(size, 1U);
        given = given > maxElements / factor ? maxElements + 1 : given * factor;
    }
    const auto open = std::ranges::count(sizes, 0U);
    if (given > maxElements || open > 1 || (open == 1 ? whole == 0 || whole % given != 0 : whole != given)) {
        return step.fail(
            fmt::format("expected a shape of {} elements, got [{}]", whole, fmt::join(sizes, ", ")));
    }
    ValueSizes out;
    for (const std::uint32_t size : sizes) {
        out.push_back(size == 0 ? whole / given : size);
    }
    return step.give(out);
}

xnn_status defineReshape(const NodeToDefine& what) {
    const auto& sizes = what.fields<ReshapeFields>().sizes;
    return xnn_define_static_reshape(what.graph, sizes.size(), Numbers(sizes).data(), what.inputs[0],
                                     what.outputs[0], 0);
}

DimensionOrder followReshape(const PayloadNode& /*node*/, const DimensionOrder& order) {
    return memoryOrder(order.size());
}

// Slice

Result<> readSlice(NodeReader& reader) {
    const auto& from = reader.as<schema::Slice>();
    ET_ASSIGN(auto offsets, reader.list(from.offsets()));
    ET_ASSIGN(auto sizes, reader.list(from.sizes()));
    reader.node.fields = SliceFields{.offsets = std::move(offsets), .sizes = std::move(sizes)};
    return reader.ends(from, {from.input()});
}

Result<> shapeSlice(ShapeStep& step) {
    const auto& from = step.fields<SliceFields>();
    const ValueSizes& in = step.input(0);
    ValueSizes out = in;
    bool fits = from.offsets.size() == in.size() && from.sizes.size() == in.size() && !in.empty();
    for (std::size_t i = 0; fits && i < in.size(); ++i) {
        out[i] = from.sizes[i];
        fits = from.sizes[i] != 0 && std::size_t{from.offsets[i]} + from.sizes[i] <= in[i];
    }
    if (!fits) {
        return step.fail(fmt::format("expected a part of {}, got [{}] at [{}]", text(in),
                                     fmt::join(from.sizes, ", "), fmt::join(from.offsets, ", ")));
    }
    return step.give(out);
}

xnn_status defineSlice(const NodeToDefine& what) {
    const auto& from = what.fields<SliceFields>();
    return xnn_define_static_slice(what.graph, from.sizes.size(), Numbers(from.offsets).data(),
                                   Numbers(from.sizes).data(), what.inputs[0], what.outputs[0], 0);
}

// Pad

Result<> readPad(NodeReader& reader) {
    const auto& from = reader.as<schema::Pad>();
    ET_ASSIGN(auto before, reader.list(from.before()));
    ET_ASSIGN(auto after, reader.list(from.after()));
    reader.node.fields =
        PadFields{.before = std::move(before), .after = std::move(after), .value = from.number()};
    return reader.ends(from, {from.input()});
}

/// Rejects a padding value that cannot be quantized.
Result<> checkPad(const Payload& payload, std::size_t index) {
    const PayloadNode& node = payload.nodes[index];
    const bool isQuantized = payload.value(node.outputs[0]).quantization.index() != 0;
    if (!isQuantized || !std::isnan(std::get<PadFields>(node.fields).value)) {
        return {};
    }
    return core::fail(ErrorCode::Format, "expected a number to pad with, got none",
                      {.file = {}, .field = fmt::format("nodes[{}]", index), .offset = {}});
}

Result<> shapePad(ShapeStep& step) {
    const auto& from = step.fields<PadFields>();
    ValueSizes out = step.input(0);
    if (from.before.size() != out.size() || from.after.size() != out.size() || out.empty()) {
        return step.fail(fmt::format("expected padding for {} dimensions, got {} and {}", out.size(),
                                     from.before.size(), from.after.size()));
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] += std::size_t{from.before[i]} + from.after[i];
        if (out.size() == 4 && (from.before[i] > maxPadding || from.after[i] > maxPadding)) {
            return step.fail(fmt::format("expected padding up to {}, got {} and {}", maxPadding,
                                         from.before[i], from.after[i]));
        }
    }
    return step.give(out);
}

xnn_status definePad(const NodeToDefine& what) {
    const auto& from = what.fields<PadFields>();
    return xnn_define_static_constant_pad(what.graph, Numbers(from.before).data(), Numbers(from.after).data(),
                                          from.value, what.inputs[0], what.outputs[0], 0);
}

// Resize

Result<> readResize(NodeReader& reader) {
    const auto& from = reader.as<schema::Resize>();
    reader.node.fields = ResizeFields{.size = {from.height(), from.width()}};
    return reader.ends(from, {from.input()});
}

Result<> shapeResize(ShapeStep& step) {
    const HeightWidth size = step.fields<ResizeFields>().size;
    ET_TRY(step.requireImage());
    const ValueSizes& in = step.input(0);
    if (size.height == 0 || size.width == 0 || size.height > largestStep || size.width > largestStep) {
        return step.fail(
            fmt::format("expected a size up to {}, got {} x {}", largestStep, size.height, size.width));
    }
    if (std::max(in[Height], in[Width]) >= maxResized) {
        return step.fail(fmt::format("expected fewer than {} pixels per side, got {}", maxResized, text(in)));
    }
    step.bookkeeping = std::uint64_t{size.height} * size.width * 2 * (2 * sizeof(void*));
    return step.give({in[Batch], size.height, size.width, in[Channels]});
}

xnn_status defineResize(const NodeToDefine& what) {
    const HeightWidth size = what.fields<ResizeFields>().size;
    return xnn_define_static_resize_bilinear_2d(what.graph, size.height, size.width, what.inputs[0],
                                                what.outputs[0], what.node.flags);
}

constexpr std::array resizeFlags{NodeFlag{XNN_FLAG_TENSORFLOW_LEGACY_MODE, "legacy mode"},
                                 NodeFlag{XNN_FLAG_ALIGN_CORNERS, "aligned corners"}};

}  // namespace

constinit const NodeFormInfo concatenateForm{.form = NodeForm::Concatenate,
                                             .cost = core::Cost::Copy,
                                             .read = readConcatenate,
                                             .accepts = haveOneType<floatsAndBytes>,
                                             .shape = shapeConcatenate,
                                             .define = defineConcatenate,
                                             .isOperatorEachInput = true};

constinit const NodeFormInfo transposeForm{.form = NodeForm::Transpose,
                                           .cost = core::Cost::Copy,
                                           .read = readTranspose,
                                           .accepts = haveOneType<anyActivation>,
                                           .shape = shapeTranspose,
                                           .define = defineTranspose,
                                           .follow = followTranspose};

constinit const NodeFormInfo reshapeForm{.form = NodeForm::Reshape,
                                         .cost = core::Cost::Copy,
                                         .read = readReshape,
                                         .accepts = haveOneType<anyActivation>,
                                         .shape = shapeReshape,
                                         .define = defineReshape,
                                         .follow = followReshape};

constinit const NodeFormInfo sliceForm{.form = NodeForm::Slice,
                                       .cost = core::Cost::Selection,
                                       .read = readSlice,
                                       .accepts = haveOneType<floatsAndBytes>,
                                       .shape = shapeSlice,
                                       .define = defineSlice};

constinit const NodeFormInfo padForm{.form = NodeForm::Pad,
                                     .cost = core::Cost::Copy,
                                     .read = readPad,
                                     .accepts = haveOneType<floatsAndBytes>,
                                     .check = checkPad,
                                     .shape = shapePad,
                                     .define = definePad,
                                     .fusesIntoReader = true};

constinit const NodeFormInfo resizeForm{.form = NodeForm::Resize,
                                        .cost = core::Cost::Bilinear,
                                        .read = readResize,
                                        .accepts = haveOneType<floatsAndBytes>,
                                        .shape = shapeResize,
                                        .define = defineResize,
                                        .limitReuse = keepChannels,
                                        .flags = resizeFlags};

}  // namespace et::backends::xnnpack
