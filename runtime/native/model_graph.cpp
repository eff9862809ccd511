#include "runtime/native/model_graph.h"

#include "runtime/core/scalar_type.h"
#include "runtime/native/quantized.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace et::native {
namespace {

using core::GraphAttribute;
using core::GraphGroupId;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

/// Longer lists and texts are truncated.
constexpr std::size_t maxItems = 16;
constexpr std::size_t longestText = 200;

std::string sizeText(const Dim& dim) {
    return !dim.isDynamic()  ? fmt::to_string(dim.minimum)
           : dim.maximum < 0 ? fmt::format("{}..", dim.minimum)
                             : fmt::format("{}..{}", dim.minimum, dim.maximum);
}

/// Bytes of the largest tensor; 0: unbounded.
std::uint64_t largestBytes(const TensorMeta& meta) {
    std::vector<std::int64_t> sizes;
    for (const Dim& dim : meta.sizes) {
        sizes.push_back(dim.maximum);
    }
    return static_cast<std::uint64_t>(core::tensorBytes(meta.scalarType, sizes).value_or(0));
}

std::string shortText(std::string_view text) {
    return core::printable(text.substr(0, longestText)) + (text.size() > longestText ? "…" : "");
}

std::string textOf(double value) {
    return fmt::to_string(value);
}
std::string textOf(bool value) {
    return value ? "True" : "False";
}
template <class T>
std::string textOf(const ScalarOrName<T>& scalar) {
    if (!scalar.name.empty()) {
        return shortText(scalar.name);
    }
    if constexpr (std::is_same_v<T, std::int64_t>) {
        return fmt::to_string(scalar.value);
    } else {
        return textOf(scalar.value);
    }
}

template <class T>
std::string textOf(const std::vector<T>& items) {
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(items.size(), maxItems); ++i) {
        const T& item = items[i];  // a vector<bool> has no elements to refer to
        text += (i == 0 ? "" : ", ") + textOf(item);
    }
    return text + (items.size() > maxItems ? fmt::format(", … {} in all]", items.size()) : "]");
}

/// Text of an argument that refers to no tensor.
struct ArgumentText {
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(const std::string& text) const { return shortText(text); }
    std::string operator()(ScalarTypeCode type) const { return core::scalarTypeName(type.code); }
    std::string operator()(const TensorName& tensor) const { return shortText(tensor.name); }
    std::string operator()(const TensorNames& tensors) const {
        return fmt::format("{} tensors", tensors.names.size());
    }
    std::string operator()(const Subgraph& subgraph) const { return shortText("graph " + subgraph.name); }
    template <class T>
    std::string operator()(const T& value) const {
        return textOf(value);
    }
};

/// Calls `visit` with each value of the graph that an argument refers to.
template <class Visit>
void eachReference(const ArgumentValue& value, const Visit& visit) {
    const auto visitScalar = [&](const auto& scalar) {
        if (!scalar.name.empty()) {
            visit(scalar.name);
        }
    };
    if (const auto* tensor = std::get_if<TensorName>(&value)) {
        visit(tensor->name);
    } else if (const auto* tensors = std::get_if<TensorNames>(&value)) {
        for (const auto& name : tensors->names) {
            if (name) {
                visit(*name);
            }
        }
    } else if (const auto* ints = std::get_if<std::vector<IntOrName>>(&value)) {
        std::ranges::for_each(*ints, visitScalar);
    } else if (const auto* integer = std::get_if<IntOrName>(&value)) {
        visitScalar(*integer);
    } else if (const auto* real = std::get_if<ScalarOrName<double>>(&value)) {
        visitScalar(*real);
    } else if (const auto* flag = std::get_if<ScalarOrName<bool>>(&value)) {
        visitScalar(*flag);
    }
}

/// Adds the nodes of graphs to a ModelGraph.
class Describer {
  public:
    /// Additional attributes of results, by name.
    using Attributes = std::multimap<std::string_view, GraphAttribute>;
    using Values = std::map<std::string, GraphValueId, std::less<>>;

    Describer(ModelGraph& to, const Attributes& ofResults) : graph(to), resultAttributes(ofResults) {}

