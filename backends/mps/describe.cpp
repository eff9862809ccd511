#include "backends/mps/describe.h"

#include "backends/call_graph.h"
#include "backends/dense_bytes.h"
#include "backends/mps/datatypes.h"
#include "backends/mps/detail/node_fields.h"
#include "backends/mps/payload.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <string>
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

class Describer {
  public:
    Describer(FlatView& flat, const schema::Graph& root, const PayloadParts& found)
        : view(flat),
          graph(root),
          parts(found),
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
        NodeFields fields(view, parts.flatbuffer, *table.fields(), path);
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
    CallGraph calls;
    std::size_t position = 0;
};

}  // namespace

Result<ModelGraph> describe(core::Bytes payload, const executor::NamedDataSource&) {
    ET_ASSIGN(const PayloadParts parts, findParts(payload));
    FlatView view(parts.flatbuffer, parts.flatbufferAt);
    ET_ASSIGN(const schema::Graph* root, view.root<schema::Graph>(schema::GraphIdentifier()));
    return Describer(view, *root, parts).describe();
}

}  // namespace et::backends::mps
