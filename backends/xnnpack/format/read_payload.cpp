#include "backends/xnnpack/format/read_payload.h"

#include "backends/xnnpack/format/payload_parts.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "backends/xnnpack/nodes/read_node.h"
#include "backends/xnnpack/payload/payload.h"
#include "backends/xnnpack/schema/payload_generated.h"
#include "runtime/core/flat_view.h"

#include <fmt/format.h>
#include <xnnpack.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

template <class Table>
class QuantizationReader {
  public:
    QuantizationReader(FlatView& flatView, const Table& from, std::size_t constantCount,
                       const FieldPath& where)
        : view(flatView), table(from), constants(constantCount), path(where) {}

    Result<std::uint32_t> dimension(std::int32_t dim, const PayloadValue& value) const {
        if (dim < 0 || static_cast<std::size_t>(dim) >= value.sizes.size()) {
            return view.fail(
                ErrorCode::Format, path, &table,
                fmt::format("expected a channel dimension below {}, got {}", value.sizes.size(), dim));
        }
        return static_cast<std::uint32_t>(dim);
    }

    Result<std::uint32_t> scaleConstant() const {
        if (table.scale_buffer() >= constants && table.scale_buffer() != 0) {
            return view.fail(
                ErrorCode::Format, path, &table,
                fmt::format("expected one of {} constants, got {}", constants, table.scale_buffer()));
        }
        return table.scale_buffer();
    }

  private:
    FlatView& view;
    const Table& table;
    std::size_t constants;
    const FieldPath& path;
};

