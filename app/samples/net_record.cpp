#include "app/samples/net_record.h"

#include "app/samples/edge_parts.h"
#include "etrecord/root_call.h"
#include "etrecord/torch_writer.h"
#include "etrecord/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace et::samples {
namespace {

using etrecord::Argument;

constexpr std::string_view method = "forward";
constexpr std::int64_t graphId = 1;  ///< id of the exported program, which the nodes' history refers to

/// The Python type of the function behind an operator of the exported program; all others are builtins.
struct PythonCallable {
    std::string_view name;
    std::string_view type;
};
constexpr std::array pythonCallables{
    PythonCallable{"batch_norm", "function"},   PythonCallable{"adaptive_avg_pool2d", "function"},
    PythonCallable{"hardtanh", "function"},     PythonCallable{"relu", "function"},
    PythonCallable{"add", "method_descriptor"}, PythonCallable{"mul", "method_descriptor"},
};

/// "conv2d_2;builtin_function_or_method.conv2d": the Python function that was called, and the number of the
/// call. Repeated sources are numbered from the second on: "conv2d", "conv2d_1".
std::string torchFunction(const Operation& operation) {
    const std::string_view op = operation.sourceOp;
    const std::size_t begin = op.find('.') + 1;
    const std::string_view name = op.substr(begin, op.rfind('.') - begin);
    const std::string_view source = operation.source;
    const std::string_view number = source.substr(std::min(source.size(), name.size() + 1));
    int before = 0;
    std::from_chars(number.data(), number.data() + number.size(), before);
    const auto* const known = std::ranges::find(pythonCallables, name, &PythonCallable::name);
    return fmt::format("{}_{};{}.{}", name, before + 1,
                       known != pythonCallables.end() ? known->type : "builtin_function_or_method", name);
}

/// Writes a net as an Edge dialect graph.
class EdgeWriter {
  public:
    explicit EdgeWriter(const Net& what) : net(what) {}

    etrecord::ExportedGraph write() {
        describeEdge(graph);
        for (const Tensor& tensor : net.tensors) {
            graph.tensors[tensor.name] = meta(tensor);
        }
        addInputs();
        for (const Operation& operation : net.operations) {
            graph.nodes.push_back(node(operation));
        }
        addOutputs();
        graph.moduleCallGraph = etrecord::rootCall(net.inputs.size(), net.outputs.size());
        graph.indexHandles();
        return std::move(graph);
    }

    // Converts argument values, with the serializer's names for their kinds.
    Argument operator()(std::monostate) const { return {.name = {}, .kind = "as_none"}; }
    Argument operator()(TensorId id) const {
        return {.name = {}, .kind = "as_tensor", .value = etrecord::ValueRef{.name = net.tensor(id).name}};
    }
    Argument operator()(std::int64_t number) const { return {.name = {}, .kind = "as_int", .value = number}; }
    Argument operator()(double number) const { return {.name = {}, .kind = "as_float", .value = number}; }
    Argument operator()(bool truth) const { return {.name = {}, .kind = "as_bool", .value = truth}; }
    Argument operator()(const std::vector<std::int64_t>& numbers) const {
        return {.name = {}, .kind = "as_ints", .value = plainInts(numbers)};
    }

  private:
    static etrecord::TensorMeta meta(const Tensor& tensor) { return tensorMeta(tensor.dtype, tensor.sizes); }

    void addInputs() {
        for (const Attribute& attribute : net.attributes) {
            const std::string& name = net.tensor(attribute.tensor).name;
            graph.inputs.push_back((*this)(attribute.tensor));
            graph.inputSpecs.push_back({.kind = attribute.parameter ? "parameter" : "buffer",
                                        .value = name,
                                        .target = attribute.target});
            graph.tensors[name].requiresGrad = attribute.parameter;
        }
        for (const TensorId input : net.inputs) {
            graph.inputs.push_back((*this)(input));
            graph.inputSpecs.push_back({.kind = "user_input",
                                        .value = net.tensor(input).name,
                                        .target = {},
                                        .persistent = true,
                                        .argument = (*this)(input)});
        }
    }

    void addOutputs() {
        for (const TensorId output : net.outputs) {
            const bool isLoss = !net.gradients.empty() && output == net.outputs.front();
            addOutput(output, {.kind = isLoss ? "loss_output" : "user_output",
                               .value = net.tensor(output).name,
                               .target = {},
                               .argument = (*this)(output)});
        }
        for (const NetGradient& each : net.gradients) {
            addOutput(
                each.gradient,
                {.kind = "gradient_to_parameter",
                 .value = net.tensor(each.gradient).name,
                 .target = std::ranges::find(net.attributes, each.parameter, &Attribute::tensor)->target,
                 .argument = {}});
        }
    }

