#include "backends/xnnpack/format/read_payload.h"

#include "backends/payload_part.h"
#include "backends/xnnpack/format/detail/read_value.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "backends/xnnpack/nodes/read_node.h"
#include "runtime/core/byte_reader.h"
#include "runtime/core/flat_view.h"

#include <fmt/format.h>

#include <algorithm>
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

constexpr std::size_t magicAt = 4;
constexpr std::string_view magic = "XH00";
constexpr std::uint64_t atName = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t alignment = 8;

/// Sections of a payload.
struct Parts {
    Bytes flatbuffer;
    std::uint64_t flatbufferAt = 0;
    Bytes constants;
};

bool hasText(Bytes bytes, std::size_t at, std::string_view text) {
    return bytes.size() >= at + text.size() &&
           std::string_view(reinterpret_cast<const char*>(bytes.data()) + at, text.size()) == text;
}

/// The oldest payloads have no header; they are a flatbuffer that contains everything.
Result<Parts> findParts(Bytes bytes) {
    if (!hasText(bytes, magicAt, magic)) {
        return Parts{.flatbuffer = bytes, .flatbufferAt = 0, .constants = {}};
    }
    core::ByteReader reader(bytes);
    ET_TRY(reader.seek(magicAt + magic.size(), "header.length"));
    ET_ASSIGN([[maybe_unused]] const auto length, reader.read<std::uint16_t>("header.length"));
    ET_ASSIGN(const auto flatAt, reader.read<std::uint32_t>("header.flatbuffer_offset"));
    ET_ASSIGN(const auto flatSize, reader.read<std::uint32_t>("header.flatbuffer_size"));
    ET_ASSIGN(const auto dataAt, reader.read<std::uint32_t>("header.constant_data_offset"));
    ET_ASSIGN(const auto dataSize, reader.read<std::uint64_t>("header.constant_data_size"));
    Parts parts{.flatbuffer = {}, .flatbufferAt = flatAt, .constants = {}};
    ET_ASSIGN(parts.flatbuffer, payloadPart(bytes, flatAt, flatSize, "header.flatbuffer_offset"));
    ET_ASSIGN(parts.constants, payloadPart(bytes, dataAt, dataSize, "header.constant_data_offset"));
    return parts;
}

struct IdOfValue {
    std::uint32_t id = 0;
    ValueIndex index = 0;
};

class PayloadReader {
  public:
    PayloadReader(FlatView& flatView, const Parts& found, Payload& into)
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
    const Parts& parts;
    Payload& payload;
    std::vector<IdOfValue> byId;  ///< sorted by id
};

}  // namespace

Result<Payload> readPayload(Bytes bytes) {
    Payload payload;
    ET_ASSIGN(Parts parts, findParts(bytes));
    if (reinterpret_cast<std::uintptr_t>(parts.flatbuffer.data()) % alignment != 0) {
        payload.copied =
            std::make_shared<const std::vector<std::byte>>(parts.flatbuffer.begin(), parts.flatbuffer.end());
        parts.flatbuffer = *payload.copied;
    }
    FlatView view(parts.flatbuffer, parts.flatbufferAt);
    // The identifier changed, but the tables were only extended.
    const std::string_view identifier =
        hasText(parts.flatbuffer, 4, "XN00") ? "XN00" : schema::GraphIdentifier();
    ET_ASSIGN(const schema::Graph* graph, view.root<schema::Graph>(identifier));
    ET_TRY(PayloadReader(view, parts, payload).read(*graph));
    return payload;
}

}  // namespace et::backends::xnnpack
