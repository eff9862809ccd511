#include "app/tasks/graph/graph_source.h"

#include "app/tasks/base/program_file.h"
#include "app/tasks/base/suggestion.h"
#include "backends/builtin.h"
#include "inspector/delegates/times.h"
#include "inspector/graph/graph_labels.h"
#include "inspector/graph/graph_search.h"
#include "inspector/graph/graph_sources.h"
#include "inspector/session/artifact.h"
#include "inspector/session/record_check.h"
#include "inspector/session/session.h"
#include "runtime/native/model_graph.h"
#include "runtime/native/package.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::GraphGroup;
using core::GraphGroupId;
using core::GraphNode;
using core::GraphNodeId;
using core::ModelGraph;
using core::Result;

constexpr std::string_view allWord = "all";
/// Maximum number of names that a misspelled one is compared with.
constexpr std::size_t maxSuggested = 2000;

std::unexpected<core::Error> notFound(std::string_view what, std::string_view name,
                                      const std::vector<std::string>& known) {
    return core::fail(ErrorCode::NotFound, fmt::format("the graph has no {} \"{}\"{}", what,
                                                       core::printable(name), didYouMean(name, known)));
}

/// All groups with these names.
Result<std::vector<GraphGroupId>> groupsOf(const ModelGraph& graph, const std::vector<std::string>& names) {
    std::vector<GraphGroupId> ids;
    for (const std::string& name : names) {
        if (name == allWord) {
            continue;
        }
        const std::size_t before = ids.size();
        std::vector<std::string> known;
        for (std::uint32_t i = 0; i < graph.groups().size(); ++i) {
            const GraphGroup& group = graph.groups()[i];
            const std::string_view full = inspector::groupName(group);
            if (group.name == name || full == name) {
                ids.emplace_back(i);
            } else if (known.size() < maxSuggested) {
                known.emplace_back(full);
            }
        }
        if (ids.size() == before) {
            return notFound("group", name, known);
        }
    }
    return ids;
}

Result<std::vector<GraphNodeId>> nodesOf(const ModelGraph& graph, const std::vector<std::string>& names) {
    std::vector<GraphNodeId> ids;
    for (const std::string& name : names) {
        const auto node = std::ranges::find(graph.nodes(), name, &GraphNode::name);
        if (node == graph.nodes().end()) {
            std::vector<std::string> known;
            for (std::size_t i = 0; i < std::min(graph.nodes().size(), maxSuggested); ++i) {
                known.push_back(graph.nodes()[i].name);
            }
            return notFound("node", name, known);
        }
        ids.emplace_back(static_cast<std::uint32_t>(node - graph.nodes().begin()));
    }
    return ids;
}

constexpr std::string_view programWord = "program";
constexpr std::string_view edgeWord = "edge";
constexpr std::string_view exportedWord = "exported";
constexpr std::string_view delegateWord = "delegate:";
constexpr std::string_view usualMethod = "forward";

/// Returns the method with that name; without a name "forward", or the first.
Result<std::string> pickMethod(std::string_view asked, const std::vector<std::string>& known) {
    if (asked.empty() && !known.empty()) {
        return std::ranges::contains(known, usualMethod) ? std::string(usualMethod) : known.front();
    }
    if (!std::ranges::contains(known, asked)) {
        return fail(ErrorCode::NotFound,
                    known.empty() ? std::string("no method has a graph")
                                  : fmt::format("no method \"{}\"; available: {}", core::printable(asked),
                                                core::printable(fmt::to_string(fmt::join(known, ", ")))));
    }
    return std::string(asked);
}

Result<core::ModelGraph> exportedGraph(const etrecord::Record& record) {
    ET_ASSIGN(const etrecord::ExportedGraph* exported, record.exportedProgram());
    if (exported == nullptr) {
        return fail(ErrorCode::NotFound, "the record has no exported program");
    }
    return inspector::recordGraph(*exported, "exported program", record.maps(usualMethod));
}

