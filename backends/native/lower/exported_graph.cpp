#include "backends/native/lower/exported_graph.h"

#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::native {
namespace {

namespace source = et::native;
using etrecord::SymInt;
using etrecord::ValueRef;

/// torch.export's numbers.
constexpr std::int64_t stridedLayout = 7;
constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> memoryFormats{
    {{"torch.contiguous_format", 1},
     {"torch.channels_last", 2},
     {"torch.channels_last_3d", 3},
     {"torch.preserve_format", 4}}};

/// Edge graphs keep these targets.
constexpr std::array<std::string_view, 3> otherTargets{"torch.ops.higher_order.", "torch.ops.aten.sym_",
                                                       "torch.ops.aten._local_scalar_dense"};
constexpr std::string_view operatorPrefix = "torch.ops.";

std::string edgeTarget(const std::string& target) {
    const bool isOther = std::ranges::any_of(
        otherTargets, [&](std::string_view prefix) { return target.starts_with(prefix); });
    return isOther || !target.starts_with(operatorPrefix)
               ? target
               : fmt::format("executorch.exir.dialects.edge.ops.{}", target.substr(operatorPrefix.size()));
}

etrecord::Argument tensorArgument(std::string name, std::string kind = "as_tensor") {
    return {.name = {}, .kind = std::move(kind), .value = ValueRef{.name = std::move(name)}};
}

/// Converts one graph, with its subgraphs.
class Conversion {
  public:
    Conversion(std::uint32_t& handle, etrecord::ExportedGraph::ByName<etrecord::RangeConstraint>& bounds)
        : lastHandle(handle), ranges(bounds) {}

    etrecord::ExportedGraph graph(const source::Graph& from);
    [[nodiscard]] etrecord::TensorMeta tensor(const source::TensorMeta& meta);
    /// A reference to a value of the graph, whatever its kind.
    [[nodiscard]] etrecord::Argument reference(const std::string& name) const;

  private:
    [[nodiscard]] etrecord::Argument argument(const source::Argument& from);
    [[nodiscard]] etrecord::Argument result(const source::Output& from) const;
    void define(const source::Output& output);
    [[nodiscard]] SymInt size(const source::Dim& dim);
    void addNode(const source::Node& from);

    std::uint32_t& lastHandle;
    etrecord::ExportedGraph::ByName<etrecord::RangeConstraint>& ranges;
    etrecord::ExportedGraph made{};
};

SymInt Conversion::size(const source::Dim& dim) {
    if (!dim.isDynamic()) {
        return {.value = dim.minimum, .expression = {}};
    }
    const bool isBounded = dim.maximum >= 0;
    std::string symbol =
        isBounded ? fmt::format("s{}_{}", dim.minimum, dim.maximum) : fmt::format("s{}", dim.minimum);
    ranges[symbol] = {.minimum = dim.minimum,
                      .maximum = isBounded ? std::optional(dim.maximum) : std::nullopt};
    return {.value = isBounded ? dim.maximum : std::max<std::int64_t>(dim.minimum, 1),
            .expression = std::move(symbol)};
}

etrecord::TensorMeta Conversion::tensor(const source::TensorMeta& meta) {
    etrecord::TensorMeta to{.scalarType = meta.scalarType,
                            .sizes = {},
                            .strides = {},
                            .requiresGrad = false,
                            .device = "cpu",
                            .storageOffset = {},
                            .layout = stridedLayout};
    std::ranges::transform(meta.sizes, std::back_inserter(to.sizes),
                           [&](const source::Dim& dim) { return size(dim); });
    to.strides.resize(to.sizes.size());
    std::int64_t stride = 1;
    for (std::size_t i = to.sizes.size(); i-- > 0;) {
        const std::size_t dim = meta.dimOrder.size() == to.sizes.size() ? meta.dimOrder[i] : i;
        to.strides[dim].value = stride;
        stride *= std::clamp<std::int64_t>(to.sizes[dim].value, 1, std::int64_t{1} << 20);
        stride = std::min(stride, std::int64_t{1} << 40);
    }
    return to;
}

etrecord::Argument Conversion::reference(const std::string& name) const {
    return tensorArgument(name, made.symInts.contains(name)     ? "as_sym_int"
                                : made.symBools.contains(name)  ? "as_sym_bool"
                                : made.symFloats.contains(name) ? "as_sym_float"
                                                                : "as_tensor");
}

etrecord::Argument textArgument(const std::string& name, const std::string& text) {
    const auto format =
        std::ranges::find(memoryFormats, text, &std::pair<std::string_view, std::int64_t>::first);
    if (format != memoryFormats.end()) {
        return {.name = name, .kind = "as_memory_format", .value = format->second};
    }
    if (text == "torch.strided") {
        return {.name = name, .kind = "as_layout", .value = stridedLayout};
    }
    return {.name = name, .kind = name == "device" ? "as_device" : "as_string", .value = text};
}

template <class T>
etrecord::Argument numberArgument(const std::string& name, const source::ScalarOrName<T>& number,
                                  std::string_view type) {
    if (number.name.empty()) {
        return {.name = name, .kind = fmt::format("as_{}", type), .value = number.value};
    }
    return {.name = name, .kind = fmt::format("as_sym_{}", type), .value = ValueRef{.name = number.name}};
}

etrecord::Argument integersArgument(const std::string& name, const std::vector<source::IntOrName>& items) {
    std::vector<SymInt> numbers;
    bool isPlain = true;
    for (const source::IntOrName& item : items) {
        isPlain = isPlain && item.name.empty();
        numbers.push_back({.value = item.name.empty() ? item.value : 0, .expression = item.name});
    }
    return {.name = name, .kind = isPlain ? "as_ints" : "as_sym_ints", .value = std::move(numbers)};
}

etrecord::Argument tensorsArgument(const std::string& name, const source::TensorNames& tensors) {
    std::vector<std::optional<ValueRef>> items;
    bool isComplete = true;
    for (const auto& item : tensors.names) {
        isComplete = isComplete && item.has_value();
        items.push_back(item ? std::optional(ValueRef{.name = *item}) : std::nullopt);
    }
    return {.name = name,
            .kind = tensors.isOptional || !isComplete ? "as_optional_tensors" : "as_tensors",
            .value = std::move(items)};
}

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};

