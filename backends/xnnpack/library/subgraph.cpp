#include "backends/xnnpack/library/subgraph.h"

#include "backends/xnnpack/nodes/define_node.h"
#include "backends/xnnpack/nodes/signatures.h"
#include "backends/xnnpack/own/node_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace et::backends::xnnpack {
namespace {

using core::ErrorCode;
using core::Result;

/// 4-bit weights are stored with this added.
constexpr std::int32_t int4ZeroPoint = 8;

struct StatusText {
    xnn_status status;
    std::string_view text;
};
constexpr std::array statusTexts = std::to_array<StatusText>({
    {xnn_status_uninitialized, "it is not initialised"},
    {xnn_status_invalid_parameter, "an argument is invalid"},
    {xnn_status_invalid_state, "it is in a wrong state"},
    {xnn_status_unsupported_parameter, "it does not support an argument"},
    {xnn_status_unsupported_hardware, "it does not support this on this CPU"},
    {xnn_status_out_of_memory, "it has no memory left"},
});

struct DatatypePair {
    Datatype ours;
    xnn_datatype library;
};
constexpr std::array datatypePairs = std::to_array<DatatypePair>({
    {Datatype::Fp32, xnn_datatype_fp32},
    {Datatype::Fp16, xnn_datatype_fp16},
    {Datatype::QInt8, xnn_datatype_qint8},
    {Datatype::QUInt8, xnn_datatype_quint8},
    {Datatype::QInt32, xnn_datatype_qint32},
    {Datatype::QCInt8, xnn_datatype_qcint8},
    {Datatype::QCInt32, xnn_datatype_qcint32},
    {Datatype::QCInt4, xnn_datatype_qcint4},
    {Datatype::QDInt8, xnn_datatype_qdint8},
    {Datatype::QBInt4, xnn_datatype_qbint4},
    {Datatype::Int32, xnn_datatype_int32},
});

xnn_datatype libraryType(Datatype type) {
    const auto found = std::ranges::find(datatypePairs, type, &DatatypePair::ours);
    return found == datatypePairs.end() ? xnn_datatype_invalid : found->library;
}

using Define = xnn_status (*)(const NodeToDefine&);

Define defineOf(NodeForm form) {
    switch (form) {
        case NodeForm::Unary:
        case NodeForm::UnaryNumber:
            return defineUnary;
        case NodeForm::Binary:
            return defineBinary;
        case NodeForm::BatchMatrixMultiply:
            return defineBatchMatrixMultiply;
        case NodeForm::Concatenate:
            return defineConcatenate;
        case NodeForm::FullyConnected:
            return defineFullyConnected;
        case NodeForm::Convolution:
            return defineConvolution;
        case NodeForm::DepthwiseConvolution:
            return defineDepthwiseConvolution;
        case NodeForm::TransposedConvolution:
            return defineTransposedConvolution;
        case NodeForm::AveragePooling:
            return defineAveragePooling;
        case NodeForm::MaxPooling:
            return defineMaxPooling;
        case NodeForm::ArgMaxPooling:
            return defineArgMaxPooling;
        case NodeForm::GlobalAveragePooling:
            return defineGlobalAveragePooling;
        case NodeForm::Softmax:
            return defineSoftmax;
        case NodeForm::Copy:
            return defineCopy;
        case NodeForm::Transpose:
            return defineTranspose;
        case NodeForm::Reshape:
            return defineReshape;
        case NodeForm::Slice:
            return defineSlice;
        case NodeForm::Pad:
            return definePad;
        case NodeForm::Resize:
            return defineResize;
        case NodeForm::Attention:
            break;
    }
    return defineAttention;
}

struct Dims {
    std::array<std::size_t, XNN_MAX_TENSOR_DIMS> sizes{};
    std::size_t rank = 0;
};

Dims dimsOf(std::span<const std::size_t> sizes) {
    Dims dims;
    std::ranges::copy(sizes, dims.sizes.begin());
    dims.rank = sizes.size();
    return dims;
}

class SubgraphBuilder {
  public:
    SubgraphBuilder(const Payload& from, const ConstantData& data, const Shapes& known, bool widen)
        : payload(from),
          constants(data),
          shapes(known),
          widenHalf(widen),
          paths(pathsOf(from, widen)),
          ids(from.values.size(), XNN_INVALID_VALUE_ID),
          wide(from.values.size(), XNN_INVALID_VALUE_ID),
          longer(from.values.size(), XNN_INVALID_VALUE_ID) {}

