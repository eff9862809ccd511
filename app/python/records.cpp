#include "app/python/records.h"

#include "app/python/cells.h"
#include "app/python/errors.h"
#include "app/python/name.h"
#include "app/python/tensors.h"
#include "etrecord/record.h"
#include "runtime/core/scalar_type.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;
using etrecord::ExportedGraph;
using etrecord::Record;

/// A graph and the record that owns it.
struct Graph {
    std::shared_ptr<const Record> record;
    const ExportedGraph* graph;
};

nb::list handleList(std::span<const core::DebugHandle> handles) {
    return pythonList(handles, [](const core::DebugHandle handle) { return handle.value; });
}

/// Adds the names of graph values in an argument.
void addValues(nb::list& out, const etrecord::Argument& argument) {
    if (const auto* const one = std::get_if<etrecord::ValueRef>(&argument.value)) {
        out.append(text(one->name));
    } else if (const auto* const some =
                   std::get_if<std::vector<std::optional<etrecord::ValueRef>>>(&argument.value)) {
        for (const auto& each : *some) {
            out.append(each ? text(each->name) : nb::object(nb::none()));
        }
    }
}

nb::list values(const std::vector<etrecord::Argument>& arguments) {
    nb::list out;
    for (const etrecord::Argument& argument : arguments) {
        addValues(out, argument);
    }
    return out;
}

nb::dict modules(const etrecord::Node& node) {
    nb::dict out;
    for (const etrecord::ModuleFrame& frame : node.moduleStack) {
        out[text(frame.path)] = nb::make_tuple(text(frame.fqn), text(frame.type));
    }
    return out;
}

nb::dict nodeFields(const etrecord::Node& node) {
    nb::dict out;
    out["name"] = text(node.name);
    out["target"] = text(node.target);
    out["op"] = text(node.op);
    out["inputs"] = values(node.inputs);
    out["outputs"] = values(node.outputs);
    out["stack_trace"] = node.stackTrace.empty() ? nb::object(nb::none()) : text(node.stackTrace);
    out["nn_module_stack"] = modules(node);
    out["debug_handles"] = handleList(node.debugHandles);
    return out;
}

nb::list nodes(const Graph& self) {
    return pythonList(self.graph->nodes, [](const etrecord::Node& node) { return nodeFields(node); });
}

template <class Spec>
nb::list specs(const std::vector<Spec>& all) {
    return pythonList(all, [](const Spec& spec) {
        return nb::make_tuple(text(spec.kind), text(spec.value), text(spec.target));
    });
}

nb::object handleEntry(const etrecord::HandleEntry& entry) {
    if (!entry.list && !entry.handles.empty()) {
        return nb::cast(entry.handles.front().value);
    }
    return handleList(entry.handles);
}

/// Returns {instruction as text: handles}, as stored in the file; None without maps.
nb::object debugHandleMap(const Record& record, const Name& method) {
    const etrecord::MethodMaps* const maps = record.maps(method.bytes);
    if (maps == nullptr) {
        return nb::none();
    }
    nb::dict out;
    for (const auto& [instruction, entry] : maps->debugHandles) {
        out[nb::str(std::to_string(instruction.value).c_str())] = handleEntry(entry);
    }
    return out;
}

nb::object delegateMap(const Record& record, const Name& method) {
    const etrecord::MethodMaps* const maps = record.maps(method.bytes);
    if (maps == nullptr || !record.hasDelegateMap()) {
        return nb::none();
    }
    nb::dict out;
    for (const auto& [instruction, entry] : maps->delegates) {
        nb::dict identifiers;
        for (const auto& [identifier, handles] : entry.identifiers) {
            identifiers[text(identifier)] = handleList(handles);
        }
        nb::dict delegate;
        delegate["name"] = text(entry.backend);
        delegate["delegate_map"] = identifiers;
        out[nb::str(std::to_string(instruction.value).c_str())] = delegate;
    }
    return out;
}

nb::dict outputCounts(const Record& record, const Name& method) {
    nb::dict out;
    if (const etrecord::MethodMaps* const maps = record.maps(method.bytes)) {
        for (const auto& [instruction, count] : maps->outputCounts) {
            out[nb::str(std::to_string(instruction.value).c_str())] = count;
        }
    }
    return out;
}

nb::object edgeGraph(const std::shared_ptr<const Record>& record, const Name& method) {
    const ExportedGraph* const graph = record->edgeGraph(method.bytes);
    return graph == nullptr ? nb::none() : nb::cast(Graph{record, graph});
}

nb::object exportedProgram(const std::shared_ptr<const Record>& record) {
    const ExportedGraph* const graph = unwrap(withoutGil([&] { return record->exportedProgram(); }));
    return graph == nullptr ? nb::none() : nb::cast(Graph{record, graph});
}

nb::list tensors(const Record& record) {
    nb::list out;
    for (const etrecord::ArchivedTensor& tensor : unwrap(withoutGil([&] { return record.listTensors(); }))) {
        nb::dict entry;
        entry["archive"] = text(tensor.archive);
        entry["name"] = text(tensor.name);
        entry["dtype"] = text(core::scalarTypeName(tensor.scalarType));
        entry["sizes"] = nb::cast(tensor.sizes);
        entry["bytes"] = tensor.bytes;
        out.append(entry);
    }
    return out;
}

