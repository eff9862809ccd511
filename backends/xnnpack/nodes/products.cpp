#include "backends/xnnpack/nodes/define_node.h"
#include "backends/xnnpack/nodes/detail/node_reader.h"
#include "backends/xnnpack/nodes/forms.h"
#include "backends/xnnpack/nodes/fusion_hazards.h"
#include "backends/xnnpack/nodes/reuse_limits.h"
#include "backends/xnnpack/nodes/shape_step.h"
#include "backends/xnnpack/nodes/signatures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

// Matrix products.
namespace et::backends::xnnpack {

using core::ErrorCode;
using core::Result;

namespace {

Result<> readFullyConnected(NodeReader& reader) {
    return reader.weighted(reader.as<schema::FullyConnected>());
}

Result<> readAttention(NodeReader& reader) {
    const auto& from = reader.as<schema::Attention>();
    return reader.ends(from, {from.query(), from.key(), from.value(), from.scale(), from.mask()});
}

bool acceptsFullyConnected(const NodeTypes& types) {
    using enum Datatype;
    static constexpr std::array products = std::to_array<ProductTypes>({
        {Fp32, Fp32, Fp32, Fp32},
        {Fp16, Fp32, Fp32, Fp16},
        {Fp16, Fp16, Fp16, Fp16},
        {QInt8, QInt8, QInt32, QInt8},
        {QUInt8, QUInt8, QInt32, QUInt8},
        {QInt8, QCInt8, QCInt32, QInt8},
        {QDInt8, QCInt8, Fp32, Fp32},
        {QDInt8, QCInt8, Fp32, Fp16},
        {Fp32, QCInt8, Fp32, Fp32},
        {Fp32, QCInt4, Fp32, Fp32},
        {QDInt8, QCInt4, Fp32, Fp32},
        {QDInt8, QCInt4, Fp32, Fp16},
        {QDInt8, QBInt4, Fp32, Fp32},
        {QDInt8, QBInt4, Fp32, Fp16},
    });
    return isProductOf(products, Filter::MayVary, types);
}

bool acceptsBatchMatrixMultiply(const NodeTypes& types) {
    using enum Datatype;
    static constexpr std::array products = std::to_array<ProductTypes>(
        {{Fp32, Fp32, Invalid, Fp32}, {Fp16, Fp16, Invalid, Fp16}, {QDInt8, QCInt8, Invalid, Fp32}});
    return isProductOf(products, Filter::MayVary, types);
}

Result<> shapeFullyConnected(ShapeStep& step) {
    const bool transposed = (step.node.flags & XNN_FLAG_TRANSPOSE_WEIGHTS) != 0;
    ValueSizes out = step.input(0);
    const ValueSizes& filter = step.input(1);
    if (out.empty() || filter.size() != 2 || filter[0] == 0 || filter[1] == 0 ||
        out.back() != filter[transposed ? 0 : 1]) {
        return step.fail(
            fmt::format("expected a filter for inputs {}, got {}", text(step.input(0)), text(filter)));
    }
    out[out.size() - 1] = filter[transposed ? 1 : 0];
    if (transposed && datatypeInfo(step.inputValue(1).datatype)->bits < 8) {
        return step.fail("no support for transposed filters of 4 bits", ErrorCode::Unsupported);
    }
    ET_TRY(step.requireBias(out.back()));
    ET_TRY(step.requireChannelDim(transposed ? 1 : 0));
    return step.give(out);
}

/// The library reads a scale for each column of each matrix, but the payload only has those of one matrix.
Result<> requireOneMatrix(const ShapeStep& step, const ValueSizes& filter, std::size_t columns) {
    if (!std::holds_alternative<PerChannelQuantization>(step.inputValue(1).quantization)) {
        return {};
    }
    ET_TRY(step.requireChannelDim(static_cast<std::uint32_t>(columns)));
    if (!std::ranges::all_of(std::span<const std::size_t>(filter).first(filter.size() - 2),
                             [](std::size_t size) { return size == 1; })) {
        return step.fail(fmt::format("no support for a stack of quantized matrices {}", text(filter)),
                         ErrorCode::Unsupported);
    }
    return {};
}

Result<> shapeBatchMatrixMultiply(ShapeStep& step) {
    const ValueSizes& a = step.input(0);
    const ValueSizes& b = step.input(1);
    const std::size_t rank = a.size();
    const bool transposed = (step.node.flags & XNN_FLAG_TRANSPOSE_B) != 0;
    if (rank < 3 || b.size() != rank || a[rank - 1] != b[transposed ? rank - 1 : rank - 2]) {
        return step.fail(
            fmt::format("expected stacks of matrices that fit, got {} and {}", text(a), text(b)));
    }
    ValueSizes out = a;
    out[rank - 1] = b[transposed ? rank - 2 : rank - 1];
    for (std::size_t i = 0; i + 2 < rank; ++i) {
        if (a[i] != b[i] && a[i] != 1 && b[i] != 1) {
            return step.fail(fmt::format("expected stacks that broadcast, got {} and {}", text(a), text(b)));
        }
        out[i] = a[i] == 1 ? b[i] : a[i];
    }
    ET_TRY(requireOneMatrix(step, b, transposed ? rank - 2 : rank - 1));
    return step.give(out);
}

Result<> shapeAttention(ShapeStep& step) {
    const ValueSizes& query = step.input(0);
    const ValueSizes& key = step.input(1);
    const ValueSizes& value = step.input(2);
    const auto headed = [&](const ValueSizes& sizes) {
        return sizes.size() == 4 && sizes[0] == query[0] && sizes[1] == query[1];
    };
    if (query.size() != 4 || !headed(key) || !headed(value) || key[3] != query[3] || value[2] != key[2] ||
        !(step.input(3) == ValueSizes{query[3]}) || !(step.input(4) == ValueSizes{query[2], key[2]})) {
        return step.fail(
            fmt::format("expected queries, keys, values, a scale and a mask that fit, got {}, {}, {}, {}, {}",
                        text(query), text(key), text(value), text(step.input(3)), text(step.input(4))));
    }
    return step.give({query[0], query[1], query[2], value[3]});
}

xnn_status defineFullyConnected(const NodeToDefine& what) {
    return xnn_define_fully_connected(what.graph, what.range.min, what.range.max, what.inputs[0],
                                      what.inputs[1], what.inputs[2], what.outputs[0], what.node.flags);
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

void keepInputs(const Payload& payload, std::size_t node, ReuseLimits& limits) {
    const auto& inputs = payload.nodes[node].inputs;
    limits.fixed.insert(limits.fixed.end(), inputs.begin(), inputs.end());
}

constexpr std::array fullyConnectedFlags{NodeFlag{XNN_FLAG_TRANSPOSE_WEIGHTS, "transposed weights"}};
constexpr std::array batchMatrixMultiplyFlags{NodeFlag{XNN_FLAG_TRANSPOSE_B, "transposed second input"}};

}  // namespace

constinit const NodeFormInfo fullyConnectedForm{.form = NodeForm::FullyConnected,
                                                .cost = core::Cost::Linear,
                                                .read = readFullyConnected,
                                                .accepts = acceptsFullyConnected,
                                                .shape = shapeFullyConnected,
                                                .define = defineFullyConnected,
                                                .fusesClamp = fusesAnyClamp,
                                                .flags = fullyConnectedFlags,
                                                .inputNames = "input filter bias",
                                                .scaleDims = 1};

constinit const NodeFormInfo batchMatrixMultiplyForm{.form = NodeForm::BatchMatrixMultiply,
                                                     .cost = core::Cost::Product,
                                                     .read = readBinary,
                                                     .accepts = acceptsBatchMatrixMultiply,
                                                     .shape = shapeBatchMatrixMultiply,
                                                     .define = defineBatchMatrixMultiply,
                                                     .flags = batchMatrixMultiplyFlags,
                                                     .scaleDims = 1};

constinit const NodeFormInfo attentionForm{.form = NodeForm::Attention,
                                           .cost = core::Cost::Attention,
                                           .read = readAttention,
                                           .accepts = haveOneType<floats>,
                                           .shape = shapeAttention,
                                           .define = defineAttention,
                                           .limitReuse = keepInputs};

}  // namespace et::backends::xnnpack
