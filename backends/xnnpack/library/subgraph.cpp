#include "backends/xnnpack/library/subgraph.h"

#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/library/status.h"
#include "backends/xnnpack/nodes/argument_rules.h"
#include "backends/xnnpack/nodes/define_node.h"
#include "backends/xnnpack/nodes/node_path.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "backends/xnnpack/nodes/signatures.h"
#include "backends/xnnpack/nodes/stored_types.h"
#include "backends/xnnpack/payload/payload.h"

#include <fmt/format.h>
#include <xnnpack.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

namespace et::backends::xnnpack {
namespace {

using core::ErrorCode;
using core::Result;

/// Sizes in the form that the library accepts.
struct Dims {
    std::array<std::size_t, XNN_MAX_TENSOR_DIMS> sizes{};
    std::size_t rank = 0;
};

/// Marks a value as an external input or output.
struct ValueEnds {
    std::uint32_t externalId = XNN_INVALID_VALUE_ID;
    std::uint32_t flags = 0;
};

/// A value of the payload to add to the library's graph with these sizes.
struct ValueToDefine {
    xnn_subgraph_t graph;
    const PayloadValue& value;
    ValueIndex index;
    const ConstantData& constants;
    const Dims& dims;
    ValueEnds ends;
    bool widenHalf;  ///< compute fp16 as fp32
};

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

/// At most XNN_MAX_TENSOR_DIMS sizes.
Dims dimsOf(std::span<const std::size_t> sizes) {
    Dims dims;
    std::ranges::copy(sizes, dims.sizes.begin());
    dims.rank = sizes.size();
    return dims;
}

/// Invalid for a datatype that the library lacks.
xnn_datatype libraryType(Datatype type) {
    const auto found = std::ranges::find(datatypePairs, type, &DatatypePair::ours);
    return found == datatypePairs.end() ? xnn_datatype_invalid : found->library;
}

/// Defines a value, with one overload per kind of quantization.
class Definition {
  public:
    Definition(const ValueToDefine& from, std::uint32_t& into)
        : what(from), id(into), type(libraryType(computedAs(from.value.datatype, from.widenHalf))) {}

    xnn_status operator()(std::monostate) const {
        return xnn_define_tensor_value(what.graph, type, what.dims.rank, sizes(), data(),
                                       what.ends.externalId, what.ends.flags, &id);
    }
    xnn_status operator()(const PerTensorQuantization& tensor) const {
        return xnn_define_quantized_tensor_value(what.graph, type, tensor.zeroPoint, tensor.scale,
                                                 what.dims.rank, sizes(), data(), what.ends.externalId,
                                                 what.ends.flags, &id);
    }
    xnn_status operator()(const PerChannelQuantization& channels) const {
        return xnn_define_channelwise_quantized_tensor_value_v2(
            what.graph, type, what.value.datatype == Datatype::QCInt4 ? int4ZeroPoint : 0,
            what.constants.channelScales(what.index).data(), what.dims.rank, channels.channelDim, sizes(),
            data(), what.ends.externalId, what.ends.flags, &id);
    }
    xnn_status operator()(const PerTokenQuantization& rows) const {
        return xnn_define_dynamically_quantized_tensor_value(what.graph, type, what.dims.rank,
                                                             rows.nonbatchDims, sizes(), what.ends.externalId,
                                                             what.ends.flags, &id);
    }
    xnn_status operator()(const BlockwiseQuantization& blocks) const {
        return xnn_define_blockwise_quantized_tensor_value(
            what.graph, type, int4ZeroPoint, what.constants.blockScales(what.index).data(), what.dims.rank,
            blocks.channelDim, blocks.blockSize, sizes(), data(), what.ends.externalId, what.ends.flags, &id);
    }

  private:
    /// Offset added to stored 4-bit weights.
    static constexpr std::int32_t int4ZeroPoint = 8;

    [[nodiscard]] const std::size_t* sizes() const { return what.dims.sizes.data(); }
    [[nodiscard]] const void* data() const { return what.constants.data(what.index); }