    GraphValueId declare(Values& values, const std::string& name, const TensorMeta* meta, bool isResult) {
        GraphValue value{.name = name, .type = meta == nullptr ? "" : typeText(*meta)};
        const auto [first, last] = resultAttributes.equal_range(isResult ? std::string_view(name) : "");
        for (auto each = first; each != last; ++each) {
            value.attributes.push_back(each->second);
        }
        if (meta != nullptr) {
            value.bytes = largestBytes(*meta);
        }
        const GraphValueId id = graph.addValue(std::move(value));
        values.insert_or_assign(name, id);
        return id;
    }

    void add(const Graph& from, Values& values, std::optional<GraphGroupId> group,
             const std::string& prefix) {
        for (const Node& node : from.nodes) {
            if (node.kind == Node::Kind::Call) {
                addNode(node, from, values, group, prefix);
            }
        }
    }

  private:
    static const TensorMeta* metaOf(const Graph& from, std::string_view name) {
        const auto found = from.tensors.find(name);
        return found == from.tensors.end() ? nullptr : &found->second;
    }

    void addArgument(const Argument& argument, std::size_t index, const Values& values, GraphNode& node) {
        bool refers = false;
        eachReference(argument.value, [&](const std::string& name) {
            if (const auto found = values.find(name); found != values.end()) {
                node.inputs.push_back(found->second);
                refers = true;
            }
        });
        const bool isTensor = std::holds_alternative<TensorName>(argument.value) ||
                              std::holds_alternative<TensorNames>(argument.value);
        if (!refers || !isTensor) {
            node.attributes.push_back(
                {argument.name.empty() ? fmt::format("argument {}", index) : core::printable(argument.name),
                 std::visit(ArgumentText{}, argument.value)});
        }
    }

    void addOutput(const Output& output, const Graph& from, Values& values, GraphNode& node) {
        const auto addOne = [&](const std::string& name) {
            const GraphValueId id = declare(values, name, metaOf(from, name), !node.group);
            node.outputs.push_back(id);
        };
        if (output.kind == Output::Kind::TensorList) {
            std::ranges::for_each(output.names, addOne);
        } else {
            addOne(output.name);
        }
        if (!output.aliasOf.empty()) {
            node.attributes.push_back({"shares storage with", shortText(output.aliasOf)});
        }
    }

    void addNode(const Node& from, const Graph& body, Values& values, std::optional<GraphGroupId> group,
                 const std::string& prefix) {
        GraphNode node{
            .name = prefix + from.name, .kind = std::string(operatorName(from.target)), .group = group};
        for (std::size_t i = 0; i < from.inputs.size(); ++i) {
            addArgument(from.inputs[i], i, values, node);
        }
        for (const Output& output : from.outputs) {
            addOutput(output, body, values, node);
        }
        for (const Argument& argument : from.inputs) {
            const auto* tensor = std::get_if<TensorName>(&argument.value);
            if (argument.isMutated && tensor != nullptr && values.contains(tensor->name)) {
                node.outputs.push_back(rewritten(tensor->name, values));
            }
        }
        for (const auto& [key, text] : from.metadata) {
            node.attributes.push_back({core::printable(key), shortText(text)});
        }
        graph.addNode(std::move(node));
        for (const Argument& argument : from.inputs) {
            if (const auto* subgraph = std::get_if<Subgraph>(&argument.value)) {
                addSubgraph(*subgraph, from, group, prefix);
            }
        }
    }

    /// The value of a tensor after it was written in place.
    GraphValueId rewritten(const std::string& name, Values& values) {
        GraphValue next = graph.value(values.find(name)->second);
        next.role = GraphValue::Role::Intermediate;
        next.data = {};
        next.producer.reset();
        next.consumers.clear();
        const GraphValueId id = graph.addValue(std::move(next));
        values.insert_or_assign(name, id);
        return id;
    }

    void addSubgraph(const Subgraph& subgraph, const Node& from, std::optional<GraphGroupId> parent,
                     const std::string& prefix) {
        const GraphGroupId group = graph.addGroup(core::GraphGroup{
            .name = fmt::format("{} of {}", subgraph.name, from.name), .parent = parent, .kind = "subgraph"});
        Values values;
        for (const std::string& input : subgraph.graph->inputs) {
            declare(values, input, metaOf(*subgraph.graph, input), false);
        }
        add(*subgraph.graph, values, group, fmt::format("{}{}.{}.", prefix, from.name, subgraph.name));
    }