Result<core::ModelGraph> graphOfRecord(const etrecord::Record& record, const GraphSource& source) {
    if (source.source == exportedWord) {
        return exportedGraph(record);
    }
    if (source.source.empty() || source.source == edgeWord) {
        ET_ASSIGN(const std::string method, pickMethod(source.method, record.methods()));
        return inspector::recordGraph(*record.edgeGraph(method), method, record.maps(method));
    }
    if (std::ranges::contains(record.extraGraphNames(), source.source)) {
        ET_ASSIGN(const etrecord::ExportedGraph* extra, record.extraGraph(source.source));
        return inspector::recordGraph(*extra, source.source);
    }
    const std::string others = core::printable(fmt::to_string(fmt::join(record.extraGraphNames(), ", ")));
    return fail(ErrorCode::NotFound,
                fmt::format("the record has no graph \"{}\"; available: edge, exported{}{}",
                            core::printable(source.source), others.empty() ? "" : ", ", others));
}

bool isOfProgram(std::string_view source) {
    return source.empty() || source == programWord || source.starts_with(delegateWord);
}

Result<program::DelegateId> delegateId(std::string_view source) {
    const std::string_view text = source.substr(delegateWord.size());
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--source: expected delegate:NUMBER, got \"{}\"", core::printable(source)));
    }
    return program::DelegateId(number);
}

Result<core::ModelGraph> graphOfMethod(const inspector::ProgramGraphSources& sources,
                                       std::string_view source) {
    if (!source.starts_with(delegateWord)) {
        return inspector::programGraph(sources);
    }
    ET_ASSIGN(const program::DelegateId id, delegateId(source));
    return inspector::delegateGraph(sources, id);
}

Result<> addTimes(const GraphSource& source, inspector::DelegateSources from, const program::Method& method,
                  OpenedGraph& opened) {
    const auto target = source.clock.target(inspector::TimeScale::Milliseconds);
    ET_ASSIGN(const auto session,
              inspector::Session::open({.trace = source.trace, .record = source.record, .debugBuffer = {}},
                                       {.clock = source.clock, .target = target}));
    from.blocks = session->blocks.get();
    from.method = method.name;
    const std::string unit(inspector::traits(target).name);
    const bool onlyMethod = from.program.methods.size() == 1;
    opened.times = {.times = inspector::instructionTimes(*session->blocks, method, onlyMethod), .unit = unit};
    opened.measured = inspector::measuredTimes(from, method);
    if (opened.times.times.empty()) {
        opened.warnings.emplace_back("the trace did not run this method; no times are shown");
    }
    opened.warnings.insert(opened.warnings.end(), session->blocks->warnings().begin(),
                           session->blocks->warnings().end());
    return {};
}

Result<inspector::GapReport> readGapFile(const fs::path& path) {
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    return inspector::readGapJson(core::textOf(file->bytes())).transform_error([&](core::Error error) {
        return std::move(error).in(path.string());
    });
}

/// The graph of a method of a package, which has no delegates and no other graphs.
Result<OpenedGraph> openPackage(const GraphSource& source, std::shared_ptr<const core::MappedFile> file) {
    if (!source.source.empty() && source.source != programWord) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--source {}: a package has only the graphs of its methods",
                                core::printable(source.source)));
    }
    ET_ASSIGN(auto package, native::Package::parse(std::move(file)));
    std::vector<std::string> names;
    std::ranges::transform(package->program.methods, std::back_inserter(names), &native::Method::name);
    ET_ASSIGN(const std::string name, pickMethod(source.method, names));
    OpenedGraph opened;
    opened.method = name;
    opened.graph = native::modelGraph(*package->program.find(name), package->finder());
    opened.keptOpen = std::move(package);
    return opened;
}