    const ValueToDefine& what;
    std::uint32_t& id;
    xnn_datatype type;
};

/// Adds the value with the payload's quantization. Sets `id` to the library's id.
xnn_status defineLibraryValue(const ValueToDefine& what, std::uint32_t& id) {
    return std::visit(Definition(what, id), what.value.quantization);
}

const NodeKindInfo& infoOf(NodeKind kind) {
    return *nodeKind(static_cast<std::uint8_t>(kind));
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
        built.nodes.reserve(payload.nodes.size());
        for (ValueIndex i = 0; i < payload.values.size(); ++i) {
            if (payload.values[i].datatype != Datatype::Invalid) {  // belongs to another part
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
        const xnn_status status = define(index, constantDims(index), ids[index], {externalId, flags});
        // Loading small programs is so fast that formatting an error text matters.
        return status == xnn_status_success
                   ? Result<>()
                   : checkStatus(status, fmt::format("values[{}] ({})", index, datatypeName(value.datatype)));
    }

    /// Older programs store a bias as a row, but the library requires a list.
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
                   return node.traits->form() == NodeForm::FullyConnected && node.inputs[2] == index;
               });
    }

    xnn_status define(ValueIndex index, const Dims& dims, std::uint32_t& id, ValueEnds ends = {}) {
        return defineLibraryValue({.graph = graph(),
                                   .value = payload.value(index),
                                   .index = index,
                                   .constants = constants,
                                   .dims = dims,
                                   .ends = ends,
                                   .widenHalf = widenHalf},
                                  id);
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
        const NodeKindInfo& as = isCopy(node) ? infoOf(NodeKind::Copy) : *node.traits;
        ET_TRY(checkSignature(payload, index, *as.functions, widenHalf));
        return add(index, as.functions->define(what), as);
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

    /// The library's id of the value that a node in fp32 reads.
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
                           infoOf(NodeKind::Convert)));
            }
        }
        return wide[value];
    }

    /// Defines a node in fp32 whose outputs are rounded to fp16.
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
        ET_TRY(checkSignature(payload, index, *node.traits->functions, true));
        ET_TRY(add(index, node.traits->functions->define(what), *node.traits));
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            if (isHalf(node.outputs[i])) {
                ET_TRY(add(index,
                           xnn_define_unary(graph(), xnn_unary_convert, nullptr, what.outputs[i],
                                            ids[node.outputs[i]], 0),
                           infoOf(NodeKind::Convert)));
            }
        }
        return {};
    }

    /// Records the library node that was just defined.
    Result<> add(std::size_t index, xnn_status status, const NodeKindInfo& as) {
        const PayloadNode& node = payload.nodes[index];
        if (status != xnn_status_success) {
            return checkStatus(status,
                               fmt::format("nodes[{}] ({} of {})", index, node.traits->name,
                                           datatypeName(payload.value(node.inputs[0]).datatype)),
                               violatedRule(payload, index));
        }
        const std::size_t operators = as.functions->isOperatorEachInput ? as.inputs : 1;
        built.nodes.insert(
            built.nodes.end(), operators,
            {.payloadNode = index, .operatorNames = as.operatorNames, .tracedAs = as.tracedAs});
        if (&as == node.traits && isClampedSeparately(node)) {
            built.nodes.push_back(addedClamp(index));
        }
        return {};
    }

    bool isCopy(const PayloadNode& node) const {
        if (node.traits->form() == NodeForm::AveragePooling || node.traits->form() == NodeForm::MaxPooling) {
            const auto& fields = std::get<PoolingFields>(node.fields);
            return fields.window.height * std::uint64_t{fields.window.width} == 1 && !node.range &&
                   shapes[node.inputs[0]] == shapes[node.outputs[0]] &&
                   fields.padding.top + fields.padding.left == 0;
        }
        const Datatype from = computedAs(payload.value(node.inputs[0]).datatype, widenHalf);
        return node.traits->kind == NodeKind::Convert &&
               from == computedAs(payload.value(node.outputs[0]).datatype, widenHalf) &&
               (from == Datatype::Fp32 || from == Datatype::Fp16);
    }

    bool isBlockwiseProduct(const PayloadNode& node) const {
        return node.traits->form() == NodeForm::FullyConnected &&
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

    /// Whether a node dynamically quantizes a value that is only read by products with an additional row,
    /// which quantize by themselves.
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

    /// Sizes of a value with one more row.
    Dims longerDims(ValueIndex value) const {
        Dims dims = dimsOf(shapes[value]);
        ++dims.sizes[dims.rank - 2];
        return dims;
    }

    /// Defines a dynamically quantized value with one more row; its library id is stored in `longer`.
    Result<> defineLonger(std::size_t convert) {
        const PayloadNode& node = payload.nodes[convert];
        const ValueIndex source = node.inputs[0];
        const ValueIndex target = node.outputs[0];
        const Dims dims = longerDims(source);
        std::uint32_t padded = XNN_INVALID_VALUE_ID;
        const xnn_datatype type = libraryType(computedAs(payload.value(source).datatype, widenHalf));
        ET_TRY(checkStatus(xnn_define_tensor_value(graph(), type, dims.rank, dims.sizes.data(), nullptr,
                                                   XNN_INVALID_VALUE_ID, 0, &padded),
                           "an input with an additional row"));
        const Dims none;
        Dims after;
        after.sizes[dims.rank - 2] = 1;
        ET_TRY(add(convert,
                   xnn_define_static_constant_pad(graph(), none.sizes.data(), after.sizes.data(), 0,
                                                  ids[source], padded, 0),
                   infoOf(NodeKind::Pad)));
        ET_TRY(checkStatus(define(target, dims, longer[target]), "a quantized input with an additional row"));
        return add(convert, xnn_define_unary(graph(), xnn_unary_convert, nullptr, padded, longer[target], 0),
                   infoOf(NodeKind::Convert));
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
        ET_TRY(checkStatus(define(target, dims, product), "an output with an additional row"));
        const OutputRange range = node.range.value_or(OutputRange{});
        const std::uint32_t bias = node.inputs[2] == noValue ? XNN_INVALID_VALUE_ID : ids[node.inputs[2]];
        ET_TRY(add(index,
                   xnn_define_fully_connected(graph(), range.min, range.max, longer[input],
                                              ids[node.inputs[1]], bias, product, node.flags),
                   infoOf(NodeKind::FullyConnected)));
        const Dims offsets;
        return add(index,
                   xnn_define_static_slice(graph(), dims.rank, offsets.sizes.data(),
                                           dimsOf(shapes[target]).sizes.data(), product, ids[target], 0),
                   infoOf(NodeKind::Slice));
    }

    const Payload& payload;
    const ConstantData& constants;
    const Shapes& shapes;
    bool widenHalf;
    std::vector<NodePath> paths;        ///< by node
    std::vector<std::uint32_t> ids;     ///< ids in the library, by ValueIndex
    std::vector<std::uint32_t> wide;    ///< the same for fp16 values as fp32
    std::vector<std::uint32_t> longer;  ///< the same for values with one more row
    BuiltGraph built;
};

}  // namespace

bool isClampedSeparately(const PayloadNode& node) {
    return node.traits->form() == NodeForm::Binary && node.range.has_value();
}

LibraryNode addedClamp(std::size_t payloadNode) {
    const NodeKindInfo& clamp = infoOf(NodeKind::Clamp);
    return {.payloadNode = payloadNode,
            .operatorNames = clamp.operatorNames,
            .tracedAs = clamp.tracedAs,
            .isAddedClamp = true};
}

Result<BuiltGraph> buildSubgraph(const Payload& payload, const ConstantData& constants, const Shapes& shapes,
                                 bool widenHalf) {
    return SubgraphBuilder(payload, constants, shapes, widenHalf).build();
}

}  // namespace et::backends::xnnpack
