#include "backends/openvino/layers.h"

#include "backends/openvino/xml_reader.h"
#include "backends/payload_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::backends::openvino {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;
using core::Result;

constexpr std::size_t maxLayers = std::size_t{1} << 18U;
/// Nodes and ports that XML needs at most 16 bytes for.
constexpr std::size_t maxPorts = std::size_t{1} << 20U;

struct ElementType {
    std::string_view name;   ///< of ports: "FP32"
    std::string_view dtype;  ///< of this project
    std::uint64_t bits;
};
constexpr std::array elementTypes = std::to_array<ElementType>({
    {"FP32", "float32", 32},
    {"FP16", "float16", 16},
    {"BF16", "bfloat16", 16},
    {"FP64", "float64", 64},
    {"I64", "int64", 64},
    {"I32", "int32", 32},
    {"I16", "int16", 16},
    {"I8", "int8", 8},
    {"I4", "int4", 4},
    {"U64", "uint64", 64},
    {"U32", "uint32", 32},
    {"U16", "uint16", 16},
    {"U8", "uint8", 8},
    {"U4", "uint4", 4},
    {"U2", "uint2", 2},
    {"U1", "uint1", 1},
    {"BOOL", "bool", 8},
    {"NF4", "nf4", 4},
});

std::unexpected<core::Error> wrong(std::string message) {
    return core::fail(ErrorCode::Format, std::move(message),
                      {.file = {}, .field = "model XML", .offset = {}});
}

Result<std::uint64_t> numberIn(const XmlTag& tag, std::string_view name) {
    const std::string_view text = tag.attribute(name);
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) {
        return wrong(fmt::format("<{}>, {}: expected a number, got \"{}\"", core::printable(tag.name), name,
                                 core::printable(text)));
    }
    return number;
}

/// An output of a layer.
struct Port {
    std::string type;  ///< "float32 [1, 3]"
    std::string name;
    std::uint64_t bytes = 0;
};

struct Layer {
    std::string name;
    std::string type;  ///< "Convolution"
    std::vector<core::GraphAttribute> attributes{};
    std::optional<std::pair<std::uint64_t, std::uint64_t>> data{};  ///< offset and size of a Const
    std::map<std::uint64_t, Port> outputs{};
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>>
        inputs{};  ///< layer and port, by own port
    std::size_t bodyLayers = 0;
};

/// Reads the elements of a model. Rows of `layers` are in the order of the file.
class LayerReader {
  public:
    explicit LayerReader(std::string_view xml) : reader(xml) {}

    Result<> read();
    std::vector<Layer> layers;

  private:
    Result<> take(const XmlTag& tag);
    Result<> end(const XmlTag& tag);
    Result<> addLayer(const XmlTag& tag);
    Result<> addData(const XmlTag& tag);
    Result<> addEdge(const XmlTag& tag);
    Result<> endPort();

    XmlReader reader;
    std::vector<std::string_view> path;
    std::map<std::uint64_t, std::size_t> places;  ///< of layers, by id
    std::size_t ports = 0;
    std::size_t bodies = 0;  ///< bodies around the current element
    XmlTag port;
    std::vector<std::int64_t> sizes;  ///< of the current port
    bool isDynamic = false;
};

bool isBody(std::string_view name) {
    return name == "body" || name.ends_with("_body");
}

Result<> LayerReader::read() {
    while (true) {
        ET_ASSIGN(auto tag, reader.next());
        if (!tag) {
            break;
        }
        if (tag->isEnd) {
            path.pop_back();
            bodies -= isBody(tag->name) ? 1 : 0;
            if (bodies == 0) {
                ET_TRY(end(*tag));
            }
            continue;
        }
        if (bodies == 0) {
            ET_TRY(take(*tag));
        } else if (tag->name == "layer") {
            ++layers.back().bodyLayers;
        }
        bodies += isBody(tag->name) ? 1 : 0;
        if (isBody(tag->name) && layers.empty()) {
            return wrong(fmt::format("<{}>: expected it in a layer", core::printable(tag->name)));
        }
        path.push_back(tag->name);
    }
    return layers.empty() ? wrong("expected a model with layers") : Result<>();
}

