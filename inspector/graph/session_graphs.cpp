#include "inspector/graph/session_graphs.h"

#include "inspector/graph/graph_sources.h"
#include "runtime/native/model_graph.h"
#include "runtime/native/package.h"
#include "runtime/program/tensor_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace et::inspector {

using core::ModelGraph;
using core::Result;

namespace {

using Kind = GraphChoice::Kind;

constexpr std::size_t maxDelegates = 100;
/// Entry of the record's exported program.
constexpr std::string_view exportedEntry = "exported_program";
/// Maximum siblings before they are grouped into sections.
constexpr std::size_t broadest = 100;

void addMethod(const program::Method& method, std::vector<GraphChoice>& choices) {
    const std::string name = core::printable(method.name);
    choices.push_back({.kind = Kind::Program,
                       .method = std::string(method.name),
                       .title = fmt::format("Program: {}", name)});
    const std::size_t delegates = std::min(method.delegates.size(), maxDelegates);
    for (std::uint32_t i = 0; i < delegates; ++i) {
        const program::DelegateId id(i);
        choices.push_back({.kind = Kind::Delegate,
                           .method = std::string(method.name),
                           .delegate = id,
                           .title = fmt::format("Delegate {} of {} ({})", i, name,
                                                core::printable(method.delegate(id).backend))});
    }
}

void addRecord(const etrecord::Record& record, std::vector<GraphChoice>& choices) {
    for (const std::string& method : record.methods()) {
        choices.push_back({.kind = Kind::Edge,
                           .method = method,
                           .title = fmt::format("Edge graph: {}", core::printable(method))});
    }
    // Offered without reading it; it may still turn out to be unreadable.
    if (std::ranges::contains(record.entries(), exportedEntry, &etrecord::RecordEntry::name)) {
        choices.push_back({.kind = Kind::Exported, .method = "forward", .title = "Exported program"});
    }
    for (const std::string& name : record.extraGraphNames()) {
        choices.push_back(
            {.kind = Kind::Extra, .method = name, .title = fmt::format("Graph: {}", core::printable(name))});
    }
}

std::unexpected<core::Error> missing(const GraphChoice& choice) {
    return core::fail(core::ErrorCode::NotFound, fmt::format("the open files have no \"{}\"", choice.title));
}

Result<ModelGraph> graphOfProgram(const Session& session, const GraphChoice& choice,
                                  std::span<const executor::Backend* const> backends) {
    const program::Method* method =
        session.program == nullptr ? nullptr : session.program->findMethod(choice.method);
    if (method == nullptr) {
        return missing(choice);
    }
    std::vector<std::shared_ptr<const program::TensorData>> data;
    if (!session.files.tensorData.empty()) {
        ET_ASSIGN(auto read, program::TensorData::open(session.files.tensorData));
        data.push_back(std::move(read));
    }
    const ProgramGraphSources sources{.program = *session.program,
                                      .method = *method,
                                      .tensorData = data,
                                      .backends = backends,
                                      .record = session.record.get()};
    return choice.kind == Kind::Program ? programGraph(sources) : delegateGraph(sources, choice.delegate);
}

Result<ModelGraph> graphOfRecord(const etrecord::Record& record, const GraphChoice& choice) {
    const etrecord::ExportedGraph* graph = nullptr;
    if (choice.kind == Kind::Exported) {
        ET_ASSIGN(graph, record.exportedProgram());
    } else if (choice.kind == Kind::Extra) {
        ET_ASSIGN(graph, record.extraGraph(choice.method));
    } else {
        graph = record.edgeGraph(choice.method);
    }
    if (graph == nullptr) {
        return missing(choice);
    }
    // The other graphs of a record use their own handles.
    const bool mapped = choice.kind == Kind::Exported || choice.kind == Kind::Edge;
    return recordGraph(*graph, choice.kind == Kind::Exported ? "exported program" : choice.method,
                       mapped ? record.maps(choice.method) : nullptr);
}

Result<ModelGraph> graphOfPackage(const Session& session, const GraphChoice& choice) {
    const native::Method* const method =
        session.package == nullptr ? nullptr : session.package->program.find(choice.method);
    if (method == nullptr) {
        return missing(choice);
    }
    return native::modelGraph(*method, session.package->finder());
}

Result<ModelGraph> makeWholeGraph(const Session& session, const GraphChoice& choice,
                                  std::span<const executor::Backend* const> backends) {
    if (choice.kind == Kind::Package) {
        return graphOfPackage(session, choice);
    }
    const bool ofProgram = choice.kind == Kind::Program || choice.kind == Kind::Delegate;
    if (!ofProgram && session.record == nullptr) {
        return missing(choice);
    }
    return ofProgram ? graphOfProgram(session, choice, backends) : graphOfRecord(*session.record, choice);
}

}  // namespace

std::vector<GraphChoice> graphChoices(const Session& session) {
    std::vector<GraphChoice> choices;
    if (session.package != nullptr) {
        for (const native::Method& method : session.package->program.methods) {
            choices.push_back({.kind = Kind::Package,
                               .method = method.name,
                               .title = fmt::format("Package: {}", core::printable(method.name))});
        }
    }
    if (session.program != nullptr) {
        for (const program::Method& method : session.program->methods) {
            addMethod(method, choices);
        }
    }
    if (session.record != nullptr) {
        addRecord(*session.record, choices);
    }
    return choices;
}

Result<ModelGraph> graphOf(const Session& session, const GraphChoice& choice,
                           std::span<const executor::Backend* const> backends) {
    ET_ASSIGN(ModelGraph graph, makeWholeGraph(session, choice, backends));
    foldLongRuns(graph, broadest);
    return graph;
}

Result<SimplifiedGraph> makeReadableGraph(const Session& session, const GraphChoice& choice,
                                          std::span<const executor::Backend* const> backends) {
    ET_ASSIGN(const ModelGraph graph, makeWholeGraph(session, choice, backends));
    SimplifiedGraph readable = simplified(graph);
    foldLongRuns(readable.graph, broadest);
    return readable;
}

}  // namespace et::inspector