    ModelGraph& graph;
    const Attributes& resultAttributes;
};

/// Adds the key, quantization and data of a constant.
void describeConstant(const Constant& constant, const FindTensor& find, GraphValue& value) {
    value.role = GraphValue::Role::Constant;
    value.attributes.push_back({std::string(keyAttribute), constant.key});
    if (constant.meta.isQuantized()) {
        value.attributes.push_back(
            {std::string(codecAttribute), quantizationText(constant.meta.quantization)});
    }
    if (constant.isMutable) {
        value.attributes.push_back({std::string(stateAttribute), "stored initial value"});
    }
    if (const auto stored = find(constant.key)) {
        value.data = stored->data;
        value.bytes = stored->data.size();
    } else {
        value.attributes.push_back({"data", "missing"});
    }
}

/// Buffers that results replace, and for a delegate the arguments of its call.
Describer::Attributes attributesOfResults(const Method& method, bool isDelegate) {
    Describer::Attributes attributes;
    std::size_t argument = method.graph.inputs.size();
    for (const OutputSpec& spec : method.outputSpecs) {
        if (spec.kind != OutputSpec::Kind::UserOutput) {
            attributes.emplace(spec.name, GraphAttribute{std::string(writesAttribute), spec.target});
        } else if (isDelegate) {
            attributes.emplace(spec.name, GraphAttribute{"argument", fmt::to_string(argument++)});
        }
    }
    return attributes;
}

}  // namespace

std::string typeText(const TensorMeta& meta) {
    std::string sizes;
    for (const Dim& dim : meta.sizes) {
        sizes += (sizes.empty() ? "" : ", ") + sizeText(dim);
    }
    return fmt::format("{} [{}]", core::scalarTypeName(meta.scalarType), sizes);
}

std::string_view operatorName(std::string_view target) {
    constexpr std::string_view prefix = "torch.ops.";
    return target.starts_with(prefix) ? target.substr(prefix.size()) : target;
}

ModelGraph modelGraph(const Method& method, const FindTensor& find, bool isDelegate) {
    ModelGraph described;
    described.name = method.name;
    const Describer::Attributes attributes = attributesOfResults(method, isDelegate);
    Describer describer(described, attributes);
    Describer::Values values;
    const auto declare = [&](GraphValue value) {
        std::string name = value.name;
        values.insert_or_assign(std::move(name), described.addValue(std::move(value)));
    };
    for (const std::string& input : method.graph.inputs) {
        const TensorMeta& meta = method.graph.tensors.find(input)->second;
        GraphValue value{.name = input,
                         .type = typeText(meta),
                         .role = GraphValue::Role::Input,
                         .bytes = largestBytes(meta)};
        if (isDelegate) {
            value.attributes.push_back({"argument", fmt::to_string(values.size())});
        }
        declare(std::move(value));
    }
    for (const Constant& constant : method.constants) {
        GraphValue value{.name = constant.name, .type = typeText(constant.meta)};
        describeConstant(constant, find, value);
        declare(std::move(value));
    }
    for (const MutableBuffer& buffer : method.mutableBuffers) {
        const TensorMeta& meta = method.graph.tensors.find(buffer.name)->second;
        GraphValue value{.name = buffer.name, .type = typeText(meta), .bytes = largestBytes(meta)};
        value.attributes = {{std::string(keyAttribute), buffer.key},
                            {std::string(stateAttribute), "zero at load"}};
        declare(std::move(value));
    }
    describer.add(method.graph, values, std::nullopt, "");
    for (const OutputSpec& spec : method.outputSpecs) {
        const auto found = values.find(spec.name);
        if (spec.kind == OutputSpec::Kind::UserOutput && found != values.end() &&
            described.value(found->second).role == GraphValue::Role::Intermediate) {
            described.setRole(found->second, GraphValue::Role::Output);
        }
    }
    return described;
}

}  // namespace et::native
