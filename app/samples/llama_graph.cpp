#include "app/samples/llama_graph.h"

#include "app/samples/edge_parts.h"
#include "etrecord/root_call.h"
#include "etrecord/torch_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace et::samples {
namespace {

using Sizes = std::vector<std::int64_t>;
using etrecord::Argument;
using etrecord::ValueRef;

constexpr std::string_view edgePrefix = "executorch.exir.dialects.edge.ops.";

Argument tensorArgument(std::string_view name, std::string_view value) {
    return {.name = std::string(name), .kind = "as_tensor", .value = ValueRef{.name = std::string(value)}};
}

/// Converts an argument for the Edge graph.
struct InGraph {
    Argument operator()(std::monostate) const { return {.name = {}, .kind = "as_none"}; }
    Argument operator()(const GraphTensor& tensor) const { return tensorArgument({}, tensor.name); }
    Argument operator()(const GraphNumber& number) const {
        return {.name = {}, .kind = "as_sym_int", .value = ValueRef{.name = number.name}};
    }
    Argument operator()(std::int64_t number) const { return {.name = {}, .kind = "as_int", .value = number}; }
    Argument operator()(double number) const { return {.name = {}, .kind = "as_float", .value = number}; }
    Argument operator()(bool truth) const { return {.name = {}, .kind = "as_bool", .value = truth}; }
    Argument operator()(const Sizes& numbers) const {
        return {.name = {}, .kind = "as_ints", .value = plainInts(numbers)};
    }
    Argument operator()(const std::vector<GraphTensor>& tensors) const {
        std::vector<std::optional<ValueRef>> names;
        for (const GraphTensor& each : tensors) {
            names.emplace_back(ValueRef{.name = each.name});
        }
        return {.name = {}, .kind = "as_optional_tensors", .value = std::move(names)};
    }
};

/// Converts an argument for the program.
struct InProgram {
    builder::Argument operator()(std::monostate) const { return nullptr; }
    builder::Argument operator()(const GraphTensor& tensor) const { return tensor.id; }
    builder::Argument operator()(const GraphNumber& number) const { return number.id; }
    builder::Argument operator()(std::int64_t number) const { return number; }
    builder::Argument operator()(double number) const { return number; }
    builder::Argument operator()(bool truth) const { return truth; }
    builder::Argument operator()(const Sizes& numbers) const { return numbers; }
    builder::Argument operator()(const std::vector<GraphTensor>& tensors) const {
        std::vector<std::optional<program::ValueId>> ids;
        for (const GraphTensor& each : tensors) {
            ids.emplace_back(each.id);
        }
        return ids;
    }
};

std::size_t countOf(const Sizes& sizes) {
    std::size_t count = 1;
    for (const std::int64_t size : sizes) {
        count *= static_cast<std::size_t>(size);
    }
    return count;
}

}  // namespace

StatefulGraph::StatefulGraph(builder::MethodBuilder& into, std::string_view ofMethod)
    : method(into), methodName(ofMethod) {
    describeEdge(graph);
    modules.push_back({.path = "L__self__", .fqn = {}, .type = "llama.Llama"});
}

StatefulGraph::Module::Module(StatefulGraph& graph, std::string_view name, std::string_view type)
    : owner(graph) {
    const std::string& around = graph.modules.back().fqn;
    std::string fqn = around.empty() ? std::string(name) : fmt::format("{}.{}", around, name);
    std::string path = "L__self___" + fqn;
    std::ranges::replace(path, '.', '_');
    graph.modules.push_back({.path = std::move(path), .fqn = std::move(fqn), .type = std::string(type)});
}

StatefulGraph::Module::~Module() {
    owner.modules.pop_back();
}