etrecord::Argument Conversion::argument(const source::Argument& from) {
    const std::string& name = from.name;
    using To = etrecord::Argument;
    return std::visit(
        Overloaded{
            [&](std::monostate) { return To{.name = name, .kind = "as_none"}; },
            [&](const source::TensorName& tensor) {
                To to = reference(tensor.name);
                to.name = name;
                return to;
            },
            [&](const source::IntOrName& number) { return numberArgument(name, number, "int"); },
            [&](const source::ScalarOrName<double>& number) { return numberArgument(name, number, "float"); },
            [&](const source::ScalarOrName<bool>& truth) { return numberArgument(name, truth, "bool"); },
            [&](const std::string& text) { return textArgument(name, text); },
            [&](const source::ScalarTypeCode& type) {
                return To{.name = name, .kind = "as_scalar_type", .value = std::int64_t{type.code}};
            },
            [&](const std::vector<source::IntOrName>& items) { return integersArgument(name, items); },
            [&](const std::vector<double>& items) {
                return To{.name = name, .kind = "as_floats", .value = items};
            },
            [&](const std::vector<bool>& items) {
                return To{.name = name, .kind = "as_bools", .value = items};
            },
            [&](const source::TensorNames& tensors) { return tensorsArgument(name, tensors); },
            [&](const source::Subgraph& body) {
                return To{
                    .name = name,
                    .kind = "as_graph",
                    .value = std::make_shared<const etrecord::GraphRef>(etrecord::GraphRef{
                        .name = body.name, .graph = Conversion(lastHandle, ranges).graph(*body.graph)})};
            }},
        from.value);
}

/// Numbers have no metadata.
void Conversion::define(const source::Output& output) {
    switch (output.kind) {
        case source::Output::Kind::Int:
            made.symInts[output.name] = {.value = 0, .expression = output.name};
            break;
        case source::Output::Kind::Bool:
            made.symBools[output.name] = {.value = false, .expression = output.name};
            break;
        case source::Output::Kind::Float:
            made.symFloats[output.name] = {.value = 0, .expression = output.name};
            break;
        case source::Output::Kind::Tensor:
        case source::Output::Kind::TensorList:
            break;
    }
}

etrecord::Argument Conversion::result(const source::Output& from) const {
    if (from.kind != source::Output::Kind::TensorList) {
        return reference(from.name);
    }
    std::vector<std::optional<ValueRef>> items;
    std::ranges::transform(from.names, std::back_inserter(items),
                           [](const std::string& name) { return ValueRef{.name = name}; });
    return {.name = {}, .kind = "as_tensors", .value = std::move(items)};
}

