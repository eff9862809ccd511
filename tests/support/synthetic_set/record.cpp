#include "tests/support/synthetic_set/record.h"

#include "etrecord/writer.h"
#include "tests/support/synthetic_set/operators.h"
#include "tests/support/synthetic_set/values.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

namespace et::test::synthetic {
namespace {

using etrecord::Argument;
using Arguments = std::vector<Argument>;

constexpr std::string_view method = "forward";
constexpr std::int64_t graphId = 1;  ///< id of the exported graph, used in the nodes' history
constexpr std::int8_t float32 = 6;
constexpr std::int64_t stridedLayout = 7;

Argument tensor(std::string_view name, std::string_view value) {
    return {.name = std::string(name),
            .kind = "as_tensor",
            .value = etrecord::ValueRef{.name = std::string(value)}};
}
Argument ints(std::string_view name, const std::vector<std::int64_t>& numbers) {
    std::vector<etrecord::SymInt> values;
    for (const std::int64_t number : numbers) {
        values.push_back({.value = number, .expression = {}});
    }
    return {.name = std::string(name), .kind = "as_ints", .value = std::move(values)};
}
Argument integer(std::string_view name, std::int64_t number) {
    return {.name = std::string(name), .kind = "as_int", .value = number};
}
Argument boolean(std::string_view name, bool value) {
    return {.name = std::string(name), .kind = "as_bool", .value = value};
}

/// Arguments of each operator, by node, with the names from the operators' schemas.
std::map<std::string_view, Arguments> arguments() {
    return {
        {"aten_convolution_default",
         {tensor("input", "x"), tensor("weight", "p_conv_weight"), tensor("bias", "p_conv_bias"),
          ints("stride", {1, 1}), ints("padding", {1, 1}), ints("dilation", {1, 1}),
          boolean("transposed", false), ints("output_padding", {0, 0}), integer("groups", 1)}},
        {"aten_relu_default", {tensor("self", "aten_convolution_default")}},
        {"aten_sigmoid_default", {tensor("self", "aten_relu_default")}},
        {"aten_mul_tensor", {tensor("self", "aten_relu_default"), tensor("other", "aten_sigmoid_default")}},
        {"aten_view_copy_default", {tensor("self", "aten_mul_tensor"), ints("size", {1, 256})}},
        {"aten_permute_copy_default", {tensor("self", "p_fc_weight"), ints("dims", {1, 0})}},
        {"aten_addmm_default",
         {tensor("self", "p_fc_bias"), tensor("mat1", "aten_view_copy_default"),
          tensor("mat2", "aten_permute_copy_default")}},
        {"aten__softmax_default",
         {tensor("self", "aten_addmm_default"), integer("dim", -1), boolean("half_to_float", false)}},
    };
}

etrecord::ModuleFrame moduleFrame(const Module& module) {
    return {.path = fmt::format("L__self__{}", module.fqn),
            .fqn = std::string(module.fqn),
            .type = std::string(module.type)};
}

etrecord::Node node(const Operator& op, Arguments inputs) {
    etrecord::Node made;
    made.name = op.node;
    made.target = fmt::format("executorch.exir.dialects.edge.ops.{}", op.op);
    made.op = op.op;
    made.inputs = std::move(inputs);
    made.outputs.push_back(tensor("", op.node));
    made.stackTrace = stackTrace(op);
    made.moduleStack.push_back(moduleFrame(rootModule));
    if (op.module != &rootModule) {
        made.moduleStack.push_back(moduleFrame(*op.module));
    }
    made.debugHandles.emplace_back(op.debugHandle);
    const etrecord::NodeSource source{.name = std::string(op.source),
                                      .target = std::string(op.sourceOp),
                                      .pass = "ExportedProgram.module()",
                                      .action = "create",
                                      .graphId = graphId,
                                      .depth = 0};
    made.metadata.emplace_back("from_node", etrecord::serializeHistory({&source, 1}));
    return made;
}

etrecord::TensorMeta meta(const Tensor& value, bool parameter) {
    const auto symbolic = [](const std::vector<std::int64_t>& numbers) {
        return std::get<std::vector<etrecord::SymInt>>(ints("", numbers).value);
    };
    return {.scalarType = float32,
            .sizes = symbolic(value.sizes),
            .strides = symbolic(denseStrides(value.sizes)),
            .requiresGrad = parameter,
            .device = "cpu",
            .storageOffset = {},
            .layout = stridedLayout};
}

void addInputs(etrecord::ExportedGraph& graph) {
    constexpr std::pair<std::string_view, std::string_view> parameters[]{{"p_conv_weight", "conv.weight"},
                                                                         {"p_conv_bias", "conv.bias"},
                                                                         {"p_fc_weight", "fc.weight"},
                                                                         {"p_fc_bias", "fc.bias"}};
    for (const auto& [value, target] : parameters) {
        graph.inputs.push_back(tensor("", value));
        graph.inputSpecs.push_back(
            {.kind = "parameter", .value = std::string(value), .target = std::string(target)});
    }
    graph.inputs.push_back(tensor("", "x"));
    graph.inputSpecs.push_back(
        {.kind = "user_input", .value = "x", .target = {}, .persistent = true, .argument = tensor("", "x")});
}

etrecord::ExportedGraph edgeGraph() {
    etrecord::ExportedGraph graph;
    graph.dialect = "EDGE";
    graph.schemaMajor = 5;
    graph.opsetVersions["aten"] = 10;
    addInputs(graph);
    std::map<std::string_view, Arguments> inputs = arguments();
    for (const Operator& op : operators()) {
        graph.nodes.push_back(node(op, std::move(inputs[op.node])));
    }
    const std::string_view last = operators().back().node;
    graph.outputs.push_back(tensor("", last));
    graph.outputSpecs.push_back(
        {.kind = "user_output", .value = std::string(last), .target = {}, .argument = tensor("", last)});
    for (const auto& [name, value] : computeValues()) {
        graph.tensors[name] = meta(value, name.starts_with("p_"));
    }
    graph.indexHandles();
    return graph;
}

/// The three maps: the delegate's instruction lists the debug handles of all absorbed operators, the others
/// have one.
etrecord::MethodMaps maps() {
    etrecord::MethodMaps made;
    for (const Operator& op : operators()) {
        if (op.instruction < 0) {
            continue;
        }
        const core::InstructionId instruction(op.instruction);
        const core::DebugHandle handle(op.debugHandle);
        etrecord::HandleEntry& entry = made.debugHandles[instruction];
        entry.handles.push_back(handle);
        if (!op.delegateId.empty()) {
            entry.list = true;
            etrecord::DelegateEntry& delegate = made.delegates[instruction];
            delegate.backend = delegateName;
            delegate.identifiers.emplace_back(op.delegateId, std::vector{handle});
            made.outputCounts[instruction] = 1;
        }
    }
    return made;
}

}  // namespace

core::Result<std::vector<std::byte>> makeRecord() {
    etrecord::RecordWriter writer;
    writer.addEdgeGraph(method, edgeGraph());
    writer.setMaps(method, maps());
    writer.setExportGraphId(graphId);
    return writer.finish();
}

}  // namespace et::test::synthetic