    Result<BuiltGraph> build() {
        xnn_subgraph_t made = nullptr;
        ET_TRY(checkStatus(
            xnn_create_subgraph(static_cast<std::uint32_t>(payload.externals.size()), 0, &made), "a graph"));
        built.graph.reset(made);
        for (ValueIndex i = 0; i < payload.values.size(); ++i) {
            if (payload.values[i].datatype != Datatype::Invalid) {  // it is of another part
                ET_TRY(defineValue(i));
            }
        }
        for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
            ET_TRY(defineNode(i));
        }
        return std::move(built);
    }

  private:
    [[nodiscard]] xnn_subgraph_t graph() const { return built.graph.get(); }

    Result<> defineValue(ValueIndex index) {
        const PayloadValue& value = payload.value(index);
        const auto external = std::ranges::find(payload.externals, index);
        const auto externalId = external == payload.externals.end()
                                    ? XNN_INVALID_VALUE_ID
                                    : static_cast<std::uint32_t>(external - payload.externals.begin());
        const std::uint32_t flags = (value.isInput ? XNN_VALUE_FLAG_EXTERNAL_INPUT : 0U) |
                                    (value.isOutput ? XNN_VALUE_FLAG_EXTERNAL_OUTPUT : 0U);
        return checkStatus(define(value, index, constantDims(index), externalId, flags, ids[index]),
                           fmt::format("values[{}] ({})", index, datatypeName(value.datatype)));
    }

    /// Older programs have a row as a bias, the library wants a list.
    Dims constantDims(ValueIndex index) const {
        Dims dims = dimsOf(shapes[index]);
        if (isBias(index)) {
            dims.sizes[0] = dims.sizes[dims.rank - 1];
            dims.rank = 1;
        }
        return dims;
    }

    bool isBias(ValueIndex index) const {
        return payload.value(index).constant != 0 && payload.value(index).sizes.size() == 2 &&
               std::ranges::any_of(payload.nodes, [&](const PayloadNode& node) {
                   return node.facts->form == NodeForm::FullyConnected && node.inputs[2] == index;
               });
    }

    xnn_status define(const PayloadValue& value, ValueIndex index, const Dims& dims, std::uint32_t externalId,
                      std::uint32_t flags, std::uint32_t& id) {
        const xnn_datatype type = libraryType(computedAs(value.datatype, widenHalf));
        const void* data = constants.data(index);
        if (const auto* tensor = std::get_if<PerTensorQuantization>(&value.quantization)) {
            return xnn_define_quantized_tensor_value(graph(), type, tensor->zeroPoint, tensor->scale,
                                                     dims.rank, dims.sizes.data(), data, externalId, flags,
                                                     &id);
        }
        if (const auto* channels = std::get_if<PerChannelQuantization>(&value.quantization)) {
            return xnn_define_channelwise_quantized_tensor_value_v2(
                graph(), type, value.datatype == Datatype::QCInt4 ? int4ZeroPoint : 0,
                constants.channelScales(index).data(), dims.rank, channels->channelDim, dims.sizes.data(),
                data, externalId, flags, &id);
        }
        if (const auto* rows = std::get_if<PerTokenQuantization>(&value.quantization)) {
            return xnn_define_dynamically_quantized_tensor_value(graph(), type, dims.rank, rows->nonbatchDims,
                                                                 dims.sizes.data(), externalId, flags, &id);
        }
        if (const auto* blocks = std::get_if<BlockwiseQuantization>(&value.quantization)) {
            return xnn_define_blockwise_quantized_tensor_value(
                graph(), type, int4ZeroPoint, constants.blockScales(index).data(), dims.rank,
                blocks->channelDim, blocks->blockSize, dims.sizes.data(), data, externalId, flags, &id);
        }
        return xnn_define_tensor_value(graph(), type, dims.rank, dims.sizes.data(), data, externalId, flags,
                                       &id);
    }

