#include "runtime/native/graph.h"

#include <algorithm>
#include <set>

namespace et::native {
namespace {

/// Adds the names of a graph's values to which an argument refers, excluding those inside subgraphs.
void addNames(const ArgumentValue& value, std::set<std::string_view>& names) {
    if (const auto* tensor = std::get_if<TensorName>(&value)) {
        names.insert(tensor->name);
    } else if (const auto* tensors = std::get_if<TensorNames>(&value)) {
        for (const auto& name : tensors->names) {
            if (name) {
                names.insert(*name);
            }
        }
    }
}

std::set<std::string_view> namesRead(const Graph& graph) {
    std::set<std::string_view> names;
    for (const Node& node : graph.nodes) {
        for (const Argument& argument : node.inputs) {
            addNames(argument.value, names);
        }
    }
    return names;
}

/// Keys of the buffers that a method writes, in place or with an output.
std::set<std::string_view> mutatedKeys(const Method& method) {
    std::set<std::string_view> written;
    for (const Node& node : method.graph.nodes) {
        for (const Argument& argument : node.inputs) {
            if (argument.isMutated) {
                addNames(argument.value, written);
            }
        }
    }
    std::set<std::string_view> keys;
    for (const MutableBuffer& buffer : method.mutableBuffers) {
        if (written.contains(buffer.name)) {
            keys.insert(buffer.key);
        }
    }
    for (const OutputSpec& spec : method.outputSpecs) {
        if (spec.kind == OutputSpec::Kind::BufferMutation) {
            keys.insert(spec.target);
        }
    }
    return keys;
}

}  // namespace

const TensorMeta* Method::tensor(std::string_view valueName) const {
    const auto found = graph.tensors.find(valueName);
    if (found != graph.tensors.end()) {
        return &found->second;
    }
    const auto constant = std::ranges::find(constants, valueName, &Constant::name);
    return constant == constants.end() ? nullptr : &constant->meta;
}

const Method* Program::find(std::string_view methodName) const {
    const auto found = std::ranges::find(methods, methodName, &Method::name);
    return found == methods.end() ? nullptr : &*found;
}

std::vector<LostConstant> lostConstants(const Program& program) {
    std::set<std::string_view> writtenKeys;
    for (const Method& method : program.methods) {
        const std::set<std::string_view> written = mutatedKeys(method);
        writtenKeys.insert(written.begin(), written.end());
    }
    std::vector<LostConstant> lost;
    for (const Method& method : program.methods) {
        const std::set<std::string_view> read = namesRead(method.graph);
        for (const MutableBuffer& buffer : method.mutableBuffers) {
            if (read.contains(buffer.name) && !writtenKeys.contains(buffer.key)) {
                lost.push_back({.method = &method, .buffer = &buffer});
            }
        }
    }
    return lost;
}

}  // namespace et::native
