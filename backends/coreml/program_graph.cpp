#include "backends/coreml/model.h"
#include "backends/coreml/protobuf.h"
#include "backends/coreml/values.h"
#include "backends/inlined_delegate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace et::backends::coreml {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::GraphGroupId;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;
using core::Result;

constexpr std::size_t maxBlockDepth = 32;
/// Arguments of all operations: far above any real model.
constexpr std::size_t maxArguments = 4'000'000;

/// Start of the names of weight files.
constexpr std::string_view modelPath = "@model_path/";

/// Fields of the messages, by their numbers.
enum class ProgramField : std::uint8_t { Functions = 2 };
enum class FunctionField : std::uint8_t { Inputs = 1, Opset = 2, Blocks = 3 };
enum class BlockField : std::uint8_t { Inputs = 1, Outputs = 2, Operations = 3 };
enum class OperationField : std::uint8_t { Type = 1, Inputs = 2, Outputs = 3, Blocks = 4, Attributes = 5 };

struct MapEntry {
    std::string_view key;
    Bytes value;
};

Result<MapEntry> readEntry(Bytes message) {
    MapEntry entry;
    ET_TRY(forEachField(message, [&](const ProtobufField& field) -> Result<> {
        if (field.number == 1) {
            entry.key = field.text();
        } else if (field.number == 2) {
            entry.value = field.bytes;
        }
        return {};
    }));
    return entry;
}

struct Operation {
    std::string_view type;
    std::vector<MapEntry> inputs;
    std::vector<NamedType> outputs;
    std::vector<Bytes> blocks;
    std::vector<MapEntry> attributes;
};

Result<Operation> readOperation(Bytes message) {
    Operation operation;
    ET_TRY(forEachField(message, [&](const ProtobufField& field) -> Result<> {
        switch (static_cast<OperationField>(field.number)) {
            case OperationField::Type:
                operation.type = field.text();
                return {};
            case OperationField::Inputs: {
                ET_ASSIGN(const MapEntry entry, readEntry(field.bytes));
                operation.inputs.push_back(entry);
                return {};
            }
            case OperationField::Outputs: {
                ET_ASSIGN(NamedType output, readNamedType(field.bytes));
                operation.outputs.push_back(std::move(output));
                return {};
            }
            case OperationField::Blocks:
                operation.blocks.push_back(field.bytes);
                return {};
            case OperationField::Attributes: {
                ET_ASSIGN(const MapEntry entry, readEntry(field.bytes));
                operation.attributes.push_back(entry);
                return {};
            }
        }
        return {};
    }));
    // Maps have no order: as documented by coremltools, x is the first argument.
    std::ranges::sort(operation.inputs, {},
                      [](const MapEntry& each) { return std::pair(each.key != "x", each.key); });
    return operation;
}

struct Function {
    std::vector<NamedType> inputs;
    std::string_view opset;
    std::vector<MapEntry> blocks;
};

Result<Function> readFunction(Bytes message) {
    Function function;
    ET_TRY(forEachField(message, [&](const ProtobufField& field) -> Result<> {
        switch (static_cast<FunctionField>(field.number)) {
            case FunctionField::Inputs: {
                ET_ASSIGN(NamedType input, readNamedType(field.bytes));
                function.inputs.push_back(std::move(input));
                return {};
            }
            case FunctionField::Opset:
                function.opset = field.text();
                return {};
            case FunctionField::Blocks: {
                ET_ASSIGN(const MapEntry entry, readEntry(field.bytes));
                function.blocks.push_back(entry);
                return {};
            }
        }
        return {};
    }));
    return function;
}

std::optional<std::size_t> positionIn(const std::vector<std::string>& names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - names.begin()));
}

class FunctionGraph {
  public:
    FunctionGraph(const ProgramSources& from, ByteCoverage* known) : sources(from), described(known) {}

    Result<ModelGraph> build(const Function& function) {
        graph.name = sources.functionName;
        const auto block = std::ranges::find(function.blocks, function.opset, &MapEntry::key);
        if (block == function.blocks.end()) {
            return core::fail(ErrorCode::Format, fmt::format("function \"{}\" has no block for opset \"{}\"",
                                                             core::printable(sources.functionName),
                                                             core::printable(function.opset)));
        }
        const GraphGroupId whole =
            graph.addGroup(core::GraphGroup{.name = sources.functionName,
                                            .kind = "subgraph",
                                            .attributes = {{"opset", core::printable(function.opset)}}});
        for (std::size_t i = 0; i < function.inputs.size(); ++i) {
            addInput(function.inputs[i], i);
        }
        ET_ASSIGN(const std::vector<std::string> outputs, addBlock(block->value, whole, 0));
        inputCount = sources.inputs.empty() ? inputCount : sources.inputs.size();
        return withOutputs(outputs);
    }