void Conversion::addNode(const source::Node& from) {
    etrecord::Node node;
    node.name = from.name;
    node.target = edgeTarget(from.target);
    node.op = etrecord::operatorName(node.target);
    for (const source::Argument& input : from.inputs) {
        node.inputs.push_back(argument(input));
    }
    for (const source::Output& output : from.outputs) {
        define(output);
        node.outputs.push_back(result(output));
    }
    node.debugHandles = {core::DebugHandle(++lastHandle)};
    made.nodes.push_back(std::move(node));
}

etrecord::ExportedGraph Conversion::graph(const source::Graph& from) {
    made.dialect = "EDGE";
    for (const auto& [name, meta] : from.tensors) {
        made.tensors.emplace(name, tensor(meta));
    }
    for (const source::Node& node : from.nodes) {
        if (node.kind == source::Node::Kind::Call) {
            addNode(node);
        } else if (node.kind == source::Node::Kind::Placeholder) {
            std::ranges::for_each(node.outputs, [&](const source::Output& output) { define(output); });
        }
    }
    for (const std::string& name : from.inputs) {
        made.inputs.push_back(reference(name));
    }
    for (const std::string& name : from.outputs) {
        made.outputs.push_back(reference(name));
    }
    return std::move(made);
}

std::string_view inputKind(source::Constant::Kind kind) {
    switch (kind) {
        case source::Constant::Kind::Parameter:
            return "parameter";
        case source::Constant::Kind::Buffer:
            return "buffer";
        case source::Constant::Kind::Tensor:
            return "tensor_constant";
    }
    return "tensor_constant";
}

std::string_view outputKind(source::OutputSpec::Kind kind) {
    switch (kind) {
        case source::OutputSpec::Kind::UserOutput:
            return "user_output";
        case source::OutputSpec::Kind::BufferMutation:
            return "buffer_mutation";
        case source::OutputSpec::Kind::InputMutation:
            return "user_input_mutation";
    }
    return "user_output";
}

void addSignature(const source::Method& method, etrecord::ExportedGraph& graph) {
    std::vector<etrecord::Argument> users = std::exchange(graph.inputs, {});
    const auto addOwn = [&](std::string_view kind, const std::string& name, const std::string& key,
                            bool isPersistent) {
        graph.inputs.push_back(tensorArgument(name));
        graph.inputSpecs.push_back(
            {.kind = std::string(kind), .value = name, .target = key, .persistent = isPersistent});
    };
    for (const source::Constant& constant : method.constants) {
        addOwn(inputKind(constant.kind), constant.name, constant.key, true);
    }
    for (const source::MutableBuffer& buffer : method.mutableBuffers) {
        addOwn("buffer", buffer.name, buffer.key, false);
    }
    for (etrecord::Argument& user : users) {
        graph.inputs.push_back(user);
        std::string name = std::get<ValueRef>(user.value).name;
        graph.inputSpecs.push_back(
            {.kind = "user_input", .value = std::move(name), .target = {}, .argument = std::move(user)});
    }
    for (std::size_t i = 0; i < method.outputSpecs.size() && i < graph.outputs.size(); ++i) {
        const source::OutputSpec& spec = method.outputSpecs[i];
        graph.outputSpecs.push_back({.kind = std::string(outputKind(spec.kind)),
                                     .value = spec.name,
                                     .target = spec.target,
                                     .argument = graph.outputs[i]});
    }
}

}  // namespace

etrecord::ExportedGraph exportedGraph(const source::Method& method, const ConstantType& constantType,
                                      std::uint32_t& lastHandle) {
    etrecord::ExportedGraph::ByName<etrecord::RangeConstraint> ranges;
    Conversion conversion(lastHandle, ranges);
    etrecord::ExportedGraph graph = conversion.graph(method.graph);
    for (const source::Constant& constant : method.constants) {
        source::TensorMeta stored = constant.meta;
        stored.dimOrder.clear();
        stored.scalarType = constantType(constant);
        graph.tensors.insert_or_assign(constant.name, conversion.tensor(stored));
    }
    addSignature(method, graph);
    graph.rangeConstraints = std::move(ranges);
    graph.indexHandles();
    return graph;
}

}  // namespace et::backends::native
