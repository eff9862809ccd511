#include "backends/mps/describe.h"

#include "backends/call_graph.h"
#include "backends/mps/node_kinds.h"
#include "backends/mps/schema/payload_generated.h"
#include "backends/payload_data.h"
#include "runtime/core/byte_reader.h"
#include "runtime/core/flat_view.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::mps {
namespace {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::GraphNode;
using core::GraphValue;
using core::ModelGraph;
using core::Result;

struct DatatypeInfo {
    std::string name;        ///< "float32"; "datatype 99" for an unknown code
    std::uint64_t bits = 0;  ///< per element; 0: unknown
};

struct CodeTraits {
    std::string_view name;
    std::uint64_t bits;
};

/// By code.
constexpr std::array datatypes = std::to_array<CodeTraits>({
    {"no datatype", 0},
    {"float16", 16},
    {"float32", 32},
    {"float64", 64},
    {"bfloat16", 16},
    {"int4", 4},
    {"int8", 8},
    {"int16", 16},
    {"int32", 32},
    {"int64", 64},
    {"uint4", 4},
    {"uint8", 8},
    {"uint16", 16},
    {"uint32", 32},
    {"uint64", 64},
    {"bool", 8},
    {"complex32", 32},
    {"complex64", 64},
});

/// Uses the format's codes since early 2024. Before, only those of float16 and float32 had the same meaning.
DatatypeInfo datatypeInfo(std::int16_t code) {
    if (code < 0 || static_cast<std::size_t>(code) >= datatypes.size()) {
        return {.name = fmt::format("datatype {}", code)};
    }
    const CodeTraits& info = datatypes[static_cast<std::size_t>(code)];
    return {.name = std::string(info.name), .bits = info.bits};
}

/// Reads the fields of a node by the table of node_kinds, since the local schema does not describe them. The
/// bounds of the node's table are already verified; each field is verified before it is read.
class NodeFields {
  public:
    /// Borrows all arguments. Lists and texts that are read are added to `described`.
    NodeFields(core::FlatView& flatView, core::Bytes flatbuffer, const schema::Fields& fields,
               const core::FieldPath& nodePath, ByteCoverage& described)
        : view(flatView),
          bytes(flatbuffer),
          table(reinterpret_cast<const flatbuffers::Table&>(fields)),
          path(nodePath),
          coverage(described) {}

    /// Values of a field that holds value ids. Errors: Format, Limit.
    [[nodiscard]] core::Result<std::vector<std::int64_t>> values(const FieldInfo& field);
    /// Text of any other field: "[2, 2]", "0.5"; empty: the node lacks it. Errors: Format, Limit.
    [[nodiscard]] core::Result<std::string> text(const FieldInfo& field);

  private:
    template <class T>
    core::Result<T> number(const FieldInfo& field);
    core::Result<std::vector<std::int64_t>> list(const FieldInfo& field);
    core::Result<std::string> string(const FieldInfo& field);
    std::unexpected<core::Error> damaged(const FieldInfo& field) const;