/// "aten_mm_default", "aten_mm_default_1", …
std::string StatefulGraph::nameOf(std::string_view op) {
    std::string name(op);
    std::ranges::transform(name, name.begin(), [](char letter) {
        const bool isCapital = letter >= 'A' && letter <= 'Z';
        return letter == '.' ? '_' : isCapital ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    const std::size_t before = used[name]++;
    return before == 0 ? name : fmt::format("{}_{}", name, before);
}

std::string StatefulGraph::addAttribute(std::string_view name, const Sizes& sizes, std::vector<float> numbers,
                                        bool isParameter) {
    const std::string& module = modules.back().fqn;
    std::string target = module.empty() ? std::string(name) : fmt::format("{}.{}", module, name);
    std::string value = (isParameter ? "p_" : "b_") + target;
    std::ranges::replace(value, '.', '_');
    graph.tensors[value] = tensorMeta(core::ScalarType::Float, sizes);
    graph.tensors[value].requiresGrad = isParameter;
    graph.inputs.push_back(tensorArgument({}, value));
    graph.inputSpecs.push_back(
        {.kind = isParameter ? "parameter" : "buffer", .value = value, .target = target, .persistent = true});
    attributes.push_back({.target = std::move(target),
                          .sizes = sizes,
                          .numbers = std::move(numbers),
                          .isParameter = isParameter});
    return value;
}

GraphTensor StatefulGraph::input(std::string_view name, Sizes sizes, core::ScalarType dtype) {
    graph.tensors[std::string(name)] = tensorMeta(dtype, sizes);
    userInputs.push_back(tensorArgument({}, name));
    const program::ValueId id = method.input({.dtype = dtype, .sizes = sizes});
    return {.id = id, .name = std::string(name), .sizes = std::move(sizes)};
}

GraphTensor StatefulGraph::parameter(std::string_view name, Sizes sizes, std::vector<float> numbers) {
    const program::ValueId id = method.constant({.sizes = sizes}, std::span<const float>(numbers));
    return {.id = id, .name = addAttribute(name, sizes, std::move(numbers), true), .sizes = std::move(sizes)};
}

GraphTensor StatefulGraph::buffer(std::string_view name, Sizes sizes, std::vector<float> numbers) {
    const program::ValueId id = method.constant({.sizes = sizes}, std::span<const float>(numbers));
    return {
        .id = id, .name = addAttribute(name, sizes, std::move(numbers), false), .sizes = std::move(sizes)};
}

GraphTensor StatefulGraph::state(std::string_view name, Sizes sizes) {
    std::vector<float> zeros(countOf(sizes), 0.0F);
    const program::ValueId id = method.state({.sizes = sizes}, std::as_bytes(std::span(zeros)));
    return {.id = id, .name = addAttribute(name, sizes, std::move(zeros), false), .sizes = std::move(sizes)};
}

void StatefulGraph::addNode(std::string target, std::vector<Argument> inputs, std::vector<Argument> outputs) {
    etrecord::Node node;
    node.name = outputs.empty() ? target : std::get<ValueRef>(outputs.back().value).name;
    node.op = etrecord::operatorName(target);
    node.target = std::move(target);
    node.inputs = std::move(inputs);
    node.outputs = std::move(outputs);
    node.moduleStack = modules;
    node.debugHandles.emplace_back(static_cast<std::int64_t>(graph.nodes.size()) + 1);
    graph.nodes.push_back(std::move(node));
}

void StatefulGraph::addInstruction() {
    maps.debugHandles[core::InstructionId(instructions++)].handles = graph.nodes.back().debugHandles;
}

GraphTensor StatefulGraph::call(std::string_view op, std::string_view kernel,
                                const std::vector<GraphArgument>& arguments, Sizes sizes) {
    std::vector<Argument> inputs;
    builder::Arguments given;
    for (const GraphArgument& each : arguments) {
        inputs.push_back(std::visit(InGraph(), each.value));
        inputs.back().name = each.name;
        given.push_back(std::visit(InProgram(), each.value));
    }
    GraphTensor result{
        .id = method.intermediate({.sizes = sizes}), .name = nameOf(op), .sizes = std::move(sizes)};
    method.call(kernel, given, {result.id});
    graph.tensors[result.name] = tensorMeta(core::ScalarType::Float, result.sizes);
    addNode(std::string(edgePrefix) + std::string(op), std::move(inputs), {tensorArgument({}, result.name)});
    addInstruction();
    return result;
}

GraphNumber StatefulGraph::number(const GraphTensor& from) {
    GraphNumber result{.id = method.integer(0), .name = nameOf("_local_scalar_dense")};
    method.callFunction("aten::_local_scalar_dense", {from.id}, result.id);
    graph.symInts[result.name] = {.value = 0, .expression = "u0"};
    addNode("torch.ops.aten._local_scalar_dense.default", {tensorArgument("self", from.name)},
            {{.name = {}, .kind = "as_sym_int", .value = ValueRef{.name = result.name}}});
    addInstruction();
    return result;
}

/// Adds an operator that mutates its argument, as exporters do.
GraphTensor StatefulGraph::update(const GraphTensor& state, const GraphTensor& row,
                                  const GraphNumber& position) {
    method.call("llama::update_cache.out", {row.id, state.id, position.id},
                {method.intermediate({.sizes = {1}})});
    const std::string name = nameOf("getitem");
    const std::string unused = nameOf("auto_functionalized_v2_unused");
    graph.tensors[name] = tensorMeta(core::ScalarType::Float, state.sizes);
    graph.tensors[unused] = tensorMeta(core::ScalarType::Float, {1});
    const std::vector<std::optional<ValueRef>> bases{ValueRef{.name = state.name}};
    addNode(
        "torch.ops.higher_order.auto_functionalized_v2",
        {{.name = {}, .kind = "as_operator", .value = std::string("torch.ops.llama.update_cache.default")},
         tensorArgument("value", row.name),
         {.name = "start_pos", .kind = "as_sym_int", .value = ValueRef{.name = position.name}},
         {.name = "_cache_base_index", .kind = "as_int", .value = std::int64_t{0}},
         {.name = "_all_bases", .kind = "as_tensors", .value = bases}},
        {tensorArgument({}, unused), tensorArgument({}, name)});
    ++instructions;  // exporters give it no debug handle
    const auto spec = std::ranges::find(graph.inputSpecs, state.name, &etrecord::InputSpec::value);
    mutations.emplace_back(name, spec->target);
    return {.id = state.id, .name = name, .sizes = state.sizes};
}

GraphTensor StatefulGraph::view(const GraphTensor& of, Sizes sizes) {
    GraphTensor result{.id = method.alias(of.id, {.sizes = sizes}),
                       .name = nameOf("aten.view_copy.default"),
                       .sizes = std::move(sizes)};
    graph.tensors[result.name] = tensorMeta(core::ScalarType::Float, result.sizes);
    addNode(std::string(edgePrefix) + "aten.view_copy.default",
            {tensorArgument("self", of.name),
             {.name = "size", .kind = "as_ints", .value = plainInts(result.sizes)}},
            {tensorArgument({}, result.name)});
    return result;
}

void StatefulGraph::output(const GraphTensor& result) {
    method.output(result.id);
    for (const auto& [value, target] : mutations) {
        graph.outputs.push_back(tensorArgument({}, value));
        graph.outputSpecs.push_back(
            {.kind = "buffer_mutation", .value = value, .target = target, .argument = {}});
    }
    graph.outputs.push_back(tensorArgument({}, result.name));
    graph.outputSpecs.push_back({.kind = "user_output",
                                 .value = result.name,
                                 .target = {},
                                 .argument = tensorArgument({}, result.name)});
}

core::Result<> StatefulGraph::addTo(etrecord::RecordWriter& writer) {
    using etrecord::ArchiveValue;
    for (const Argument& each : userInputs) {
        graph.inputs.push_back(each);
        graph.inputSpecs.push_back({.kind = "user_input",
                                    .value = std::get<ValueRef>(each.value).name,
                                    .target = {},
                                    .persistent = true,
                                    .argument = each});
    }
    graph.moduleCallGraph = etrecord::rootCall(userInputs.size(), 1);
    graph.indexHandles();
    ArchiveValue::Dict state;
    for (const Attribute& each : attributes) {
        state.push_back({each.target,
                         {etrecord::TensorToArchive{.dtype = core::ScalarType::Float,
                                                    .sizes = each.sizes,
                                                    .elements = std::as_bytes(std::span(each.numbers)),
                                                    .parameter = each.isParameter}}});
    }
    const std::string entry = fmt::format("edge_dialect_exported_program/{}", methodName);
    writer.addEdgeGraph(methodName, graph);
    ET_ASSIGN(auto weights, etrecord::writeTorchArchive({std::move(state)}));
    ET_ASSIGN(auto constants, etrecord::writeTorchArchive({ArchiveValue::Dict{}}));
    writer.addArchive(entry + "_state_dict", std::move(weights));
    writer.addArchive(entry + "_constants", std::move(constants));
    writer.setMaps(methodName, maps);
    return {};
}

core::Result<std::vector<std::byte>> recordOf(const std::vector<StatefulGraph*>& graphs) {
    etrecord::RecordWriter writer;
    for (StatefulGraph* graph : graphs) {
        ET_TRY(graph->addTo(writer));
    }
    writer.setExportGraphId(1);
    return writer.finish();
}

}  // namespace et::samples