/// Opens the graph of a program, with a record if requested.
Result<OpenedGraph> openProgram(const GraphSource& source, inspector::RecognizedFile recognized) {
    ET_ASSIGN(const ProgramFile file, ProgramFile::parse(std::move(recognized)));
    ET_ASSIGN(const auto record, openRecord(source.record));
    OpenedGraph opened;
    const bool ofProgram = isOfProgram(source.source);
    if (!ofProgram && record == nullptr) {
        return fail(ErrorCode::InvalidArgument, fmt::format("--source {}: requires the ETRecord (--etrecord)",
                                                            core::printable(source.source)));
    }
    ET_ASSIGN(const auto data, openTensorData(source.tensorData));
    std::vector<std::string> names;
    for (const program::Method& each : file.program->methods) {
        names.emplace_back(each.name);
    }
    ET_ASSIGN(const std::string name, pickMethod(source.method, names));
    opened.method = name;
    const program::Method& method = *file.program->findMethod(name);
    if (const auto wrong = record == nullptr ? std::nullopt : inspector::contradiction(*record, method)) {
        opened.warnings.push_back(*wrong);
    }
    if (ofProgram) {
        ET_ASSIGN(opened.graph, graphOfMethod({.program = *file.program,
                                               .method = method,
                                               .tensorData = data,
                                               .backends = backends::describable(),
                                               .record = record.get()},
                                              source.source));
    } else {
        ET_ASSIGN(opened.graph, graphOfRecord(*record, source));
    }
    if (!source.trace.empty()) {
        ET_TRY(addTimes(source,
                        {.program = *file.program,
                         .tensorData = data,
                         .backends = backends::describable(),
                         .record = record.get()},
                        method, opened));
    }
    return opened;
}

}  // namespace

Result<Selected> select(const ModelGraph& graph, const GraphSelection& selection) {
    Selected out;
    out.options.expandAll = std::ranges::contains(selection.expand, allWord);
    out.options.budget = std::ranges::contains(selection.collapse, allWord) ? 0 : selection.budget;
    out.options.depth = selection.depth;
    ET_ASSIGN(out.options.expand, groupsOf(graph, selection.expand));
    ET_ASSIGN(out.options.collapse, groupsOf(graph, selection.collapse));
    ET_ASSIGN(out.options.around, nodesOf(graph, selection.around));
    if (!selection.find.empty()) {
        ET_ASSIGN(const auto search, inspector::GraphSearch::make(selection.find));
        out.found = search.matchesIn(graph);
    }
    return out;
}

std::vector<fs::path> GraphSource::inputs() const {
    std::vector<fs::path> all{file, record, trace, gap};
    all.insert(all.end(), tensorData.begin(), tensorData.end());
    std::erase(all, fs::path{});
    return all;
}

namespace {

Result<OpenedGraph> openAnyGraph(const GraphSource& source) {
    const auto named = [&](core::Error error) { return std::move(error).in(source.file.string()); };
    ET_ASSIGN(inspector::RecognizedFile file, inspector::RecognizedFile::open(source.file));
    const bool isAlone = source.record.empty() && source.trace.empty();
    if (file.kind == core::FileKind::Package && isAlone) {
        return openPackage(source, std::move(file.file)).transform_error(named);
    }
    if (file.kind != core::FileKind::Record) {
        return openProgram(source, std::move(file)).transform_error(named);
    }
    if (source.source == programWord || source.source.starts_with(delegateWord)) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--source {}: {} is an ETRecord, expected a program",
                                core::printable(source.source), source.file.string()));
    }
    ET_ASSIGN(const auto record, etrecord::Record::parse(std::move(file.file)));
    OpenedGraph opened;
    auto graph = graphOfRecord(*record, source);
    if (!graph) {
        return std::unexpected(named(std::move(graph).error()));
    }
    opened.graph = std::move(*graph);
    const bool isOfMethod = source.source.empty() || source.source == edgeWord;
    opened.method = isOfMethod ? opened.graph.name : std::string();
    return opened;
}

}  // namespace

Result<OpenedGraph> openGraph(const GraphSource& source) {
    ET_ASSIGN(OpenedGraph opened, openAnyGraph(source));
    if (!source.gap.empty()) {
        ET_ASSIGN(opened.gap, readGapFile(source.gap));
        if (!opened.method.empty() && opened.gap->method != opened.method) {
            opened.warnings.push_back(fmt::format(
                "{}: the gap of method \"{}\"; no errors are shown for \"{}\"", source.gap.string(),
                core::printable(opened.gap->method), core::printable(opened.method)));
            opened.gap.reset();
        }
    }
    return opened;
}

}  // namespace et::tasks
