#include "backends/xnnpack/quantize/model_draft.h"

#include "backends/reference/node_values.h"
#include "etrecord/torch_writer.h"
#include "etrecord/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <utility>
#include <variant>

namespace et::backends::xnnpack {
namespace {

using core::Result;
using etrecord::Argument;
using etrecord::InputSpec;
using etrecord::ValueRef;
using reference::ReferenceTensor;

etrecord::TensorMeta makeTensorMeta(const core::Tensor& tensor) {
    etrecord::TensorMeta meta;
    meta.scalarType = static_cast<std::int8_t>(std::to_underlying(tensor.dtype()));
    meta.device = "cpu";
    meta.layout = 7;  // strided
    for (const std::int64_t size : tensor.sizes()) {
        meta.sizes.push_back({.value = size, .expression = {}});
    }
    for (const std::int64_t stride : tensor.strides()) {
        meta.strides.push_back({.value = stride, .expression = {}});
    }
    return meta;
}

core::DebugHandle highestHandle(const etrecord::ExportedGraph& graph);

/// The highest handle of the subgraphs in an argument of control flow.
core::DebugHandle highestHandle(const Argument& argument) {
    core::DebugHandle highest{};
    if (const auto* subgraph = std::get_if<std::shared_ptr<const etrecord::GraphRef>>(&argument.value)) {
        highest = *subgraph == nullptr ? highest : highestHandle((*subgraph)->graph);
    } else if (const auto* items = std::get_if<std::vector<Argument>>(&argument.value)) {
        for (const Argument& item : *items) {
            highest = std::max(highest, highestHandle(item));
        }
    }
    return highest;
}

/// The highest handle of all nodes, including those of subgraphs.
core::DebugHandle highestHandle(const etrecord::ExportedGraph& graph) {
    core::DebugHandle highest{};
    for (const etrecord::Node& node : graph.nodes) {
        for (const core::DebugHandle handle : node.debugHandles) {
            highest = std::max(highest, handle);
        }
        for (const Argument& input : node.inputs) {
            highest = std::max(highest, highestHandle(input));
        }
    }
    return highest;
}

etrecord::TensorToArchive archived(const ReferenceTensor& tensor, bool parameter) {
    return {.dtype = tensor.view.dtype(),
            .sizes = {tensor.view.sizes().begin(), tensor.view.sizes().end()},
            .elements = {tensor.view.raw(), tensor.view.bytes()},
            .parameter = parameter};
}

}  // namespace

ReferenceTensor tensorOf(core::ScalarType dtype, std::span<const std::int64_t> sizes, core::Bytes elements) {
    auto bytes = std::make_shared<std::vector<std::byte>>(elements.begin(), elements.end());
    const auto view = core::Tensor::make(dtype, sizes, bytes->data());
    return {.view = view.value_or(core::Tensor()), .owner = std::move(bytes)};
}

void renameValues(Argument& argument, const std::function<void(std::string&)>& rename) {
    if (auto* ref = std::get_if<ValueRef>(&argument.value)) {
        rename(ref->name);
    } else if (auto* list = std::get_if<std::vector<std::optional<ValueRef>>>(&argument.value)) {
        for (auto& item : *list) {
            if (item) {
                rename(item->name);
            }
        }
    } else if (auto* items = std::get_if<std::vector<Argument>>(&argument.value)) {
        for (Argument& item : *items) {
            renameValues(item, rename);
        }
    }
}

Result<ModelDraft> ModelDraft::open(lowering::EdgeMethod& method) {
    ModelDraft draft;
    draft.graph = method.graph();
    for (const InputSpec& spec : draft.graph.inputSpecs) {
        if (!lowering::isUserInput(spec) && draft.graph.tensors.contains(spec.value)) {
            ET_ASSIGN(draft.tensors[spec.value], method.storedTensor(spec.value));
        }
    }
    draft.lastHandle = highestHandle(draft.graph);
    return draft;
}

std::string ModelDraft::newName(std::string_view hint) {
    if (!graph.tensors.contains(hint)) {
        return std::string(hint);
    }
    std::size_t& suffix = suffixes[std::string(hint)];
    std::string name;
    do {
        name = fmt::format("{}_{}", hint, ++suffix);
    } while (graph.tensors.contains(name));
    return name;
}

std::string ModelDraft::addTensor(std::string_view kind, std::string_view hint, std::string target,
                                  ReferenceTensor tensor) {
    const std::string name = newName(hint);
    graph.tensors[name] = makeTensorMeta(tensor.view);
    const auto place = std::ranges::find_if(graph.inputSpecs, lowering::isUserInput);
    const auto index = std::min(place - graph.inputSpecs.begin(), std::ssize(graph.inputs));
    graph.inputs.insert(graph.inputs.begin() + index,
                        Argument{.name = {}, .kind = "as_tensor", .value = ValueRef{.name = name}});
    graph.inputSpecs.insert(place,
                            InputSpec{.kind = std::string(kind), .value = name, .target = std::move(target)});
    tensors[name] = std::move(tensor);
    return name;
}

std::string ModelDraft::addValue(std::string_view hint, std::string_view like, core::ScalarType dtype) {
    const std::string name = newName(hint);
    etrecord::TensorMeta meta;
    if (const auto found = graph.tensors.find(like); found != graph.tensors.end()) {
        meta = found->second;
    }
    meta.scalarType = static_cast<std::int8_t>(std::to_underlying(dtype));
    meta.requiresGrad = false;
    graph.tensors[name] = std::move(meta);
    return name;
}

std::string ModelDraft::addSizedValue(std::string_view hint, std::span<const std::int64_t> sizes,
                                      core::ScalarType dtype) {
    const std::string name = newName(hint);
    graph.tensors[name] = makeTensorMeta(core::Tensor::make(dtype, sizes, nullptr).value_or(core::Tensor()));
    return name;
}

std::string ModelDraft::addRowValue(std::string_view hint, std::string_view like, core::ScalarType dtype) {
    const std::string name = addValue(hint, like, dtype);
    etrecord::TensorMeta& meta = graph.tensors[name];
    const std::int64_t row = meta.sizes.empty() ? 1 : std::max<std::int64_t>(meta.sizes.back().value, 1);
    if (!meta.sizes.empty()) {
        meta.sizes.pop_back();
        meta.strides.pop_back();
    }
    for (etrecord::SymInt& stride : meta.strides) {
        stride.value /= row;
    }
    return name;
}

void ModelDraft::setTensor(std::string_view value, ReferenceTensor tensor) {
    tensors.find(value)->second = std::move(tensor);
}

core::DebugHandle ModelDraft::newHandle() {
    lastHandle = core::DebugHandle(lastHandle.value + 1);
    return lastHandle;
}

/// Drops inputs, except user inputs, that no node or output reads.
void ModelDraft::dropUnread() {
    std::set<std::string, std::less<>> read;
    const auto note = [&](const Argument& argument) {
        reference::forNames(argument, [&](const std::string& name) { read.insert(name); });
    };
    for (const etrecord::Node& node : graph.nodes) {
        std::ranges::for_each(node.inputs, note);
    }
    std::ranges::for_each(graph.outputs, note);
    std::set<std::string, std::less<>> written;
    for (const etrecord::OutputSpec& output : graph.outputSpecs) {
        written.insert(output.target);
    }
    const auto unread = [&](const InputSpec& spec) {
        return !lowering::isUserInput(spec) && !read.contains(spec.value) && !written.contains(spec.target);
    };
    for (const InputSpec& spec : graph.inputSpecs) {
        if (unread(spec)) {
            tensors.erase(spec.value);
            graph.tensors.erase(spec.value);
            std::erase_if(graph.inputs,
                          [&](const Argument& input) { return lowering::valueName(&input) == spec.value; });
        }
    }
    std::erase_if(graph.inputSpecs, unread);
}

Result<std::shared_ptr<const etrecord::Record>> ModelDraft::record(const etrecord::Record& from,
                                                                   std::string_view method) {
    dropUnread();
    etrecord::ArchiveValue::Dict state;
    etrecord::ArchiveValue::Dict constants;
    for (const InputSpec& spec : graph.inputSpecs) {
        const auto tensor = tensors.find(spec.value);
        if (tensor != tensors.end()) {
            const bool lasting = spec.kind == "parameter" || (spec.kind == "buffer" && spec.persistent);
            (lasting ? state : constants)
                .push_back({spec.target, {archived(tensor->second, spec.kind == "parameter")}});
        }
    }
    ET_ASSIGN(auto stateDict, etrecord::torchArchiveFile({std::move(state)}));
    ET_ASSIGN(auto others, etrecord::torchArchiveFile({std::move(constants)}));
    graph.indexHandles();
    ET_ASSIGN(core::FileContent file, etrecord::replaceMethod(from, {.method = std::string(method),
                                                                     .graph = graph,
                                                                     .stateDict = std::move(stateDict),
                                                                     .constants = std::move(others)}));
    for (const auto& [value, tensor] : tensors) {
        file.keepAlive(tensor.owner);
    }
    return etrecord::Record::parse(std::move(file), from.file().name());
}

}  // namespace et::backends::xnnpack
