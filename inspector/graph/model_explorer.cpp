#include "inspector/graph/model_explorer.h"

#include "inspector/graph/graph_labels.h"
#include "inspector/graph/graph_overlay.h"
#include "inspector/graph/graph_regions.h"
#include "runtime/core/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace et::inspector {

using core::GraphNode;
using core::GraphNodeId;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

namespace {

constexpr std::string_view inputsLayer = "inputs";
constexpr std::string_view outputLabel = "output";

bool isExplored(const ExplorerView& view, std::size_t node) {
    return view.shown.empty() || view.shown[node];
}

/// Unique ids: names of nodes, then those of inputs and constants. Repeated ones get a number.
class ExplorerIds {
  public:
    explicit ExplorerIds(const ModelGraph& graph) : values(graph.values().size()) {
        for (const GraphNode& node : graph.nodes()) {
            nodes.push_back(unique(node.name));
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!graph.values()[i].producer) {
                values[i] = unique(graph.values()[i].name);
            }
        }
        output = unique(outputLabel);
    }

    [[nodiscard]] const std::string& of(GraphNodeId id) const { return nodes[id.value]; }
    /// Of a value without a producer.
    [[nodiscard]] const std::string& of(GraphValueId id) const { return values[id.value]; }
    [[nodiscard]] const std::string& ofOutput() const { return output; }

  private:
    std::string unique(std::string_view name) {
        std::string id(name);
        for (std::size_t& repeat = repeats[std::string(name)]; !used.insert(id).second;) {
            id = fmt::format("{} ({})", name, ++repeat + 1);
        }
        return id;
    }

    std::set<std::string> used;
    std::map<std::string, std::size_t> repeats;
    std::vector<std::string> nodes;
    std::vector<std::string> values;  ///< empty for values of nodes
    std::string output;
};

/// Slashes separate layers.
std::string layerName(std::string_view name) {
    std::string out(name);
    std::ranges::replace(out, '/', ':');
    return out;
}

/// The delegate that runs a node; empty for none.
std::string delegateOf(const ModelGraph& graph, const GraphNode& node) {
    std::string where = partitionOf(graph, node);
    return where == notDelegated ? std::string() : where;
}

/// Namespaces of nodes.
class ExplorerPaths {
  public:
    explicit ExplorerPaths(const ExplorerView& of) : view(of) {
        if (view.layers == ExplorerLayers::Clusters) {
            clusters = quantizedClusters(view.graph);
        }
    }

    std::string of(GraphNodeId id) {
        return view.layers == ExplorerLayers::Clusters ? clusterPath(id)
                                                       : groupPath(view.graph.node(id).group);
    }

  private:
    /// Sections only limit the width of our own pictures.
    std::string groupPath(std::optional<core::GraphGroupId> group) {
        std::string path;
        for (; group; group = view.graph.group(*group).parent) {
            const core::GraphGroup& each = view.graph.group(*group);
            if (each.kind != "section") {
                path = layerName(each.name) + (path.empty() ? "" : "/") + path;
            }
        }
        return path;
    }

    std::string clusterPath(GraphNodeId id) {
        std::string path;
        if (const std::string where = delegateOf(view.graph, view.graph.node(id)); !where.empty()) {
            const auto number = partitions.try_emplace(where, partitions.size()).first->second;
            path = fmt::format("partition {} ({})", number, layerName(where));
        }
        if (const auto cluster = clusters.of[id.value]) {
            path += fmt::format("{}cluster ({})", path.empty() ? "" : "/", *cluster);
        }
        return path;
    }

    const ExplorerView& view;
    QuantizedClusters clusters;
    std::map<std::string, std::size_t> partitions;
};

class ExplorerGraphText {
  public:
    explicit ExplorerGraphText(const ExplorerView& of) : view(of), graph(of.graph), ids(graph), paths(of) {}

