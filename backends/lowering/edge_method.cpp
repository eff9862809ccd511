#include "backends/lowering/edge_method.h"

#include "backends/reference/node_values.h"
#include "backends/reference/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
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

EdgeMethod::EdgeMethod(std::string_view name, const ExportedGraph& graph, TensorSource tensors)
    : method(name), source(&graph), findTensor(std::move(tensors)), findStored(findTensor) {
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
    const auto archived = std::make_shared<reference::ArchivedTensors>(std::move(tensors));
    EdgeMethod made(name, *graph,
                    [archived](std::string_view target) { return archived->findForNow(target); });
    made.findStored = [archived](std::string_view target) { return archived->findStored(target); };
    made.record = &record;
    ET_TRY(made.index());
    return made;
}

Result<EdgeMethod> EdgeMethod::subgraph(const ExportedGraph& graph) {
    return of({}, graph, [](std::string_view) { return std::optional<reference::ReferenceTensor>(); });
}

Result<EdgeMethod> EdgeMethod::of(std::string_view name, const ExportedGraph& graph, TensorSource tensors) {
    EdgeMethod made(name, graph, std::move(tensors));
    ET_TRY(made.index());
    return made;
}

/// Checks that nodes come after the values they read, which later passes rely on.
Result<> EdgeMethod::index() {
    for (const Argument& input : source->inputs) {
        reference::forNames(input, [&](const std::string& name) { known.insert(name); });
    }
    for (const InputSpec& spec : source->inputSpecs) {
        inputs.emplace(spec.value, &spec);
        known.insert(spec.value);
    }
    for (NodeIndex i = 0; i < source->nodes.size(); ++i) {
        if (auto added = indexNode(i); !added) {
            return std::unexpected(reference::atNode(source->nodes[i], std::move(added).error()));
        }
    }
    for (const Argument& output : source->outputs) {
        reference::forNames(output, [&](const std::string& name) {
            if (!name.empty()) {
                outputs.insert(name);
            }
        });
    }
    findMutated();
    return {};
}

Result<> EdgeMethod::indexNode(NodeIndex index) {
    std::string_view unknown;
    for (const Argument& argument : source->nodes[index].inputs) {
        reference::forNames(argument, [&](const std::string& name) {
            if (name.empty()) {
                return;  // a missing item of a list, or a plain number in it
            }
            if (!known.contains(name)) {
                unknown = name;
            }
            if (auto& list = readers[name]; list.empty() || list.back() != index) {
                list.push_back(index);
            }
        });
    }
    if (!unknown.empty()) {
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("no input or earlier node produces the value \"{}\"", core::printable(unknown)));
    }
    bool isNew = true;
    for (const Argument& argument : source->nodes[index].outputs) {
        reference::forNames(argument, [&](const std::string& name) {
            if (!name.empty()) {
                isNew = known.insert(name).second && isNew;
                producers.emplace(name, index);
            }
        });
    }
    return isNew ? Result<>() : fail(ErrorCode::InvalidArgument, "two nodes produce its value");
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
    return spec != nullptr && std::ranges::contains(ownInputKinds, spec->kind) && !isMutated(value) &&
           !sharedOffset(value);
}

void EdgeMethod::shareBuffers(std::map<std::string, std::uint64_t, std::less<>> offsets,
                              std::uint64_t bytes) {
    sharedOffsets = std::move(offsets);
    bytesOfShared = bytes;
}

std::optional<std::uint64_t> EdgeMethod::sharedOffset(std::string_view value) const {
    const InputSpec* spec = sharedOffsets.empty() ? nullptr : input(value);
    const auto found = spec == nullptr ? sharedOffsets.end() : sharedOffsets.find(spec->target);
    return found == sharedOffsets.end() ? std::nullopt : std::optional(found->second);
}

Result<reference::ReferenceTensor> EdgeMethod::tensor(std::string_view value) {
    return tensor(value, findTensor);
}

Result<reference::ReferenceTensor> EdgeMethod::storedTensor(std::string_view value) {
    return tensor(value, findStored);
}

Result<reference::ReferenceTensor> EdgeMethod::tensor(std::string_view value,
                                                      const TensorSource& from) const {
    const InputSpec* spec = input(value);
    if (spec == nullptr || !std::ranges::contains(ownInputKinds, spec->kind)) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("\"{}\" is not a parameter, buffer or constant", core::printable(value)));
    }
    ET_ASSIGN(auto found, from(spec->target));
    if (!found) {
        return fail(ErrorCode::NotFound, fmt::format("there is no tensor \"{}\" for the value \"{}\"",
                                                     core::printable(spec->target), core::printable(value)));
    }
    if (const auto* described = meta(value); described == nullptr || !describes(*described, found->view)) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("the tensor \"{}\" is {}, which contradicts the graph",
                                core::printable(spec->target), core::describe(found->view)));
    }
    return *std::move(found);
}

bool describes(const etrecord::TensorMeta& meta, const core::Tensor& tensor) {
    return meta.scalarType == std::to_underlying(tensor.dtype()) &&
           std::ranges::equal(meta.sizes, tensor.sizes(),
                              [](const etrecord::SymInt& size, std::int64_t other) {
                                  return size.expression.empty() && size.value == other;
                              });
}

}  // namespace et::backends::lowering
