#include "app/output/cells.h"
#include "app/output/info/artifact_info.h"
#include "runtime/core/scalar_type.h"

#include <string>

namespace et::output {
namespace {

using etrecord::ExportedGraph;
using etrecord::MethodMaps;
using etrecord::Record;

Dict graphInfo(const std::string& name, const ExportedGraph& graph) {
    return {
        {"name", name},
        {"dialect", graph.dialect},
        {"nodes", std::uint64_t{graph.nodes.size()}},
        {"inputs", std::uint64_t{graph.inputs.size()}},
        {"outputs", std::uint64_t{graph.outputs.size()}},
        {"tensors", std::uint64_t{graph.tensors.size()}},
        {"debug_handles", std::uint64_t{graph.nodesByHandle.size()}},
    };
}

List delegateInfo(const MethodMaps& maps) {
    List list;
    for (const auto& [instruction, delegate] : maps.delegates) {
        list.emplace_back(Dict{
            {"instruction", std::int64_t{instruction.value}},
            {"backend", delegate.backend},
            {"identifiers", std::uint64_t{delegate.identifiers.size()}},
        });
    }
    return list;
}

List operatorInfo(const ExportedGraph& graph) {
    Tally operators;
    for (const etrecord::Node& node : graph.nodes) {
        operators.add(node.op);
    }
    return operators.list("name", "nodes");
}

Dict methodInfo(const Record& record, const std::string& name) {
    Dict info{{"name", name}};
    if (const MethodMaps* maps = record.maps(name)) {
        info.emplace_back("mapped_instructions", std::uint64_t{maps->debugHandles.size()});
        info.emplace_back("delegates", delegateInfo(*maps));
    }
    if (const ExportedGraph* graph = record.edgeGraph(name)) {
        info.emplace_back("operators", operatorInfo(*graph));
    }
    return info;
}

core::Result<List> allGraphs(const Record& record) {
    List list;
    ET_ASSIGN(const ExportedGraph* exported, record.exportedProgram());
    if (exported != nullptr) {
        list.emplace_back(graphInfo("exported_program", *exported));
    }
    for (const std::string& method : record.methods()) {
        if (const ExportedGraph* graph = record.edgeGraph(method)) {
            list.emplace_back(graphInfo("edge_dialect_exported_program/" + method, *graph));
        }
    }
    for (const std::string& name : record.extraGraphNames()) {
        ET_ASSIGN(const ExportedGraph* graph, record.extraGraph(name));
        list.emplace_back(graphInfo(name, *graph));
    }
    return list;
}

core::Result<List> tensorInfo(const Record& record) {
    ET_ASSIGN(const std::vector<etrecord::ArchivedTensor> tensors, record.listTensors());
    return listOf(tensors, [&](const etrecord::ArchivedTensor& tensor) {
        return Dict{
            {"archive", tensor.archive},
            {"name", tensor.name},
            {"dtype", core::scalarTypeName(tensor.scalarType)},
            {"sizes", tensor.sizes},
            {"bytes", tensor.bytes},
        };
    });
}

}  // namespace

core::Result<Dict> recordInfo(const Record& record) {
    ET_ASSIGN(List graphs, allGraphs(record));
    ET_ASSIGN(List tensors, tensorInfo(record));
    const bool current = record.layout() == etrecord::RecordLayout::Current;
    return Dict{
        {"layout", std::string(current ? "current" : "2023")},
        {"export_graph_id", optionalCell(record.exportGraphId())},
        {"delegate_map", record.hasDelegateMap()},
        {"methods",
         listOf(record.methods(), [&](const std::string& method) { return methodInfo(record, method); })},
        {"graphs", std::move(graphs)},
        {"entries", listOf(record.entries(),
                           [](const etrecord::RecordEntry& entry) {
                               return Dict{{"name", entry.name}, {"bytes", entry.bytes}};
                           })},
        {"tensors", std::move(tensors)},
    };
}

}  // namespace et::output