    std::string write() {
        out.beginObject();
        field("label", view.label);
        out.key("graphs");
        out.beginArray();
        out.beginObject();
        field("id", graph.name);
        field("collectionLabel", view.label);
        list("nodes", [&] {
            writeSources();
            for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
                if (isExplored(view, i)) {
                    writeNode(GraphNodeId(i));
                }
            }
            writeOutput();
        });
        writeGroupAttributes();
        out.endObject();
        out.endArray();
        out.endObject();
        return out.take() + "\n";
    }

  private:
    void field(std::string_view name, std::string_view text) {
        out.key(name);
        out.string(text);
    }

    template <class Write>
    void list(std::string_view name, const Write& write) {
        out.key(name);
        out.beginArray();
        write();
        out.endArray();
    }

    void attribute(std::string_view name, std::string_view text) {
        out.beginObject();
        field("key", name);
        field("value", text);
        out.endObject();
    }

    void beginNode(std::string_view id, std::string_view label, std::string_view layer) {
        out.beginObject();
        field("id", id);
        field("label", label);
        field("namespace", layer);
    }

    /// Inputs and constants that shown nodes read, as nodes.
    void writeSources() {
        for (std::uint32_t i = 0; i < graph.values().size(); ++i) {
            const GraphValue& value = graph.values()[i];
            const bool used = std::ranges::any_of(
                value.consumers, [&](GraphNodeId node) { return isExplored(view, node.value); });
            const bool wanted = used || (view.shown.empty() && value.role == GraphValue::Role::Input);
            if (value.producer || !wanted) {
                continue;
            }
            beginNode(ids.of(GraphValueId(i)), value.name,
                      view.layers == ExplorerLayers::Groups ? inputsLayer : std::string_view());
            list("attrs", [&] {
                attribute("kind", value.role == GraphValue::Role::Constant ? "constant" : "input");
                writeAttributes(value.attributes);
            });
            list("outputsMetadata", [&] { writeOutputMetadata(0, value); });
            out.endObject();
        }
    }

    void writeAttributes(const std::vector<core::GraphAttribute>& attributes) {
        for (const core::GraphAttribute& each : attributes) {
            attribute(each.name, each.text);
        }
    }

    void writeNode(GraphNodeId id) {
        const GraphNode& node = graph.node(id);
        beginNode(ids.of(id), readableKind(graph, node), paths.of(id));
        list("attrs", [&] {
            attribute("operator", node.kind);
            writeAttributes(node.attributes);
            if (node.instruction) {
                attribute("instruction", fmt::to_string(node.instruction->value));
            }
            if (!node.debugHandles.empty()) {
                std::string handles;
                for (const core::DebugHandle handle : node.debugHandles) {
                    handles += fmt::format("{}{}", handles.empty() ? "" : ", ", handle.value);
                }
                attribute("debug handles", handles);
            }
        });
        list("incomingEdges", [&] {
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
                writeEdge(node.inputs[i], i);
            }
        });
        list("outputsMetadata", [&] {
            for (std::size_t i = 0; i < node.outputs.size(); ++i) {
                writeOutputMetadata(i, graph.value(node.outputs[i]));
            }
        });
        out.endObject();
    }

    void writeEdge(GraphValueId from, std::size_t input) {
        const GraphValue& value = graph.value(from);
        std::size_t output = 0;
        if (value.producer) {
            if (!isExplored(view, value.producer->value)) {
                return;
            }
            const auto& all = graph.node(*value.producer).outputs;
            output = static_cast<std::size_t>(std::ranges::find(all, from) - all.begin());
        }
        out.beginObject();
        field("sourceNodeId", value.producer ? ids.of(*value.producer) : ids.of(from));
        field("sourceNodeOutputId", fmt::to_string(output));
        field("targetNodeInputId", fmt::to_string(input));
        out.endObject();
    }

    void writeOutputMetadata(std::size_t number, const GraphValue& value) {
        out.beginObject();
        field("id", fmt::to_string(number));
        list("attrs", [&] {
            attribute("name", value.name);
            if (!value.type.empty()) {
                attribute("tensor_shape", value.type);
            }
            if (value.bytes > 0) {
                attribute("bytes", fmt::to_string(value.bytes));
            }
            if (value.producer) {
                writeAttributes(value.attributes);
            }
        });
        out.endObject();
    }

    /// One node that reads all outputs, as in PyTorch's graphs.
    void writeOutput() {
        std::vector<GraphValueId> outputs;
        for (std::uint32_t i = 0; i < graph.values().size(); ++i) {
            const GraphValue& value = graph.values()[i];
            if (value.role == GraphValue::Role::Output && value.producer &&
                isExplored(view, value.producer->value)) {
                outputs.emplace_back(i);
            }
        }
        if (outputs.empty()) {
            return;
        }
        beginNode(ids.ofOutput(), outputLabel, {});
        list("incomingEdges", [&] {
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                writeEdge(outputs[i], i);
            }
        });
        out.endObject();
    }

    /// Attributes of the graph, which Model Explorer shows without a selected node.
    void writeGroupAttributes() {
        out.key("groupNodeAttributes");
        out.beginObject();
        out.key("");
        out.beginObject();
        field("graph", graph.name);
        field("nodes", fmt::to_string(graph.nodes().size()));
        out.endObject();
        out.endObject();
    }

    const ExplorerView& view;
    const ModelGraph& graph;
    ExplorerIds ids;
    ExplorerPaths paths;
    core::JsonWriter out;
};

