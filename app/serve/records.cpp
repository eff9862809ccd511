#include "app/serve/argument_text.h"
#include "app/serve/event_cells.h"
#include "app/serve/functions.h"
#include "app/serve/tensors.h"
#include "etrecord/record.h"
#include "etrecord/torch_writer.h"
#include "runtime/core/scalar_type.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace et::serve {
namespace {

using etrecord::ExportedGraph;
using etrecord::Record;

/// A graph and the record that owns it.
struct Graph {
    std::shared_ptr<const Record> record;
    const ExportedGraph* graph;
};

List handleList(std::span<const core::DebugHandle> handles) {
    return collected(handles, [](const core::DebugHandle handle) { return handle.value; });
}

/// Adds the names of graph values in an argument.
void addValues(List& out, const etrecord::Argument& argument) {
    if (const auto* const one = std::get_if<etrecord::ValueRef>(&argument.value)) {
        out.push_back(text(one->name));
    } else if (const auto* const some =
                   std::get_if<std::vector<std::optional<etrecord::ValueRef>>>(&argument.value)) {
        for (const auto& each : *some) {
            out.push_back(each ? text(each->name) : Value());
        }
    }
}

List values(const std::vector<etrecord::Argument>& arguments) {
    List out;
    for (const etrecord::Argument& argument : arguments) {
        addValues(out, argument);
    }
    return out;
}

Dict nodeFields(const etrecord::Node& node) {
    Dict out;
    out["name"] = text(node.name);
    out["target"] = text(node.target);
    out["op"] = text(node.op);
    out["inputs"] = values(node.inputs);
    out["outputs"] = values(node.outputs);
    out["stack_trace"] = node.stackTrace.empty() ? Value() : text(node.stackTrace);
    out["nn_module_stack"] = moduleStackCell(node);
    out["debug_handles"] = handleList(node.debugHandles);
    out["arguments"] = collected(node.inputs, [](const etrecord::Argument& each) {
        return tupleOf(text(each.name), text(argumentText(each)));
    });
    return out;
}

List nodes(const Graph& self) {
    return collected(self.graph->nodes, [](const etrecord::Node& node) { return nodeFields(node); });
}

template <class Spec>
List specs(const std::vector<Spec>& all) {
    return collected(
        all, [](const Spec& spec) { return tupleOf(text(spec.kind), text(spec.value), text(spec.target)); });
}

Value handleEntry(const etrecord::HandleEntry& entry) {
    if (!entry.list && !entry.handles.empty()) {
        return valueOf(entry.handles.front().value);
    }
    return handleList(entry.handles);
}

/// Returns {instruction as text: handles}, as stored in the file; None without maps.
Value debugHandleMap(const Record& record, const std::string& method) {
    const etrecord::MethodMaps* const maps = record.maps(method);
    if (maps == nullptr) {
        return Value();
    }
    Dict out;
    for (const auto& [instruction, entry] : maps->debugHandles) {
        out[std::to_string(instruction.value)] = handleEntry(entry);
    }
    return out;
}

Value delegateMap(const Record& record, const std::string& method) {
    const etrecord::MethodMaps* const maps = record.maps(method);
    if (maps == nullptr || !record.hasDelegateMap()) {
        return Value();
    }
    Dict out;
    for (const auto& [instruction, entry] : maps->delegates) {
        Dict identifiers;
        for (const auto& [identifier, handles] : entry.identifiers) {
            identifiers[identifier] = handleList(handles);
        }
        Dict delegate;
        delegate["name"] = text(entry.backend);
        delegate["delegate_map"] = identifiers;
        out[std::to_string(instruction.value)] = delegate;
    }
    return out;
}

Dict outputCounts(const Record& record, const std::string& method) {
    Dict out;
    if (const etrecord::MethodMaps* const maps = record.maps(method)) {
        for (const auto& [instruction, count] : maps->outputCounts) {
            out[std::to_string(instruction.value)] = count;
        }
    }
    return out;
}

Value edgeGraph(const std::shared_ptr<const Record>& record, const std::string& method) {
    const ExportedGraph* const graph = record->edgeGraph(method);
    return graph == nullptr ? Value() : valueOf(Graph{record, graph});
}

Value exportedProgram(const std::shared_ptr<const Record>& record) {
    const ExportedGraph* const graph = unwrap(record->exportedProgram());
    return graph == nullptr ? Value() : valueOf(Graph{record, graph});
}

List recordTensors(const Record& record) {
    List out;
    for (const etrecord::ArchivedTensor& tensor : unwrap(record.listTensors())) {
        Dict entry;
        entry["archive"] = text(tensor.archive);
        entry["name"] = text(tensor.name);
        entry["dtype"] = text(core::scalarTypeName(tensor.scalarType));
        entry["sizes"] = valueOf(tensor.sizes);
        entry["bytes"] = tensor.bytes;
        out.push_back(entry);
    }
    return out;
}

/// Limit on the total size of a record's tensors in memory: in a malicious file, few bytes can expand to
/// many.
constexpr std::uint64_t maxArchiveBytes = std::uint64_t{4} << 30U;

/// Returns (name, array) of each tensor of an archive.
List archived(const std::shared_ptr<Record>& record, const std::string& name) {
    const etrecord::TorchArchive archive = unwrap(record->archive(name));
    std::uint64_t left = maxArchiveBytes;
    List out;
    for (const etrecord::TorchTensor& tensor : archive.tensors()) {
        const auto elements = unwrap(archive.load(tensor, left));
        left -= std::min<std::uint64_t>(left, elements.bytes.size());
        // The storage may refer to the record's file.
        const auto owner = std::make_shared<std::pair<std::shared_ptr<Record>, std::shared_ptr<const void>>>(
            record, elements.owner);
        out.push_back(
            tupleOf(text(tensor.name), array(tensor.scalarType, tensor.sizes, {}, elements.bytes, owner)));
    }
    return out;
}

etrecord::ArchiveValue archiveValue(Value& given);

etrecord::ArchiveValue::List archiveItems(List& items) {
    etrecord::ArchiveValue::List out;
    for (Value& each : items) {
        out.push_back(archiveValue(each));
    }
    return out;
}

/// A list, a dictionary, or ("tensor", [array]).
etrecord::ArchiveValue archiveValue(Value& given) {
    if (auto* const list = given.as<List>()) {
        return {archiveItems(*list)};
    }
    if (auto* const dict = given.as<Dict>()) {
        etrecord::ArchiveValue::Dict members;
        for (auto& [key, value] : dict->entries) {
            members.push_back({.key = Argument<std::string>::from(key), .value = archiveValue(value)});
        }
        return {std::move(members)};
    }
    const auto [kind, arrays] = Argument<std::tuple<std::string, List>>::from(given);
    const auto* const array = arrays.size() == 1 ? arrays.front().as<Array>() : nullptr;
    const auto type = array == nullptr ? std::nullopt : scalarTypeOf(array->type);
    if (!type) {
        refuseType("a tensor of a dtype that torch has", given);
    }
    return {etrecord::TensorToArchive{.dtype = *type, .sizes = array->sizes, .elements = array->bytes}};
}

/// Returns torch.save() of row-major arrays in lists and dictionaries.
std::vector<std::byte> torchArchive(Value given) {
    return unwrap(etrecord::writeTorchArchive(archiveValue(given)));
}

Graph extraGraph(const std::shared_ptr<const Record>& record, const std::string& name) {
    return {record, unwrap(record->extraGraph(name))};
}

constexpr std::array recordTable{
    function<&nodes>("Graph.nodes"),
    function<[](const Graph& self) { return specs(self.graph->inputSpecs); }>("Graph.inputs"),
    function<[](const Graph& self) { return specs(self.graph->outputSpecs); }>("Graph.outputs"),
    function<[](const Graph& self) { return self.graph->nodes.size(); }>("Graph.__len__"),
    function<[](const std::filesystem::path& path) { return unwrap(Record::open(path)); }>("Record.open"),
    function<[](const Record& self) { return text(self.file().name()); }>("Record.path"),
    function<[](const Record& self) { return texts(self.methods()); }>("Record.methods"),
    function<[](const Record& self) { return texts(self.extraGraphNames()); }>("Record.extra_graphs"),
    function<[](const Record& self) { return self.exportGraphId(); }>("Record.export_graph_id"),
    function<&debugHandleMap>("Record.debug_handle_map"),
    function<&delegateMap>("Record.delegate_map"),
    function<&outputCounts>("Record.output_counts"),
    function<&recordTensors>("Record.tensors"),
    function<[](const Record& self) { return texts(self.archiveNames()); }>("Record.archives"),
    function<&archived>("Record.archived"),
    function<&torchArchive>("torch_archive"),
    function<&edgeGraph>("Record.edge_graph"),
    function<&exportedProgram>("Record.exported_program"),
    function<&extraGraph>("Record.extra_graph"),
};

}  // namespace

std::span<const Function> recordFunctions() {
    return recordTable;
}

}  // namespace et::serve
