#include "etrecord/detail/graph.h"

#include "etrecord/detail/arguments.h"
#include "etrecord/detail/metadata.h"
#include "etrecord/detail/tensor_meta.h"

#include <algorithm>
#include <utility>

namespace et::etrecord::detail {
namespace {

using core::Result;

/// Nodes in files of 2023 have no name; the name of their first result is used.
std::string nameOfFirstResult(const Node& node) {
    if (node.outputs.empty()) {
        return {};
    }
    const Argument& first = node.outputs.front();
    if (const auto* list = std::get_if<std::vector<std::optional<ValueRef>>>(&first.value);
        list != nullptr && !list->empty()) {
        return list->front().value_or(ValueRef{}).name;
    }
    return std::string(valueName(first));
}

Result<Node> readNode(const archive::JsonValue& json) {
    ET_ASSIGN(const archive::JsonValue targetJson, json.member("target"));
    ET_ASSIGN(const std::string_view target, targetJson.string());
    ET_ASSIGN(const archive::JsonValue inputs, json.member("inputs"));
    ET_ASSIGN(const archive::JsonValue outputs, json.member("outputs"));
    Node node;
    node.target = target;
    node.op = operatorName(target);
    ET_ASSIGN(node.inputs, readNamedArguments(inputs));
    ET_ASSIGN(node.outputs, readArguments(outputs));
    if (const auto name = json.find("name")) {
        ET_ASSIGN(node.name, name->string());
    } else {
        node.name = nameOfFirstResult(node);
    }
    if (const auto metadata = json.find("metadata")) {
        ET_TRY(readMetadata(*metadata, node));
    }
    return node;
}

void writeNode(core::JsonWriter& out, const Node& node) {
    out.beginObject();
    out.member("name", [&] { out.string(node.name); });
    out.member("target", [&] { out.string(node.target); });
    out.member("inputs", [&] { writeNamedArguments(out, node.inputs); });
    out.member("outputs", [&] { writeArguments(out, node.outputs); });
    out.member("metadata", [&] { writeMetadata(out, node); });
    out.endObject();
}

}  // namespace

Result<> readGraph(const archive::JsonValue& json, ExportedGraph& graph) {
    ET_ASSIGN(const archive::JsonValue inputs, json.member("inputs"));
    ET_ASSIGN(const archive::JsonValue outputs, json.member("outputs"));
    ET_ASSIGN(const archive::JsonValue nodes, json.member("nodes"));
    ET_ASSIGN(graph.inputs, readArguments(inputs));
    ET_ASSIGN(graph.outputs, readArguments(outputs));
    ET_ASSIGN(const std::size_t count, nodes.size());
    graph.nodes.reserve(count);
    ET_TRY(nodes.forEach([&](const archive::JsonValue& each) -> Result<> {
        ET_ASSIGN(Node node, readNode(each));
        graph.nodes.push_back(std::move(node));
        return {};
    }));
    if (const auto single = json.find("is_single_tensor_return")) {
        ET_ASSIGN(graph.singleTensorReturn, single->boolean());
    }
    ET_TRY(readValues(json, graph));
    graph.indexHandles();
    return {};
}

void writeGraph(core::JsonWriter& out, const ExportedGraph& graph) {
    out.beginObject();
    out.member("inputs", [&] { writeArguments(out, graph.inputs); });
    out.member("outputs", [&] { writeArguments(out, graph.outputs); });
    out.key("nodes");
    out.beginArray();
    std::ranges::for_each(graph.nodes, [&](const Node& node) { writeNode(out, node); });
    out.endArray();
    writeValues(out, graph);
    out.member("is_single_tensor_return", [&] { out.boolean(graph.singleTensorReturn); });
    out.endObject();
}

}  // namespace et::etrecord::detail