/// Node data of one graph: `{"forward": {"name": …, "results": {…}}}`.
class ExplorerDataText {
  public:
    explicit ExplorerDataText(const ExplorerView& of) : view(of), ids(of.graph) {}

    [[nodiscard]] std::string words(std::string_view title, const std::vector<std::string>& wordOf) const {
        std::map<std::string_view, std::size_t> colours;
        core::JsonWriter out = opened(title);
        for (std::uint32_t i = 0; i < wordOf.size(); ++i) {
            if (wordOf[i].empty() || !isExplored(view, i)) {
                continue;
            }
            const std::size_t place = colours.try_emplace(wordOf[i], colours.size()).first->second;
            out.key(ids.of(GraphNodeId(i)));
            out.beginObject();
            out.key("value");
            out.string(wordOf[i]);
            out.key("bgColor");
            out.string(wordColours()[place % wordColours().size()]);
            out.endObject();
        }
        out.endObject();
        out.key("showExpandedSummaryOnGroupNode");
        out.boolean(true);
        return colours.empty() ? std::string() : closed(std::move(out));
    }

    [[nodiscard]] std::string numbers(const GraphNumbers& from) const {
        std::map<GraphNodeId, double> amounts;
        for (const PartNumber& part : from.parts) {
            if (from.adds) {
                amounts[part.nodes.back()] += part.amount;
                continue;
            }
            for (const GraphNodeId id : part.nodes) {
                double& amount = amounts[id];
                amount = std::max(amount, part.amount);
            }
        }
        std::erase_if(amounts, [&](const auto& each) { return !isExplored(view, each.first.value); });
        core::JsonWriter out =
            opened(from.unit.empty() ? from.title : fmt::format("{} ({})", from.title, from.unit));
        for (const auto& [id, amount] : amounts) {
            out.key(ids.of(id));
            out.beginObject();
            out.key("value");
            out.number(amount);
            out.endObject();
        }
        out.endObject();
        out.key("gradient");
        out.beginArray();
        const auto colours = amountColours();
        for (std::size_t i = 0; i < colours.size(); ++i) {
            out.beginObject();
            out.key("stop");
            out.number(static_cast<double>(i) / static_cast<double>(colours.size() - 1));
            out.key("bgColor");
            out.string(colours[i]);
            out.endObject();
        }
        out.endArray();
        return amounts.empty() ? std::string() : closed(std::move(out));
    }

  private:
    [[nodiscard]] core::JsonWriter opened(std::string_view title) const {
        core::JsonWriter out;
        out.beginObject();
        out.key(view.graph.name);
        out.beginObject();
        out.key("name");
        out.string(title);
        out.key("results");
        out.beginObject();
        return out;
    }

    static std::string closed(core::JsonWriter out) {
        out.endObject();
        out.endObject();
        return out.take() + "\n";
    }

    const ExplorerView& view;
    ExplorerIds ids;
};

/// "cluster 3"; outside of clusters "quantize", "dequantize" or a quantized dtype; empty for float nodes.
std::vector<std::string> quantizationWords(const ModelGraph& graph) {
    const QuantizedClusters clusters = quantizedClusters(graph);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
        const GraphNode& node = graph.nodes()[i];
        const QuantizationRole role = quantizationRole(node);
        const std::string_view type =
            node.outputs.empty() ? std::string_view() : graph.value(node.outputs[0]).type;
        if (clusters.of[i]) {
            words.push_back(fmt::format("cluster {}", *clusters.of[i]));
        } else if (role != QuantizationRole::Compute) {
            words.emplace_back(role == QuantizationRole::Quantize ? "quantize" : "dequantize");
        } else {
            words.emplace_back(type.starts_with('q') ? type.substr(0, type.find(' ')) : std::string_view());
        }
    }
    return words;
}

}  // namespace

std::string explorerGraph(const ExplorerView& view) {
    return ExplorerGraphText(view).write();
}

std::vector<ExplorerData> explorerData(const ExplorerView& view, const GraphNumbers& times,
                                       const GraphNumbers& gap) {
    const ExplorerDataText text(view);
    std::vector<std::string> partitions;
    for (const GraphNode& node : view.graph.nodes()) {
        partitions.push_back(partitionOf(view.graph, node));
    }
    std::vector<ExplorerData> files{
        {"time", text.numbers(times)},
        {"gap", text.numbers(gap)},
        {"partition", text.words("partition", partitions)},
        {"quantization", text.words("quantization", quantizationWords(view.graph))}};
    std::erase_if(files, [](const ExplorerData& each) { return each.json.empty(); });
    return files;
}

std::filesystem::path explorerDataPath(const std::filesystem::path& graph, const ExplorerData& data) {
    return graph.parent_path() / (graph.stem().string() + "." + data.name + ".json");
}

}  // namespace et::inspector
