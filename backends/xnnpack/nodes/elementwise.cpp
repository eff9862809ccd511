#include "backends/xnnpack/nodes/define_node.h"
#include "backends/xnnpack/nodes/detail/node_reader.h"
#include "backends/xnnpack/nodes/forms.h"
#include "backends/xnnpack/nodes/reuse_limits.h"
#include "backends/xnnpack/nodes/shape_step.h"
#include "backends/xnnpack/nodes/signatures.h"

#include <fmt/format.h>

#include <algorithm>

// Elementwise nodes.
namespace et::backends::xnnpack {

using core::Result;

namespace {

/// Name in library versions that lack a name for the kind.
constexpr std::string_view unnamedUnary = "Invalid Unary Op";

Result<> readUnaryNumber(NodeReader& reader) {
    const auto& from = reader.as<schema::UnaryNumber>();
    reader.node.fields = NumberFields{.value = from.number()};
    return reader.ends(from, {from.input()});
}

bool acceptsConversion(const NodeTypes& types) {
    return types.output() == Datatype::QDInt8
               ? has(floats, types.input(0))
               : has(anyActivation, types.input(0)) && has(anyActivation, types.output());
}

bool acceptsBinary(const NodeTypes& types) {
    // The library's integer division may divide by zero.
    const bool mayTrap = types.kind() == NodeKind::Divide && types.output() == Datatype::Int32;
    return haveOneTypeOf(anyActivation, types) && !mayTrap;
}

Result<> sameShape(ShapeStep& step) {
    return step.give(step.input(0));
}

Result<> sameRows(ShapeStep& step) {
    return step.input(0).empty() ? step.fail("expected at least one dimension") : step.give(step.input(0));
}

Result<> broadcastShape(ShapeStep& step) {
    const ValueSizes& a = step.input(0);
    const ValueSizes& b = step.input(1);
    ValueSizes out(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 1; i <= out.size(); ++i) {
        const std::size_t x = i <= a.size() ? a[a.size() - i] : 1;
        const std::size_t y = i <= b.size() ? b[b.size() - i] : 1;
        if (x != y && x != 1 && y != 1) {
            return step.fail(fmt::format("expected shapes that broadcast, got {} and {}", text(a), text(b)));
        }
        out[out.size() - i] = x == 1 ? y : x;
    }
    return step.give(out);
}

xnn_status defineUnary(const NodeToDefine& what) {
    const auto type = static_cast<xnn_unary_operator>(what.node.traits->operation);
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
    return xnn_define_binary(what.graph, static_cast<xnn_binary_operator>(what.node.traits->operation),
                             what.node.range ? &parameters : nullptr, what.inputs[0], what.inputs[1],
                             what.outputs[0], 0);
}

xnn_status defineSoftmax(const NodeToDefine& what) {
    return xnn_define_softmax(what.graph, what.inputs[0], what.outputs[0], 0);
}

xnn_status defineCopy(const NodeToDefine& what) {
    return xnn_define_copy(what.graph, what.inputs[0], what.outputs[0], 0);
}

bool isClamp(const PayloadNode& node) {
    return node.traits->kind == NodeKind::Clamp;
}

bool hasRange(const PayloadNode& node) {
    return node.range.has_value();
}

void keepSharing(const Payload& /*payload*/, std::size_t node, ReuseLimits& limits) {
    limits.broadcasting.push_back(node);
}

}  // namespace

constinit const NodeFormInfo unaryForm{.form = NodeForm::Unary,
                                       .cost = core::Cost::ElementWise,
                                       .read = readUnary,
                                       .accepts = haveOneType<anyActivation>,
                                       .shape = sameShape,
                                       .define = defineUnary,
                                       .fusesClamp = isClamp,
                                       .laterNames = unnamedUnary};

constinit const NodeFormInfo unaryNumberForm{.form = NodeForm::UnaryNumber,
                                             .cost = core::Cost::ElementWise,
                                             .read = readUnaryNumber,
                                             .accepts = haveOneType<floatsAndBytes>,
                                             .shape = sameShape,
                                             .define = defineUnary,
                                             .laterNames = unnamedUnary};

constinit const NodeFormInfo convertForm{.form = NodeForm::Convert,
                                         .cost = core::Cost::ElementWise,
                                         .read = readUnary,
                                         .accepts = acceptsConversion,
                                         .shape = sameShape,
                                         .define = defineUnary,
                                         .laterNames = unnamedUnary};

constinit const NodeFormInfo binaryForm{.form = NodeForm::Binary,
                                        .cost = core::Cost::ElementWise,
                                        .read = readBinary,
                                        .accepts = acceptsBinary,
                                        .shape = broadcastShape,
                                        .define = defineBinary,
                                        .fusesClamp = hasRange,
                                        .limitReuse = keepSharing};

constinit const NodeFormInfo softmaxForm{.form = NodeForm::Softmax,
                                         .cost = core::Cost::Softmax,
                                         .read = readUnary,
                                         .accepts = haveOneType<floats>,
                                         .shape = sameRows,
                                         .define = defineSoftmax};

constinit const NodeFormInfo copyForm{.form = NodeForm::Copy,
                                      .cost = core::Cost::Copy,
                                      .read = readUnary,
                                      .accepts = haveOneType<anyActivation>,
                                      .shape = sameShape,
                                      .define = defineCopy};

}  // namespace et::backends::xnnpack