/// Limit on the total size of a record's tensors in memory: in a malicious file, few bytes can expand to
/// many.
constexpr std::uint64_t maxArchiveBytes = std::uint64_t{4} << 30U;

/// Returns (name, array) of each tensor of an archive.
nb::list archived(const std::shared_ptr<Record>& record, const Name& name) {
    const etrecord::TorchArchive archive = unwrap(withoutGil([&] { return record->archive(name.bytes); }));
    std::uint64_t left = maxArchiveBytes;
    nb::list out;
    for (const etrecord::TorchTensor& tensor : archive.tensors()) {
        const auto elements = unwrap(withoutGil([&] { return archive.load(tensor, left); }));
        left -= std::min<std::uint64_t>(left, elements.bytes.size());
        // The storage may refer to the record's file.
        const auto owner = std::make_shared<std::pair<std::shared_ptr<Record>, std::shared_ptr<const void>>>(
            record, elements.owner);
        out.append(nb::make_tuple(text(tensor.name),
                                  array(tensor.scalarType, tensor.sizes, {}, elements.bytes, owner)));
    }
    return out;
}

void bindGraph(nb::module_& module) {
    nb::class_<Graph>(module, "Graph", "A graph of an ETRecord; keeps the record alive.")
        .def("nodes", &nodes, nb::sig("def nodes(self) -> list[dict[str, object]]"),
             "name, target, op, inputs, outputs, stack_trace, nn_module_stack and debug_handles of each "
             "operator, "
             "in execution order.")
        .def(
            "inputs", [](const Graph& self) { return specs(self.graph->inputSpecs); },
            nb::sig("def inputs(self) -> list[tuple[str, str, str]]"), "(kind, value, target) of each input.")
        .def(
            "outputs", [](const Graph& self) { return specs(self.graph->outputSpecs); },
            nb::sig("def outputs(self) -> list[tuple[str, str, str]]"),
            "(kind, value, target) of each output.")
        .def("__len__", [](const Graph& self) { return self.graph->nodes.size(); });
}

void bindRecordGraphs(nb::class_<Record>& record) {
    record
        .def(
            "edge_graph",
            [](std::shared_ptr<Record> self, const Name& method) { return edgeGraph(self, method); },
            "method"_a, nb::sig("def edge_graph(self, method: str) -> Graph | None"),
            "The Edge graph of a method; None if the record has none.")
        .def(
            "exported_program", [](std::shared_ptr<Record> self) { return exportedProgram(self); },
            nb::sig("def exported_program(self) -> Graph | None"),
            "The graph produced by torch.export; None if the record has none.")
        .def(
            "extra_graph",
            [](std::shared_ptr<Record> self, const Name& name) {
                return Graph{self, unwrap(withoutGil([&] { return self->extraGraph(name.bytes); }))};
            },
            "name"_a, "A graph of `extra_graphs`.");
}

}  // namespace

void bindRecords(nb::module_& module) {
    bindGraph(module);
    nb::class_<Record> record(module, "Record", "An ETRecord; graphs are read on demand.");
    record
        .def_static(
            "open",
            [](const std::filesystem::path& path) {
                return std::const_pointer_cast<Record>(
                    unwrap(withoutGil([&] { return Record::open(path); })));
            },
            "path"_a, "Reads an ETRecord.")
        .def_prop_ro(
            "path", [](const Record& self) { return text(self.file().name()); },
            "Path of the file, as given.")
        .def_prop_ro(
            "methods", [](const Record& self) { return texts(self.methods()); },
            nb::sig("def methods(self) -> list[str]"), "Methods that have an Edge graph.")
        .def_prop_ro(
            "extra_graphs", [](const Record& self) { return texts(self.extraGraphNames()); },
            nb::sig("def extra_graphs(self) -> list[str]"), "Names of further graphs.")
        .def_prop_ro("export_graph_id", &Record::exportGraphId, "The exporter's ID of the graph.")
        .def("debug_handle_map", &debugHandleMap, "method"_a,
             nb::sig("def debug_handle_map(self, method: str) -> dict[str, int | list[int]] | None"),
             "{instruction: debug handle or handles}, as stored in the file; None without maps.")
        .def("delegate_map", &delegateMap, "method"_a,
             nb::sig("def delegate_map(self, method: str) -> dict[str, dict[str, object]] | None"),
             "{instruction: {name, delegate_map}}, as stored in the file; None without one.")
        .def("output_counts", &outputCounts, "method"_a,
             nb::sig("def output_counts(self, method: str) -> dict[str, int]"),
             "{instruction: number of outputs}; empty if the file does not contain them.")
        .def("tensors", &tensors, nb::sig("def tensors(self) -> list[dict[str, object]]"),
             "archive, name, dtype, sizes and bytes of each weight and input that the record holds.")
        .def_prop_ro(
            "archives", [](const Record& self) { return texts(self.archiveNames()); },
            nb::sig("def archives(self) -> list[str]"), "Names of the archives that hold tensors.")
        .def("archived", &archived, "archive"_a,
             nb::sig("def archived(self, archive: str) -> list[tuple[str, object]]"),
             "The tensors of an archive by their position in it (`forward[0][1]`): read-only arrays that "
             "share memory with the record.");
    bindRecordGraphs(record);
}

}  // namespace et::python