/// Rounds a positive scale to the nearest bfloat16.
std::uint16_t toBFloat16(float scale) {
    const auto bits = std::bit_cast<std::uint32_t>(scale);
    return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

class ValueReader {
  public:
    ValueReader(FlatView& flatView, std::size_t constantCount) : view(flatView), constants(constantCount) {}

    Result<> tensor(const schema::Tensor* table, PayloadValue& value, const FieldPath& path) {
        if (table == nullptr) {
            return view.fail(ErrorCode::Format, path, nullptr, "expected a tensor, got none");
        }
        value.id = table->id();
        value.datatype = static_cast<Datatype>(table->datatype());
        const DatatypeInfo* traits = datatypeInfo(value.datatype);
        if (traits == nullptr || traits->bits == 0) {
            return view.fail(ErrorCode::Unsupported, path, table,
                             fmt::format("no support for {}", datatypeName(value.datatype)));
        }
        ET_TRY(sizes(*table, value, path));
        if (table->constant_index() != 0 && table->constant_index() >= constants) {
            return view.fail(
                ErrorCode::Format, path, table,
                fmt::format("expected one of {} constants, got {}", constants, table->constant_index()));
        }
        value.constant = table->constant_index();
        return external(*table, value, path);
    }

    Result<> quantization(const schema::QuantizedTensor& table, PayloadValue& value, const FieldPath& path) {
        const void* content = table.quantization();
        if (content == nullptr) {
            return view.fail(ErrorCode::Format, path, &table, "expected quantization parameters, got none");
        }
        switch (table.quantization_type()) {
            case schema::Quantization::PerTensor: {
                const auto& from = FlatView::unionAs<schema::PerTensor>(content);
                value.quantization =
                    PerTensorQuantization{.scale = from.scale(), .zeroPoint = from.zero_point()};
                return {};
            }
            case schema::Quantization::PerChannel:
                return perChannel(FlatView::unionAs<schema::PerChannel>(content), value, path);
            case schema::Quantization::PerToken:
                return perToken(FlatView::unionAs<schema::PerToken>(content), value, path);
            case schema::Quantization::Blockwise:
                return blockwise(FlatView::unionAs<schema::Blockwise>(content), value, path);
            default:
                return view.fail(ErrorCode::Unsupported, path, &table,
                                 fmt::format("no support for quantization parameters of kind {}",
                                             static_cast<int>(table.quantization_type())));
        }
    }

  private:
    Result<> sizes(const schema::Tensor& table, PayloadValue& value, const FieldPath& path) {
        const FieldPath dims = path.field("dims");
        ET_TRY(view.copyInto(value.sizes, table.dims(), dims));
        if (value.sizes.size() != table.num_dims()) {
            return view.fail(ErrorCode::Format, dims, &table,
                             fmt::format("expected {} sizes, got {}", table.num_dims(), value.sizes.size()));
        }
        if (value.sizes.size() > XNN_MAX_TENSOR_DIMS) {
            return view.fail(ErrorCode::Unsupported, dims, &table,
                             fmt::format("expected at most {} dimensions, got {}", XNN_MAX_TENSOR_DIMS,
                                         value.sizes.size()));
        }
        return {};
    }

    Result<> external(const schema::Tensor& table, PayloadValue& value, const FieldPath& path) {
        constexpr std::uint32_t known = XNN_VALUE_FLAG_EXTERNAL_INPUT | XNN_VALUE_FLAG_EXTERNAL_OUTPUT;
        value.isInput = (table.flags() & XNN_VALUE_FLAG_EXTERNAL_INPUT) != 0;
        value.isOutput = (table.flags() & XNN_VALUE_FLAG_EXTERNAL_OUTPUT) != 0;
        const bool isExternal = value.isInput || value.isOutput;
        if ((table.flags() & ~known) != 0) {
            return view.fail(ErrorCode::Unsupported, path, &table,
                             fmt::format("no support for the flags {:#x} of a value", table.flags()));
        }
        if (value.isInput && value.isOutput) {
            return view.fail(ErrorCode::Unsupported, path, &table,
                             "no support for an input that is an output");
        }
        if (isExternal != (table.external_id() != XNN_INVALID_VALUE_ID) ||
            (isExternal && value.constant != 0)) {
            return view.fail(ErrorCode::Format, path, &table,
                             "expected external ids for inputs and outputs only");
        }
        if (isExternal) {
            value.externalId = table.external_id();
        }
        return quantizedInput(table, value, path);
    }

    Result<> quantizedInput(const schema::Tensor& table, PayloadValue& value, const FieldPath& path) {
        value.isQuantizedFirst = table.quantized_as() != 0;
        if (value.isQuantizedFirst && (static_cast<Datatype>(table.quantized_as()) != Datatype::QInt8 ||
                                       !value.isInput || value.sizes.empty())) {
            return view.fail(ErrorCode::Unsupported, path, &table,
                             "no support for dynamic quantization of anything but an input to 8 bits");
        }
        return {};
    }

    Result<> perToken(const schema::PerToken& from, PayloadValue& value, const FieldPath& path) {
        if (from.nonbatch_dims() < 1 || static_cast<std::size_t>(from.nonbatch_dims()) > value.sizes.size()) {
            return view.fail(ErrorCode::Format, path, &from,
                             fmt::format("expected 1 to {} dimensions that share a scale, got {}",
                                         value.sizes.size(), from.nonbatch_dims()));
        }
        value.quantization =
            PerTokenQuantization{.nonbatchDims = static_cast<std::uint32_t>(from.nonbatch_dims())};
        return {};
    }

    Result<> perChannel(const schema::PerChannel& from, PayloadValue& value, const FieldPath& path) {
        PerChannelQuantization to;
        const QuantizationReader reader(view, from, constants, path);
        ET_ASSIGN(to.channelDim, reader.dimension(from.channel_dim(), value));
        const std::uint32_t channels = value.sizes[to.channelDim];
        ET_ASSIGN(to.scaleConstant, reader.scaleConstant());
        ET_ASSIGN(to.scales, view.copy<float>(from.scale(), path));
        to.scaleCount =
            to.scaleConstant != 0 ? from.scale_count() : static_cast<std::uint32_t>(to.scales.size());
        if (to.scaleCount != channels) {
            return view.fail(ErrorCode::Format, path, &from,
                             fmt::format("expected {} scales, got {}", channels, to.scaleCount));
        }
        value.quantization = std::move(to);
        return {};
    }

    Result<> blockwise(const schema::Blockwise& from, PayloadValue& value, const FieldPath& path) {
        BlockwiseQuantization to;
        const QuantizationReader reader(view, from, constants, path);
        ET_ASSIGN(to.channelDim, reader.dimension(from.channel_dim(), value));
        if (value.sizes.size() != 2 || from.block_size() <= 0 ||
            value.sizes[1] % static_cast<std::uint32_t>(from.block_size()) != 0) {
            return view.fail(
                ErrorCode::Format, path, &from,
                fmt::format("expected a matrix with columns in blocks of {}", from.block_size()));
        }
        to.blockSize = static_cast<std::uint32_t>(from.block_size());
        ET_ASSIGN(to.scaleConstant, reader.scaleConstant());
        ET_ASSIGN(to.scales, view.copy<std::uint16_t>(from.scale_bf16(), path));
        if (to.scales.empty() && to.scaleConstant == 0) {
            ET_ASSIGN(const auto floats, view.copy<float>(from.scale(), path));
            std::ranges::transform(floats, std::back_inserter(to.scales), toBFloat16);
        }
        to.scaleCount =
            to.scaleConstant != 0 ? from.scale_count() : static_cast<std::uint32_t>(to.scales.size());
        const std::uint64_t blocks = std::uint64_t{value.sizes[0]} * (value.sizes[1] / to.blockSize);
        if (to.scaleCount != blocks) {
            return view.fail(ErrorCode::Format, path, &from,
                             fmt::format("expected {} scales, got {}", blocks, to.scaleCount));
        }
        value.quantization = std::move(to);
        return {};
    }

    FlatView& view;
    std::size_t constants;
};

/// Reads a value into an empty `value`. Errors: Format, Unsupported (a datatype), Limit.
Result<> readValue(FlatView& view, const schema::Value* table, std::size_t constants, const FieldPath& path,
                   PayloadValue& value) {
    ValueReader reader(view, constants);
    const void* content = table->kind();
    if (content == nullptr) {
        return view.fail(ErrorCode::Format, path, table, "expected a tensor, got none");
    }
    if (table->kind_type() == schema::ValueKind::Tensor) {
        return reader.tensor(&FlatView::unionAs<schema::Tensor>(content), value, path);
    }
    if (table->kind_type() != schema::ValueKind::QuantizedTensor) {
        return view.fail(
            ErrorCode::Unsupported, path, table,
            fmt::format("no support for values of kind {}", static_cast<int>(table->kind_type())));
    }
    const auto& quantized = FlatView::unionAs<schema::QuantizedTensor>(content);
    ET_TRY(reader.tensor(quantized.tensor(), value, path));
    return reader.quantization(quantized, value, path);
}

constexpr std::uint64_t atName = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t alignment = 8;

struct IdOfValue {
    std::uint32_t id = 0;
    ValueIndex index = 0;
};

class PayloadReader {
  public:
    PayloadReader(FlatView& flatView, const PayloadParts& found, Payload& into)
        : view(flatView), parts(found), payload(into) {}

    Result<> read(const schema::Graph& graph) {
        payload.version = graph.version() != nullptr ? graph.version()->str() : "";
        const FieldPath root;
        ET_TRY(readConstants(graph, root));
        const FieldPath values = root.field("values");
        ET_TRY(view.append(payload.values, graph.values(), values,
                           [&](const schema::Value* table, const FieldPath& path, PayloadValue& value) {
                               return readValue(view, table, payload.constants.size(), path, value);
                           }));
        ET_TRY(indexValues(values));
        const FindValue find = [this](std::uint32_t id) { return indexOf(id); };
        const FieldPath nodes = root.field("nodes");
        quantizeInputs();
        ET_TRY(view.append(payload.nodes, graph.nodes(), nodes,
                           [&](const schema::Node* table, const FieldPath& path, PayloadNode& node) {
                               return readNode(view, table, find, path, node);
                           }));
        ET_TRY(orderExternals(values));
        return checkOrder(nodes);
    }

  private:
    Result<> readConstants(const schema::Graph& graph, const FieldPath& root) {
        if (const auto* inlined = graph.inline_constants(); inlined != nullptr && inlined->size() != 0) {
            const FieldPath path = root.field("inline_constants");
            ET_ASSIGN(payload.constants, view.map(inlined, path,
                                                  [](const schema::InlineConstant* table,
                                                     const FieldPath&) -> Result<PayloadConstant> {
                                                      return PayloadConstant{
                                                          .data = FlatView::blob(table->bytes()), .name = {}};
                                                  }));
            return {};
        }
        const FieldPath path = root.field("constant_data");
        ET_ASSIGN(payload.constants, view.map(graph.constant_data(), path,
                                              [&](const schema::Constant* table, const FieldPath& at) {
                                                  return readConstant(*table, at);
                                              }));
        return {};
    }

    Result<PayloadConstant> readConstant(const schema::Constant& table, const FieldPath& path) {
        PayloadConstant constant;
        if (table.name() != nullptr && table.name()->size() != 0) {
            constant.name = table.name()->str();
            return constant;
        }
        const std::uint64_t size = parts.constants.size();
        if (table.offset() == atName && table.size() == 0) {
            return constant;
        }
        if (table.offset() > size || table.size() > size - table.offset()) {
            return view.fail(ErrorCode::Format, path, &table,
                             fmt::format("expected at most the {} bytes of constant data, got {} bytes at {}",
                                         size, table.size(), table.offset()));
        }
        constant.data = parts.constants.subspan(static_cast<std::size_t>(table.offset()),
                                                static_cast<std::size_t>(table.size()));
        return constant;
    }

    Result<> indexValues(const FieldPath& path) {
        byId.reserve(payload.values.size());
        for (std::size_t i = 0; i < payload.values.size(); ++i) {
            byId.push_back({.id = payload.values[i].id, .index = static_cast<ValueIndex>(i)});
        }
        if (!std::ranges::is_sorted(byId, {}, &IdOfValue::id)) {  // order written by exporters
            std::ranges::stable_sort(byId, {}, &IdOfValue::id);
        }
        const auto twice = std::ranges::adjacent_find(byId, {}, &IdOfValue::id);
        if (twice != byId.end()) {
            const FieldPath at = path.at(std::next(twice)->index);
            return view.fail(ErrorCode::Format, at, nullptr,
                             fmt::format("expected a unique id, got {} again", twice->id));
        }
        return {};
    }

    [[nodiscard]] std::optional<ValueIndex> indexOf(std::uint32_t id) const {
        const auto found = std::ranges::lower_bound(byId, id, {}, &IdOfValue::id);
        return found == byId.end() || found->id != id ? std::nullopt : std::optional(found->index);
    }

    /// External ids are indices of the delegate's arguments; some arguments may be unused.
    Result<> orderExternals(const FieldPath& path) {
        for (std::size_t i = 0; i < payload.values.size(); ++i) {
            if (payload.values[i].externalId) {
                payload.externals.push_back(static_cast<ValueIndex>(i));
            }
        }
        const auto argument = [this](ValueIndex index) { return *payload.value(index).externalId; };
        std::ranges::sort(payload.externals, {}, argument);
        const auto twice = std::ranges::adjacent_find(payload.externals, {}, argument);
        if (twice != payload.externals.end()) {
            const FieldPath at = path.at(*twice);
            return view.fail(ErrorCode::Format, at, nullptr,
                             fmt::format("expected a unique external id, got {} again", argument(*twice)));
        }
        return {};
    }

    /// In files of 2023, the input itself is marked as quantized before use; later files have a node for it.
    void quantizeInputs() {
        for (ValueIndex i = 0, count = static_cast<ValueIndex>(payload.values.size()); i < count; ++i) {
            if (!payload.values[i].isQuantizedFirst) {
                continue;
            }
            PayloadValue quantized;
            quantized.id = payload.values[i].id;
            quantized.datatype = Datatype::QDInt8;
            quantized.sizes = payload.values[i].sizes;
            quantized.quantization = PerTokenQuantization{.nonbatchDims = 1};
            const auto index = static_cast<ValueIndex>(payload.values.size());
            std::ranges::lower_bound(byId, quantized.id, {}, &IdOfValue::id)->index = index;
            payload.values.push_back(std::move(quantized));
            payload.nodes.push_back({.traits = nodeKind(static_cast<std::uint8_t>(NodeKind::Convert)),
                                     .inputs = {i},
                                     .outputs = {index}});
        }
    }

    /// The library's memory plan assumes that every node's result is read.
    Result<> checkReaders(const FieldPath& path) const {
        std::vector<bool> isRead(payload.values.size());
        for (const PayloadNode& node : payload.nodes) {
            for (const ValueIndex input : node.inputs) {
                if (input != noValue) {
                    isRead[input] = true;
                }
            }
        }
        for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
            for (const ValueIndex output : payload.nodes[i].outputs) {
                if (!isRead[output] && !payload.value(output).isOutput) {
                    const FieldPath at = path.at(i);
                    return view.fail(ErrorCode::Format, at, nullptr,
                                     fmt::format("nothing reads value {}", payload.value(output).id));
                }
            }
        }
        return {};
    }

    /// Checks that every node reads existing values and writes new ones.
    Result<> checkOrder(const FieldPath& path) {
        std::vector<bool> known(payload.values.size());
        for (std::size_t i = 0; i < payload.values.size(); ++i) {
            known[i] = payload.values[i].constant != 0 || payload.values[i].isInput;
        }
        for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
            const FieldPath at = path.at(i);
            for (const ValueIndex input : payload.nodes[i].inputs) {
                if (input != noValue && !known[input]) {
                    return view.fail(
                        ErrorCode::Format, at, nullptr,
                        fmt::format("value {} is read before it is written", payload.value(input).id));
                }
            }
            for (const ValueIndex output : payload.nodes[i].outputs) {
                if (known[output]) {
                    return view.fail(ErrorCode::Format, at, nullptr,
                                     fmt::format("value {} is written twice", payload.value(output).id));
                }
                known[output] = true;
            }
        }
        ET_TRY(checkReaders(path));
        for (const ValueIndex external : payload.externals) {
            if (!known[external]) {
                return view.fail(ErrorCode::Format, path, nullptr,
                                 fmt::format("no node writes output {}", payload.value(external).id));
            }
        }
        return {};
    }

    FlatView& view;
    const PayloadParts& parts;
    Payload& payload;
    std::vector<IdOfValue> byId;  ///< sorted by id
};

}  // namespace

Result<Payload> readPayload(Bytes bytes) {
    Payload payload;
    ET_ASSIGN(PayloadParts parts, findParts(bytes));
    if (reinterpret_cast<std::uintptr_t>(parts.flatbuffer.data()) % alignment != 0) {
        payload.copied =
            std::make_shared<const std::vector<std::byte>>(parts.flatbuffer.begin(), parts.flatbuffer.end());
        parts.flatbuffer = *payload.copied;
    }
    FlatView view(parts.flatbuffer, parts.flatbufferAt);
    ET_ASSIGN(const schema::Graph* graph, view.root<schema::Graph>(identifierOf(parts.flatbuffer)));
    ET_TRY(PayloadReader(view, parts, payload).read(*graph));
    return payload;
}

}  // namespace et::backends::xnnpack