  private:
    /// A name in a program: a value of the graph, or a constant that is shown as text.
    struct Named {
        std::optional<GraphValueId> value;
        std::string text;
    };

    void addInput(const NamedType& input, std::size_t position) {
        GraphValue value{
            .name = core::printable(input.name),
            .type = input.type.text,
            .role = input.type.isState ? GraphValue::Role::Intermediate : GraphValue::Role::Input,
            .bytes = input.type.bytes};
        if (!input.type.isState) {
            const std::size_t argument = positionIn(sources.inputs, input.name).value_or(position);
            value.attributes.push_back({"argument", fmt::to_string(argument)});
            ++inputCount;
        }
        define(input.name, graph.addValue(std::move(value)));
    }

    void define(const std::string& name, GraphValueId id) { names[name] = Named{.value = id, .text = {}}; }

    /// Adds the operations of a block. Returns the names of its outputs.
    Result<std::vector<std::string>> addBlock(Bytes message, GraphGroupId group, std::size_t depth) {
        if (depth > maxBlockDepth) {
            return core::fail(ErrorCode::Limit,
                              fmt::format("expected blocks nested at most {} deep, got more", maxBlockDepth));
        }
        std::vector<std::string> outputs;
        ET_TRY(forEachField(message, [&](const ProtobufField& field) -> Result<> {
            switch (static_cast<BlockField>(field.number)) {
                case BlockField::Inputs: {
                    ET_ASSIGN(const NamedType input, readNamedType(field.bytes));
                    define(input.name, graph.addValue({.name = core::printable(input.name),
                                                       .type = input.type.text,
                                                       .bytes = input.type.bytes}));
                    return {};
                }
                case BlockField::Outputs:
                    outputs.emplace_back(field.text());
                    return {};
                case BlockField::Operations: {
                    ET_ASSIGN(const Operation operation, readOperation(field.bytes));
                    return addOperation(operation, group, depth);
                }
            }
            return {};
        }));
        return outputs;
    }

    Result<> addOperation(const Operation& operation, GraphGroupId group, std::size_t depth) {
        if (operation.type == "const" && operation.outputs.size() == 1) {
            return addConstant(operation);
        }
        GraphNode node{.name = fmt::format("n{}", graph.nodes().size()),
                       .kind = core::printable(operation.type),
                       .group = group};
        ET_TRY(addInputs(operation, node));
        for (std::size_t i = 0; i < operation.blocks.size(); ++i) {
            const GraphGroupId inner =
                graph.addGroup(core::GraphGroup{.name = fmt::format("{} {}", node.kind, i),
                                                .parent = group,
                                                .kind = node.kind.starts_with("while") ? "loop" : "branch"});
            ET_ASSIGN(const std::vector<std::string> outputs,
                      addBlock(operation.blocks[i], inner, depth + 1));
            for (const std::string& name : outputs) {
                ET_TRY(addArgument("block", name, node));
            }
        }
        node.name = fmt::format("n{}", graph.nodes().size());
        for (const NamedType& output : operation.outputs) {
            const GraphValueId id = graph.addValue(
                {.name = core::printable(output.name), .type = output.type.text, .bytes = output.type.bytes});
            define(output.name, id);
            node.outputs.push_back(id);
        }
        if (!operation.outputs.empty()) {
            const auto handles =
                sources.handles.find(fmt::format("{}:{}", operation.outputs.front().name, operation.type));
            if (handles != sources.handles.end()) {
                node.debugHandles = handles->second;
            }
        }
        graph.addNode(std::move(node));
        return {};
    }

    Result<> addInputs(const Operation& operation, GraphNode& node) {
        std::vector<std::string> parameters;
        for (const MapEntry& input : operation.inputs) {
            const std::size_t before = node.inputs.size();
            ET_TRY(forEachField(input.value, [&](const ProtobufField& field) -> Result<> {
                if (field.number != 1) {
                    return {};
                }
                return forEachField(field.bytes, [&](const ProtobufField& binding) -> Result<> {
                    if (binding.number == 1) {
                        return addArgument(input.key, std::string(binding.text()), node);
                    }
                    if (binding.number == 2) {
                        ET_ASSIGN(const ConstantValue value, readValue(binding.bytes));
                        ET_ASSIGN(const Named named, constant(std::string(input.key), value));
                        return addNamed(input.key, named, node);
                    }
                    return {};
                });
            }));
            parameters.insert(parameters.end(), node.inputs.size() - before, core::printable(input.key));
        }
        if (parameters.size() > 1) {
            node.attributes.push_back({"inputs", fmt::format("{}", fmt::join(parameters, ", "))});
        }
        return {};
    }