    Result<> defineNode(std::size_t index) {
        const PayloadNode& node = payload.nodes[index];
        if (isBlockwiseProduct(node)) {
            built.isForOneShape = true;
            if (rowsOf(node) > 1) {
                return defineLongerProduct(index);
            }
        }
        if (isOnlyForLongerProducts(node)) {
            return {};
        }
        if (paths[index] == NodePath::LibraryInFloat && !isCopy(node)) {
            return defineInFloat(index);
        }
        NodeToDefine what = nodeToDefine(node);
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            what.inputs[i] = node.inputs[i] == noValue ? XNN_INVALID_VALUE_ID : ids[node.inputs[i]];
        }
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            what.outputs[i] = ids[node.outputs[i]];
        }
        ET_TRY(checkSignature(payload, index, isCopy(node) ? NodeForm::Copy : node.facts->form, widenHalf));
        return add(index, isCopy(node) ? defineCopy(what) : defineOf(node.facts->form)(what),
                   isCopy(node) ? NodeKind::Copy : node.facts->kind);
    }

    NodeToDefine nodeToDefine(const PayloadNode& node) const {
        return {.graph = graph(),
                .node = node,
                .inputs = {},
                .outputs = {},
                .range = node.range.value_or(OutputRange{})};
    }

    bool isHalf(ValueIndex value) const { return payload.value(value).datatype == Datatype::Fp16; }

    Result<> defineFloat(const Dims& dims, const void* data, std::uint32_t& id) {
        return checkStatus(xnn_define_tensor_value(graph(), xnn_datatype_fp32, dims.rank, dims.sizes.data(),
                                                   data, XNN_INVALID_VALUE_ID, 0, &id),
                           "a value in fp32");
    }

    /// The value that a node in fp32 reads, as the library's id.
    Result<std::uint32_t> wideInput(std::size_t index, ValueIndex value) {
        if (value == noValue || !isHalf(value)) {
            return value == noValue ? XNN_INVALID_VALUE_ID : ids[value];
        }
        if (wide[value] == XNN_INVALID_VALUE_ID) {
            const void* constant = constants.wideData(value);
            ET_TRY(defineFloat(constantDims(value), constant, wide[value]));
            if (constant == nullptr) {
                ET_TRY(add(index,
                           xnn_define_unary(graph(), xnn_unary_convert, nullptr, ids[value], wide[value], 0),
                           NodeKind::Convert));
            }
        }
        return wide[value];
    }

    /// A node in fp32 whose outputs are rounded to fp16.
    Result<> defineInFloat(std::size_t index) {
        const PayloadNode& node = payload.nodes[index];
        NodeToDefine what = nodeToDefine(node);
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            ET_ASSIGN(what.inputs[i], wideInput(index, node.inputs[i]));
        }
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            what.outputs[i] = ids[node.outputs[i]];
            if (isHalf(node.outputs[i])) {
                ET_TRY(defineFloat(dimsOf(shapes[node.outputs[i]]), nullptr, what.outputs[i]));
            }
        }
        ET_TRY(checkSignature(payload, index, node.facts->form, true));
        ET_TRY(add(index, defineOf(node.facts->form)(what), node.facts->kind));
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            if (isHalf(node.outputs[i])) {
                ET_TRY(add(index,
                           xnn_define_unary(graph(), xnn_unary_convert, nullptr, what.outputs[i],
                                            ids[node.outputs[i]], 0),
                           NodeKind::Convert));
            }
        }
        return {};
    }

    /// Notes the node of the library that was just defined.
    Result<> add(std::size_t index, xnn_status status, NodeKind kind) {
        const PayloadNode& node = payload.nodes[index];
        ET_TRY(checkStatus(status, fmt::format("nodes[{}] ({} of {})", index, node.facts->name,
                                               datatypeName(payload.value(node.inputs[0]).datatype))));
        const NodeKindFacts* facts = nodeKind(static_cast<std::uint8_t>(kind));
        // The library joins tensors by copying each.
        const std::size_t operators = facts->form == NodeForm::Concatenate ? facts->inputs : 1;
        built.nodes.insert(
            built.nodes.end(), operators,
            {.payloadNode = index, .operatorNames = facts->operatorNames, .tracedAs = facts->tracedAs});
        return {};
    }

    bool isCopy(const PayloadNode& node) const {
        if (node.facts->form == NodeForm::AveragePooling || node.facts->form == NodeForm::MaxPooling) {
            const auto& fields = std::get<PoolingFields>(node.fields);
            return fields.window.height * std::uint64_t{fields.window.width} == 1 && !node.range &&
                   shapes[node.inputs[0]] == shapes[node.outputs[0]] &&
                   fields.padding.top + fields.padding.left == 0;
        }
        const Datatype from = computedAs(payload.value(node.inputs[0]).datatype, widenHalf);
        return node.facts->kind == NodeKind::Convert &&
               from == computedAs(payload.value(node.outputs[0]).datatype, widenHalf) &&
               (from == Datatype::Fp32 || from == Datatype::Fp16);
    }

    bool isBlockwiseProduct(const PayloadNode& node) const {
        return node.facts->form == NodeForm::FullyConnected &&
               payload.value(node.inputs[1]).datatype == Datatype::QBInt4;
    }

    std::size_t rowsOf(const PayloadNode& node) const {
        const ValueSizes& sizes = shapes[node.inputs[0]];
        std::size_t rows = 1;
        for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
            rows *= sizes[i];
        }
        return rows;
    }

    /// Whether a node dynamically quantizes a value that only longer products read, which do that for
    /// themselves.
    bool isOnlyForLongerProducts(const PayloadNode& node) const {
        const ValueIndex output = node.outputs[0];
        if (payload.value(output).datatype != Datatype::QDInt8) {
            return false;
        }
        return std::ranges::all_of(payload.nodes, [&](const PayloadNode& reader) {
            return std::ranges::find(reader.inputs, output) == reader.inputs.end() ||
                   (isBlockwiseProduct(reader) && rowsOf(reader) > 1);
        });
    }

    std::size_t writerOf(ValueIndex value) const {
        const auto found = std::ranges::find_if(
            payload.nodes, [&](const PayloadNode& node) { return node.outputs[0] == value; });
        return static_cast<std::size_t>(found - payload.nodes.begin());
    }

    /// The sizes of a value with one row more.
    Dims longerDims(ValueIndex value) const {
        Dims dims = dimsOf(shapes[value]);
        ++dims.sizes[dims.rank - 2];
        return dims;
    }

    /// A dynamically quantized value with one row more, as the library's id in `longer`.
    Result<> defineLonger(std::size_t convert) {
        const PayloadNode& node = payload.nodes[convert];
        const ValueIndex source = node.inputs[0];
        const ValueIndex target = node.outputs[0];
        const Dims dims = longerDims(source);
        std::uint32_t padded = XNN_INVALID_VALUE_ID;
        const xnn_datatype type = libraryType(computedAs(payload.value(source).datatype, widenHalf));
        ET_TRY(checkStatus(xnn_define_tensor_value(graph(), type, dims.rank, dims.sizes.data(), nullptr,
                                                   XNN_INVALID_VALUE_ID, 0, &padded),
                           "an input with another row"));
        const Dims none;
        Dims after;
        after.sizes[dims.rank - 2] = 1;
        ET_TRY(add(convert,
                   xnn_define_static_constant_pad(graph(), none.sizes.data(), after.sizes.data(), 0,
                                                  ids[source], padded, 0),
                   NodeKind::Pad));
        ET_TRY(
            checkStatus(define(payload.value(target), target, dims, XNN_INVALID_VALUE_ID, 0, longer[target]),
                        "a quantized input with another row"));
        return add(convert, xnn_define_unary(graph(), xnn_unary_convert, nullptr, padded, longer[target], 0),
                   NodeKind::Convert);
    }

    Result<> defineLongerProduct(std::size_t index) {
        const PayloadNode& node = payload.nodes[index];
        const ValueIndex input = node.inputs[0];
        if (payload.value(input).datatype != Datatype::QDInt8) {
            return core::fail(ErrorCode::Unsupported,
                              "no support for blockwise weights of inputs that are not quantized");
        }
        if (longer[input] == XNN_INVALID_VALUE_ID) {
            ET_TRY(defineLonger(writerOf(input)));
        }
        const ValueIndex target = node.outputs[0];
        const Dims dims = longerDims(target);
        std::uint32_t product = XNN_INVALID_VALUE_ID;
        ET_TRY(checkStatus(define(payload.value(target), target, dims, XNN_INVALID_VALUE_ID, 0, product),
                           "an output with another row"));
        const OutputRange range = node.range.value_or(OutputRange{});
        const std::uint32_t bias = node.inputs[2] == noValue ? XNN_INVALID_VALUE_ID : ids[node.inputs[2]];
        ET_TRY(add(index,
                   xnn_define_fully_connected(graph(), range.min, range.max, longer[input],
                                              ids[node.inputs[1]], bias, product, node.flags),
                   NodeKind::FullyConnected));
        const Dims offsets;
        return add(index,
                   xnn_define_static_slice(graph(), dims.rank, offsets.sizes.data(),
                                           dimsOf(shapes[target]).sizes.data(), product, ids[target], 0),
                   NodeKind::Slice);
    }

    const Payload& payload;
    const ConstantData& constants;
    const Shapes& shapes;
    bool widenHalf;
    std::vector<NodePath> paths;        ///< by node
    std::vector<std::uint32_t> ids;     ///< the library's, by ValueIndex
    std::vector<std::uint32_t> wide;    ///< likewise, of fp16 values as fp32
    std::vector<std::uint32_t> longer;  ///< likewise, of values with one row more
    BuiltGraph built;
};

}  // namespace

Result<> checkStatus(xnn_status status, std::string_view what) {
    if (status == xnn_status_success) {
        return {};
    }
    const auto found = std::ranges::find(statusTexts, status, &StatusText::status);
    return core::fail(status == xnn_status_out_of_memory ? ErrorCode::Limit : ErrorCode::Unsupported,
                      fmt::format("XNNPACK refuses {}: {}", what,
                                  found == statusTexts.end() ? "it does not say why" : found->text));
}

Result<BuiltGraph> buildSubgraph(const Payload& payload, const ConstantData& constants, const Shapes& shapes,
                                 bool widenHalf) {
    return SubgraphBuilder(payload, constants, shapes, widenHalf).build();
}

}  // namespace et::backends::xnnpack