    void addOutput(TensorId output, etrecord::OutputSpec spec) {
        graph.outputs.push_back((*this)(output));
        graph.outputSpecs.push_back(std::move(spec));
    }

    [[nodiscard]] etrecord::Node node(const Operation& operation) const {
        etrecord::Node made;
        made.name = operation.node;
        made.target = fmt::format("executorch.exir.dialects.edge.ops.{}", operation.op);
        made.op = operation.op;
        for (const OperationArgument& argument : operation.arguments) {
            if (!argument.isDefault) {
                made.inputs.push_back(std::visit(*this, argument.value));
                made.inputs.back().name = argument.name;
            }
        }
        for (const TensorId result : operation.results) {
            made.outputs.push_back((*this)(result));
        }
        made.stackTrace = operation.stackTrace;
        made.moduleStack = operation.modules;
        made.debugHandles.emplace_back(operation.debugHandle);
        const etrecord::NodeSource source{.name = operation.source,
                                          .target = std::string(operation.sourceOp),
                                          .pass = "ExportedProgram.module()",
                                          .action = "create",
                                          .graphId = graphId,
                                          .depth = 0};
        made.metadata.emplace_back("torch_fn", torchFunction(operation));
        made.metadata.emplace_back("from_node", etrecord::serializeHistory({&source, 1}));
        return made;
    }

    const Net& net;
    etrecord::ExportedGraph graph;
};

/// Instructions correspond to the operations; a view without a kernel has none.
etrecord::MethodMaps mapsOf(const Net& net) {
    etrecord::MethodMaps maps;
    std::int32_t next = 0;
    for (const Operation& operation : net.operations) {
        if (!operation.kernel.empty()) {
            maps.debugHandles[core::InstructionId(next++)].handles.emplace_back(operation.debugHandle);
        }
    }
    return maps;
}

using etrecord::ArchiveValue;

ArchiveValue archived(const Tensor& tensor, core::Bytes elements, bool isParameter = false) {
    return {etrecord::TensorToArchive{
        .dtype = tensor.dtype, .sizes = tensor.sizes, .elements = elements, .parameter = isParameter}};
}

/// Parameters and buffers by their names in their modules.
ArchiveValue stateOf(const Net& net) {
    ArchiveValue::Dict state;
    for (const Attribute& attribute : net.attributes) {
        state.emplace_back(attribute.target,
                           archived(net.tensor(attribute.tensor), attribute.data, attribute.parameter));
    }
    return {std::move(state)};
}

ArchiveValue::List valuesOf(const Net& net, const std::vector<TensorId>& ids,
                            const std::vector<Elements>& elements) {
    ArchiveValue::List values;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        values.push_back(archived(net.tensor(ids[i]), std::as_bytes(std::span(elements[i]))));
    }
    return values;
}

core::Result<> addCases(const Net& net, const std::vector<NetCase>& cases, const std::string& edgeEntry,
                        etrecord::RecordWriter& writer) {
    const ArchiveValue::List inputs = valuesOf(net, net.inputs, cases.front().inputs);
    ArchiveValue::List outputs;
    for (const NetCase& one : cases) {
        outputs.push_back({valuesOf(net, net.graphOutputs(), one.outputs)});
    }
    // Positional arguments, then keyword arguments (none).
    ET_ASSIGN(auto example, etrecord::writeTorchArchive({ArchiveValue::Tuple{
                                {{ArchiveValue::Tuple{inputs}}, {ArchiveValue::Dict{}}}}}));
    ET_ASSIGN(auto representative, etrecord::writeTorchArchive({inputs}));
    ET_ASSIGN(auto reference,
              etrecord::writeTorchArchive({ArchiveValue::Dict{{std::string(method), {std::move(outputs)}}}}));
    writer.addArchive(edgeEntry + "_example_inputs", std::move(example));
    writer.addArchive("reference_outputs", std::move(reference));
    writer.addArchive("representative_inputs", std::move(representative));
    return {};
}

}  // namespace

core::Result<std::vector<std::byte>> makeRecord(const Net& net, const std::vector<NetCase>& cases) {
    const std::string edgeEntry = fmt::format("edge_dialect_exported_program/{}", method);
    etrecord::RecordWriter writer;
    writer.addEdgeGraph(method, EdgeWriter(net).write());
    ET_ASSIGN(auto state, etrecord::writeTorchArchive(stateOf(net)));
    ET_ASSIGN(auto constants, etrecord::writeTorchArchive({ArchiveValue::Dict{}}));
    writer.addArchive(edgeEntry + "_state_dict", std::move(state));
    writer.addArchive(edgeEntry + "_constants", std::move(constants));
    if (!cases.empty()) {
        ET_TRY(addCases(net, cases, edgeEntry, writer));
    }
    writer.setMaps(method, mapsOf(net));
    writer.setExportGraphId(graphId);
    return writer.finish();
}

}  // namespace et::samples