Result<> LayerReader::take(const XmlTag& tag) {
    const std::string_view parent = path.empty() ? std::string_view() : path.back();
    if (parent.empty() && tag.name != "net") {
        return wrong(fmt::format("expected <net>, got <{}>", core::printable(tag.name)));
    }
    if (tag.name == "layer" && parent == "layers") {
        return addLayer(tag);
    }
    if (tag.name == "data" && parent == "layer") {
        return addData(tag);
    }
    if (tag.name == "port" && parent == "output") {
        port = tag;
        sizes.clear();
        isDynamic = false;
    }
    return tag.name == "edge" && parent == "edges" ? addEdge(tag) : Result<>();
}

Result<> LayerReader::end(const XmlTag& tag) {
    const std::string_view parent = path.empty() ? std::string_view() : path.back();
    if (tag.name == "dim" && parent == "port") {
        std::int64_t size = -1;
        const std::string_view text = tag.textBefore;
        std::from_chars(text.data(), text.data() + text.size(), size);
        isDynamic = isDynamic || size < 0;
        sizes.push_back(size);
    }
    return tag.name == "port" && parent == "output" ? endPort() : Result<>();
}

Result<> LayerReader::addLayer(const XmlTag& tag) {
    if (layers.size() == maxLayers) {
        return core::fail(ErrorCode::Limit, fmt::format("expected at most {} layers", maxLayers));
    }
    ET_ASSIGN(const std::uint64_t id, numberIn(tag, "id"));
    if (!places.emplace(id, layers.size()).second) {
        return wrong(fmt::format("a second layer {}", id));
    }
    Layer& layer = layers.emplace_back();
    layer.name = tag.attribute("name");
    layer.type = tag.attribute("type");
    if (const std::string_view opset = tag.attribute("version"); !opset.empty()) {
        layer.attributes.push_back({"version", std::string(opset)});
    }
    return {};
}

Result<> LayerReader::addData(const XmlTag& tag) {
    if (layers.empty()) {
        return wrong("<data>: expected it in a layer");
    }
    Layer& layer = layers.back();
    if (layer.type == "Const") {
        ET_ASSIGN(const std::uint64_t offset, numberIn(tag, "offset"));
        ET_ASSIGN(const std::uint64_t size, numberIn(tag, "size"));
        layer.data.emplace(offset, size);
        return {};
    }
    for (const auto& [name, text] : tag.attributes) {
        layer.attributes.push_back({std::string(name), text});
    }
    return {};
}

Result<> LayerReader::endPort() {
    if (layers.empty() || ports == maxPorts) {
        return layers.empty() ? wrong("<port>: expected it in a layer")
                              : Result<>(core::fail(ErrorCode::Limit,
                                                    fmt::format("expected at most {} ports", maxPorts)));
    }
    ++ports;
    ET_ASSIGN(const std::uint64_t id, numberIn(port, "id"));
    const std::string_view precision = port.attribute("precision");
    const auto* const known = std::ranges::find(elementTypes, precision, &ElementType::name);
    const bool isKnown = known != elementTypes.end();
    std::vector<std::string> shown;
    for (const std::int64_t size : sizes) {
        shown.push_back(size < 0 ? std::string("?") : fmt::to_string(size));
    }
    layers.back().outputs[id] = {
        .type = fmt::format("{} [{}]", isKnown ? known->dtype : precision, fmt::join(shown, ", ")),
        .name = std::string(port.attribute("names")),
        .bytes = isKnown && !isDynamic ? denseBytes(known->bits, sizes) : 0};
    return {};
}

