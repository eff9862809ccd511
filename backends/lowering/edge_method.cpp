#include "backends/lowering/edge_method.h"

#include "backends/reference/node_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::backends::lowering {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::ExportedGraph;
using etrecord::InputSpec;
using etrecord::Node;
using etrecord::OutputSpec;

namespace {

constexpr std::uint64_t maxTensorBytes = std::uint64_t{32} << 30;
constexpr std::array<std::string_view, 3> ownInputKinds{"parameter", "buffer", "tensor_constant"};
constexpr std::array<std::string_view, 2> userInputKinds{"user_input", "constant_input"};

}  // namespace

bool isUserInput(const InputSpec& spec) {
    return std::ranges::contains(userInputKinds, spec.kind);
}

const Argument* findArgument(const Node& node, std::string_view name) {
    const auto found = std::ranges::find(node.inputs, name, &Argument::name);
    return found == node.inputs.end() ? nullptr : &*found;
}

std::string_view valueName(const Argument* argument) {
    const auto* ref = argument == nullptr ? nullptr : std::get_if<etrecord::ValueRef>(&argument->value);
    return ref == nullptr ? std::string_view() : std::string_view(ref->name);
}

EdgeMethod::EdgeMethod(std::string_view name, const ExportedGraph& graph, reference::ArchivedTensors tensors)
    : method(name), source(&graph), archived(std::move(tensors)) {
}

Result<EdgeMethod> EdgeMethod::open(const etrecord::Record& record, std::string_view name) {
    const ExportedGraph* graph = record.edgeGraph(name);
    if (graph == nullptr) {
        return fail(ErrorCode::NotFound,
                    fmt::format("the record has no Edge graph of a method \"{}\"", core::printable(name)));
    }
    const std::string entry = record.layout() == etrecord::RecordLayout::Legacy2023
                                  ? std::string("edge_dialect_exported_program")
                                  : fmt::format("edge_dialect_exported_program/{}", name);
    ET_ASSIGN(auto tensors, reference::ArchivedTensors::open(
                                record, {entry + "_state_dict", entry + "_constants"}, maxTensorBytes));
    EdgeMethod made(name, *graph, std::move(tensors));
    ET_TRY(made.index());
    return made;
}

Result<> EdgeMethod::index() {
    for (const InputSpec& spec : source->inputSpecs) {
        inputs.emplace(spec.value, &spec);
    }
    for (NodeIndex i = 0; i < source->nodes.size(); ++i) {
        for (const Argument& argument : source->nodes[i].inputs) {
            reference::forNames(argument, [&](const std::string& name) {
                if (auto& list = readers[name]; list.empty() || list.back() != i) {
                    list.push_back(i);
                }
            });
        }
        bool isNew = true;
        for (const Argument& argument : source->nodes[i].outputs) {
            reference::forNames(argument, [&](const std::string& name) {
                isNew = name.empty() || (producers.emplace(name, i).second && isNew);
            });
        }
        if (!isNew) {
            return fail(ErrorCode::InvalidArgument, fmt::format("node {}: two nodes make its value",
                                                                core::printable(source->nodes[i].name)));
        }
    }
    for (const Argument& output : source->outputs) {
        reference::forNames(output, [&](const std::string& name) { outputs.insert(name); });
    }
    findMutated();
    return {};
}

void EdgeMethod::findMutated() {
    for (const OutputSpec& output : source->outputSpecs) {
        if (output.kind == "user_output" || output.target.empty()) {
            continue;
        }
        for (const InputSpec& spec : source->inputSpecs) {
            if (spec.target == output.target || spec.value == output.target) {
                mutated.insert(spec.value);
            }
        }
    }
}

std::optional<NodeIndex> EdgeMethod::producer(std::string_view value) const {
    const auto found = producers.find(value);
    return found == producers.end() ? std::nullopt : std::optional(found->second);
}

std::span<const NodeIndex> EdgeMethod::users(std::string_view value) const {
    const auto found = readers.find(value);
    return found == readers.end() ? std::span<const NodeIndex>() : found->second;
}

const etrecord::TensorMeta* EdgeMethod::meta(std::string_view value) const {
    const auto found = source->tensors.find(value);
    return found == source->tensors.end() ? nullptr : &found->second;
}

const InputSpec* EdgeMethod::input(std::string_view value) const {
    const auto found = inputs.find(value);
    return found == inputs.end() ? nullptr : found->second;
}

bool EdgeMethod::isConstant(std::string_view value) const {
    const InputSpec* spec = input(value);
    return spec != nullptr && std::ranges::contains(ownInputKinds, spec->kind) && !isMutated(value);
}

Result<reference::ReferenceTensor> EdgeMethod::tensor(std::string_view value) {
    const InputSpec* spec = input(value);
    if (spec == nullptr || !std::ranges::contains(ownInputKinds, spec->kind)) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("\"{}\" is no parameter, buffer or constant", core::printable(value)));
    }
    ET_ASSIGN(auto found, archived.find(spec->target));
    if (!found) {
        return fail(ErrorCode::NotFound,
                    fmt::format("the record has no tensor \"{}\", which the value \"{}\" is",
                                core::printable(spec->target), core::printable(value)));
    }
    return *std::move(found);
}

}  // namespace et::backends::lowering