    Result<> addArgument(std::string_view parameter, const std::string& name, GraphNode& node) {
        auto found = names.find(name);
        if (found == names.end()) {
            define(name, graph.addValue({.name = core::printable(name), .type = "unknown type"}));
            found = names.find(name);
        }
        return addNamed(parameter, found->second, node);
    }

    Result<> addNamed(std::string_view parameter, const Named& named, GraphNode& node) {
        if (++arguments > maxArguments) {
            return core::fail(ErrorCode::Limit,
                              fmt::format("expected at most {} arguments, got more", maxArguments));
        }
        if (named.value) {
            node.inputs.push_back(*named.value);
        } else {
            node.attributes.push_back({core::printable(parameter), named.text});
        }
        return {};
    }

    /// The value of a constant is its attribute "val".
    Result<> addConstant(const Operation& operation) {
        const NamedType& output = operation.outputs.front();
        ConstantValue value{.type = output.type, .text = {}, .data = {}};
        const auto found = std::ranges::find(operation.attributes, "val", &MapEntry::key);
        if (found != operation.attributes.end()) {
            ET_ASSIGN(value, readValue(found->value));
        }
        ET_ASSIGN(names[output.name], constant(output.name, value));
        return {};
    }

    Result<Named> constant(const std::string& name, const ConstantValue& value) {
        if (value.fileName.empty() && !value.text.empty()) {
            return Named{.value = std::nullopt, .text = value.text};
        }
        GraphValue added{.name = core::printable(name),
                         .type = value.type.text,
                         .role = GraphValue::Role::Constant,
                         .bytes = value.type.bytes,
                         .data = value.data};
        if (!value.fileName.empty()) {
            ET_TRY(addWeight(value, added));
        }
        return Named{.value = graph.addValue(std::move(added)), .text = {}};
    }

    Result<> addWeight(const ConstantValue& value, GraphValue& added) {
        std::string_view name = value.fileName;
        const bool isBelow = name.starts_with(modelPath);
        name.remove_prefix(isBelow ? modelPath.size() : 0);
        const std::string path = isBelow ? fmt::format("{}{}", sources.folder, name) : std::string(name);
        added.attributes.push_back({"file", core::printable(path)});
        added.attributes.push_back({"offset", fmt::to_string(value.offset)});
        const PackageFile* const file = sources.package.find(path);
        if (file == nullptr) {
            added.attributes.push_back({"data", "missing"});
            return {};
        }
        ET_ASSIGN(const WeightBlob blob, readBlob(file->data, value.offset));
        added.data = blob.data;
        added.bytes = blob.data.size();
        if (described != nullptr) {
            described->add(file->data.data(), weightHeader);
            described->add(file->data.data() + value.offset, weightHeader);
            described->add(blob.data.data(), blob.data.size());
        }
        return {};
    }

    /// The graph, with the argument index of each output.
    ModelGraph withOutputs(const std::vector<std::string>& outputs) {
        std::map<GraphValueId, std::size_t> positions;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const auto found = names.find(outputs[i]);
            const auto id = found == names.end() ? std::nullopt : found->second.value;
            if (id && graph.value(*id).role == GraphValue::Role::Intermediate) {
                graph.setRole(*id, GraphValue::Role::Output);
                positions.emplace(*id, inputCount + positionIn(sources.outputs, outputs[i]).value_or(i));
            }
        }
        return withArguments(graph, positions);
    }

    const ProgramSources& sources;
    ByteCoverage* described;
    ModelGraph graph;
    std::unordered_map<std::string, Named> names;
    std::size_t inputCount = 0;
    std::size_t arguments = 0;
};

}  // namespace

Result<ModelGraph> programGraph(Bytes program, const ProgramSources& sources, ByteCoverage* described) {
    std::optional<Bytes> found;
    ET_TRY(forEachField(program, [&](const ProtobufField& field) -> Result<> {
        if (static_cast<ProgramField>(field.number) == ProgramField::Functions) {
            ET_ASSIGN(const MapEntry entry, readEntry(field.bytes));
            if (entry.key == sources.functionName) {
                found = entry.value;
            }
        }
        return {};
    }));
    if (!found) {
        return core::fail(ErrorCode::NotFound, fmt::format("the ML Program has no function \"{}\"",
                                                           core::printable(sources.functionName)));
    }
    ET_ASSIGN(const Function function, readFunction(*found));
    return FunctionGraph(sources, described).build(function);
}

}  // namespace et::backends::coreml