Result<> LayerReader::addEdge(const XmlTag& tag) {
    ET_ASSIGN(const std::uint64_t fromLayer, numberIn(tag, "from-layer"));
    ET_ASSIGN(const std::uint64_t fromPort, numberIn(tag, "from-port"));
    ET_ASSIGN(const std::uint64_t toLayer, numberIn(tag, "to-layer"));
    ET_ASSIGN(const std::uint64_t toPort, numberIn(tag, "to-port"));
    const auto from = places.find(fromLayer);
    const auto to = places.find(toLayer);
    if (from == places.end() || to == places.end() || from->second >= to->second ||
        !layers[from->second].outputs.contains(fromPort)) {
        return wrong(
            fmt::format("edge from layer {}, port {} to layer {}: expected the output of an earlier layer",
                        fromLayer, fromPort, toLayer));
    }
    layers[to->second].inputs[toPort] = {from->second, fromPort};
    return {};
}

/// Builds the graph: parameters are inputs, results outputs, and constants values without a node.
class LayerGraph {
  public:
    LayerGraph(const std::vector<Layer>& all, Bytes data)
        : layers(all), constants(data), values(all.size()) {}

    Result<ModelGraph> build();

  private:
    Result<> add(std::size_t place);
    Result<> addConstant(const Layer& layer, GraphValue& value) const;
    void addResult(const Layer& layer);

    const std::vector<Layer>& layers;
    Bytes constants;
    ModelGraph graph;
    std::vector<std::map<std::uint64_t, GraphValueId>> values;  ///< by layer and port
    std::size_t inputs = 0;
    std::vector<GraphValueId> results;
};

Result<ModelGraph> LayerGraph::build() {
    for (std::size_t i = 0; i < layers.size(); ++i) {
        ET_TRY(add(i));
    }
    return std::move(graph);
}

Result<> LayerGraph::addConstant(const Layer& layer, GraphValue& value) const {
    value.role = GraphValue::Role::Constant;
    if (layer.data) {
        ET_ASSIGN(value.data,
                  payloadPart(constants, layer.data->first, layer.data->second, "constant " + layer.name));
        value.bytes = value.data.size();
    }
    return {};
}

void LayerGraph::addResult(const Layer& layer) {
    for (const auto& [port, from] : layer.inputs) {
        graph.setRole(values[from.first].at(from.second), GraphValue::Role::Output);
    }
}

Result<> LayerGraph::add(std::size_t place) {
    const Layer& layer = layers[place];
    if (layer.type == "Result") {
        addResult(layer);
        return {};
    }
    const bool isParameter = layer.type == "Parameter";
    const bool isConstant = layer.type == "Const";
    for (const auto& [port, output] : layer.outputs) {
        GraphValue value{.name = output.name.empty() ? layer.name : output.name,
                         .type = output.type,
                         .bytes = output.bytes};
        if (isParameter) {
            value.role = GraphValue::Role::Input;
            value.attributes.push_back({"argument", fmt::to_string(inputs++)});
        }
        if (isConstant) {
            ET_TRY(addConstant(layer, value));
        }
        values[place].emplace(port, graph.addValue(std::move(value)));
    }
    if (isParameter || isConstant) {
        return {};
    }
    GraphNode node{.name = layer.name, .kind = layer.type, .attributes = layer.attributes};
    for (const auto& [port, from] : layer.inputs) {
        node.inputs.push_back(values[from.first].at(from.second));
    }
    for (const auto& [port, value] : values[place]) {
        node.outputs.push_back(value);
    }
    if (layer.bodyLayers > 0) {
        node.attributes.push_back({"layers in its bodies", fmt::to_string(layer.bodyLayers)});
    }
    graph.addNode(std::move(node));
    return {};
}

}  // namespace

Result<ModelGraph> graphOf(std::string_view xml, Bytes constants) {
    LayerReader reader(xml);
    ET_TRY(reader.read());
    return LayerGraph(reader.layers, constants).build();
}

}  // namespace et::backends::openvino