    core::FlatView& view;
    core::Bytes bytes;
    const flatbuffers::Table& table;
    const core::FieldPath& path;
    ByteCoverage& coverage;
};

constexpr std::size_t longestText = 64;

/// Offset of a field's entry in a table's vtable.
flatbuffers::voffset_t placeOf(const FieldInfo& field) {
    return static_cast<flatbuffers::voffset_t>((2U + field.slot) * sizeof(flatbuffers::voffset_t));
}

flatbuffers::Verifier makeVerifier(core::Bytes bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

std::unexpected<core::Error> NodeFields::damaged(const FieldInfo& field) const {
    const FieldPath at = path.field(field.name);
    return view.fail(ErrorCode::Format, at, &table, "expected a field inside the flatbuffer");
}

template <class T>
Result<T> NodeFields::number(const FieldInfo& field) {
    const auto verifier = makeVerifier(bytes);
    if (!table.VerifyField<T>(verifier, placeOf(field), sizeof(T))) {
        return damaged(field);
    }
    return table.GetField<T>(placeOf(field), T{});
}

Result<std::vector<std::int64_t>> NodeFields::list(const FieldInfo& field) {
    using Numbers = flatbuffers::Vector<std::int32_t>;
    auto verifier = makeVerifier(bytes);
    if (!table.VerifyOffset(verifier, placeOf(field)) ||
        !verifier.VerifyVector(table.GetPointer<const Numbers*>(placeOf(field)))) {
        return damaged(field);
    }
    const FieldPath at = path.field(field.name);
    const auto* const numbers = table.GetPointer<const Numbers*>(placeOf(field));
    coverage.addVector(numbers, sizeof(std::int32_t));
    return view.copy<std::int64_t>(numbers, at);
}

Result<std::string> NodeFields::string(const FieldInfo& field) {
    auto verifier = makeVerifier(bytes);
    if (!table.VerifyOffset(verifier, placeOf(field)) ||
        !verifier.VerifyString(table.GetPointer<const flatbuffers::String*>(placeOf(field)))) {
        return damaged(field);
    }
    const auto* text = table.GetPointer<const flatbuffers::String*>(placeOf(field));
    coverage.addVector(text, sizeof(char));
    return text == nullptr ? std::string() : core::printable(text->string_view().substr(0, longestText));
}

Result<std::vector<std::int64_t>> NodeFields::values(const FieldInfo& field) {
    if (field.kind == FieldKind::InputList || field.kind == FieldKind::OutputList) {
        return list(field);
    }
    return number<std::int32_t>(field).transform([](std::int32_t value) {
        return value < 0 ? std::vector<std::int64_t>() : std::vector<std::int64_t>{value};
    });
}

Result<std::string> NodeFields::text(const FieldInfo& field) {
    const auto toText = [](auto value) { return fmt::to_string(value); };
    switch (field.kind) {
        case FieldKind::Int:
            return number<std::int32_t>(field).transform(toText);
        case FieldKind::Long:
            return number<std::int64_t>(field).transform(toText);
        case FieldKind::Float:
            return number<float>(field).transform(toText);
        case FieldKind::Bool:
            return number<std::uint8_t>(field).transform(
                [](std::uint8_t value) { return fmt::to_string(value != 0); });
        case FieldKind::Datatype:
            return number<std::int16_t>(field).transform(
                [](std::int16_t code) { return datatypeInfo(code).name; });
        case FieldKind::Text:
            return string(field);
        case FieldKind::IntList:
            return list(field).transform(
                [](const std::vector<std::int64_t>& items) { return core::sizesText(items); });
        case FieldKind::Input:
        case FieldKind::Output:
        case FieldKind::InputList:
        case FieldKind::OutputList:
            break;
    }
    return std::string();
}

/// Locations of the sections in a payload, from its header. The oldest payloads have no header and store
/// constants in the flatbuffer.
struct PayloadParts {
    core::Bytes flatbuffer;
    std::uint64_t flatbufferAt = 0;
    core::Bytes constants;
};

constexpr std::size_t headerSize = 24;
constexpr std::string_view magic = "MP00";

/// Errors: Format.
core::Result<PayloadParts> findParts(core::Bytes payload) {
    core::ByteReader reader(payload);
    // A flatbuffer starts with the offset of its root, which is not 0, followed by the same identifier.
    ET_ASSIGN(const auto start, reader.read<std::uint32_t>("header"));
    ET_ASSIGN(const core::Bytes mark, reader.take(magic.size(), "header.magic"));
    if (std::string_view(reinterpret_cast<const char*>(mark.data()), mark.size()) != magic) {
        return core::fail(core::ErrorCode::Format, "expected a payload of the MPS compiler (MP00)",
                          {.file = {}, .field = "header.magic", .offset = sizeof start});
    }
    if (start != 0) {
        return PayloadParts{.flatbuffer = payload, .flatbufferAt = 0, .constants = {}};
    }
    ET_ASSIGN(const auto segmentAt, reader.read<std::uint64_t>("header.segment_offset"));
    ET_ASSIGN(const auto segmentSize, reader.read<std::uint64_t>("header.segment_size"));
    PayloadParts parts{.flatbuffer = {}, .flatbufferAt = headerSize, .constants = {}};
    ET_ASSIGN(parts.constants, payloadPart(payload, segmentAt, segmentSize, "header.segment_offset"));
    const std::uint64_t flatSize = segmentAt < headerSize ? 0 : segmentAt - headerSize;
    ET_ASSIGN(parts.flatbuffer, payloadPart(payload, headerSize, flatSize, "header.segment_offset"));
    return parts;
}

class Describer {
  public:
    Describer(FlatView& flat, const schema::Graph& root, const PayloadParts& found, ByteCoverage& described)
        : view(flat),
          graph(root),
          parts(found),
          coverage(described),
          calls(root.values() == nullptr ? 0 : root.values()->size()) {}

    Result<ModelGraph> describe() {
        const FieldPath root;
        ET_TRY(readValues(root.field("values")));
        std::size_t argument = 0;
        ET_TRY(setEnds(graph.inputs(), root.field("inputs"), argument, &CallGraph::setInput));
        ET_TRY(readNodes(root.field("nodes")));
        ET_TRY(setEnds(graph.outputs(), root.field("outputs"), argument, &CallGraph::setOutput));
        return calls.finish();
    }

  private:
    Result<> readValues(const FieldPath& path) {
        ET_ASSIGN(std::vector<GraphValue> values,
                  view.map(graph.values(), path, [this](const schema::Tensor* tensor, const FieldPath& at) {
                      return describeTensor(*tensor, at);
                  }));
        const FieldPath root;
        const FieldPath constantsPath = root.field("constants");
        ET_ASSIGN(const auto constants, view.copy<std::int64_t>(graph.constants(), constantsPath));
        for (const std::int64_t each : constants) {
            ET_ASSIGN(const std::size_t number, checkNumber(each, constantsPath));
            const FieldPath at = path.at(number);
            ET_TRY(describeConstant(*graph.values()->Get(static_cast<flatbuffers::uoffset_t>(number)), at,
                                    values[number]));
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i].name = fmt::format("v{}", i);
            calls.declare(i, std::move(values[i]));
        }
        return {};
    }

    Result<GraphValue> describeTensor(const schema::Tensor& tensor, const FieldPath& path) {
        const FieldPath sizesPath = path.field("sizes");
        ET_ASSIGN(const auto sizes, view.copy<std::int64_t>(tensor.sizes(), sizesPath));
        const DatatypeInfo datatype = datatypeInfo(tensor.datatype());
        return GraphValue{.name = {},
                          .type = fmt::format("{} {}", datatype.name, core::sizesText(sizes)),
                          .bytes = denseBytes(datatype.bits, sizes)};
    }

    Result<> describeConstant(const schema::Tensor& tensor, const FieldPath& path, GraphValue& value) const {
        value.role = GraphValue::Role::Constant;
        if (tensor.constant() != nullptr && tensor.constant()->bytes() != nullptr &&
            tensor.constant()->bytes()->size() != 0) {
            value.data = FlatView::blob(tensor.constant()->bytes());
            value.bytes = value.data.size();
            return {};
        }
        const std::uint64_t size = parts.constants.size();
        if (tensor.segment_offset() > size || tensor.constant_size() > size - tensor.segment_offset()) {
            return view.fail(ErrorCode::Format, path, &tensor,
                             fmt::format("expected at most the {} bytes of constants, got {} bytes at {}",
                                         size, tensor.constant_size(), tensor.segment_offset()));
        }
        value.data = parts.constants.subspan(static_cast<std::size_t>(tensor.segment_offset()),
                                             static_cast<std::size_t>(tensor.constant_size()));
        value.bytes = value.data.size();
        return {};
    }

    Result<std::size_t> checkNumber(std::int64_t number, const FieldPath& path) const {
        const std::size_t count = graph.values() == nullptr ? 0 : graph.values()->size();
        if (number < 0 || std::cmp_greater_equal(number, count)) {
            return view.fail(ErrorCode::Format, path, nullptr,
                             fmt::format("expected one of the {} values, got {}", count, number));
        }
        return static_cast<std::size_t>(number);
    }

    /// Sets inputs or outputs of the delegate, which are arguments of its call in this order.
    Result<> setEnds(const flatbuffers::Vector<std::int32_t>* numbers, const FieldPath& path,
                     std::size_t& argument, void (CallGraph::*set)(std::size_t, std::size_t)) {
        ET_ASSIGN(const auto list, view.copy<std::int64_t>(numbers, path));
        for (const std::int64_t each : list) {
            ET_ASSIGN(const std::size_t number, checkNumber(each, path));
            (calls.*set)(number, argument++);
        }
        return {};
    }

    Result<> readNodes(const FieldPath& path) {
        return view
            .map(graph.nodes(), path,
                 [this](const schema::Node* node, const FieldPath& at) { return readNode(*node, at); })
            .transform([](const std::vector<bool>&) {});
    }

    Result<bool> readNode(const schema::Node& table, const FieldPath& path) {
        const NodeKindInfo* kind = nodeKind(table.kind());
        if (kind == nullptr) {
            return view.fail(ErrorCode::Unsupported, path, &table,
                             fmt::format("unknown node kind {}", table.kind()));
        }
        if (table.fields() == nullptr) {
            return view.fail(ErrorCode::Format, path, &table, "expected the fields of a node, got none");
        }
        GraphNode node{.name = fmt::format("n{}", position++), .kind = std::string(kind->name)};
        NodeFields fields(view, parts.flatbuffer, *table.fields(), path, coverage);
        // Reads come before writes, regardless of the order of the fields.
        for (const bool writes : {false, true}) {
            for (const FieldInfo& field : kind->fields) {
                if (isWritten(field) == writes) {
                    ET_TRY(takeField(fields, field, path, node));
                }
            }
        }
        if (const schema::Range* range = table.range()) {
            node.attributes.push_back({"range", fmt::format("[{}, {}]", range->min(), range->max())});
        }
        calls.addNode(std::move(node));
        return true;
    }

    static bool isWritten(const FieldInfo& field) {
        return field.kind == FieldKind::Output || field.kind == FieldKind::OutputList;
    }

    Result<> takeField(NodeFields& fields, const FieldInfo& field, const FieldPath& path, GraphNode& node) {
        const bool isInput = field.kind == FieldKind::Input || field.kind == FieldKind::InputList;
        if (!isInput && !isWritten(field)) {
            ET_ASSIGN(std::string text, fields.text(field));
            if (!text.empty()) {
                node.attributes.push_back({std::string(field.name), std::move(text)});
            }
            return {};
        }
        const FieldPath at = path.field(field.name);
        ET_ASSIGN(const auto numbers, fields.values(field));
        for (const std::int64_t each : numbers) {
            if (each >= 0) {
                ET_ASSIGN(const std::size_t number, checkNumber(each, at));
                isInput ? node.inputs.push_back(calls.read(number))
                        : node.outputs.push_back(calls.write(number));
            }
        }
        return {};
    }

    FlatView& view;
    const schema::Graph& graph;
    const PayloadParts& parts;
    ByteCoverage& coverage;
    CallGraph calls;
    std::size_t position = 0;
};

Result<ModelGraph> readGraph(core::Bytes payload, ByteCoverage& described) {
    ET_ASSIGN(const PayloadParts parts, findParts(payload));
    FlatView view(parts.flatbuffer, parts.flatbufferAt);
    ET_ASSIGN(const schema::Graph* root, view.root<schema::Graph>(schema::GraphIdentifier()));
    described.add(payload.data(), static_cast<std::size_t>(parts.flatbufferAt));
    described.addFlatbuffer(parts.flatbuffer, schema::GraphIdentifier(), *schema::GraphTypeTable());
    return Describer(view, *root, parts, described).describe();
}

}  // namespace

Result<ModelGraph> describe(core::Bytes payload, const executor::NamedDataSource& /*namedData*/) {
    ByteCoverage described(payload);
    return readGraph(payload, described);
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                      PayloadContents& contents) {
    return readGraph(delegate.payload, contents.described).transform([&](const ModelGraph& graph) {
        contents.addConstants(graph);
    });
}

}  // namespace et::backends::mps
