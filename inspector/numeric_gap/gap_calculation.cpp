#include "inspector/numeric_gap/gap_calculation.h"

#include "backends/reference/interpreter.h"
#include "backends/reference/value_memory.h"
#include "etrecord/buffer_mutation.h"
#include "inspector/numeric_gap/border_orders.h"
#include "inspector/numeric_gap/first_divergence.h"
#include "inspector/numeric_gap/gap_rows.h"
#include "inspector/numeric_gap/lost_state.h"
#include "inspector/numeric_gap/own_error.h"
#include "inspector/numeric_gap/record_inputs.h"
#include "inspector/numeric_gap/unit_replays.h"
#include "inspector/numeric_gap/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <set>
#include <utility>

namespace et::inspector {
namespace {

using backends::reference::Interpreter;
using backends::reference::InterpreterOptions;
using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;
using backends::reference::ValueBudget;
using backends::reference::Weights;
using core::ErrorCode;
using core::Result;
using etrecord::NodeIndex;

/// A graph of the record with its computed values.
struct GraphRun {
    const etrecord::ExportedGraph* graph = nullptr;
    GraphValues values;
    std::map<std::string, core::DebugHandle, std::less<>> handles;  ///< of nodes without their own handle
};

bool haveSameShape(const ReferenceValue& left, const ReferenceValue& right) {
    const auto* one = left.as<ReferenceTensor>();
    const auto* other = right.as<ReferenceTensor>();
    return one != nullptr && other != nullptr && one->view.dtype() == other->view.dtype() &&
           std::ranges::equal(one->view.sizes(), other->view.sizes());
}

class Calculation {
  public:
    Calculation(const GapSources& from, const GapOptions& wanted)
        : sources(from),
          options(wanted),
          caches(from.cachesBefore == nullptr ? kernels::KvCaches(from.memoryBytes) : *from.cachesBefore),
          interpreting{.kernels = from.kernels,
                       .threads = from.threads,
                       .precision = wanted.precision,
                       .memoryBytes = from.memoryBytes,
                       .cancel = from.cancel,
                       .budget = std::make_shared<ValueBudget>(from.memoryBytes),
                       .caches = &caches} {}

    Result<std::shared_ptr<const NumericGap>> calculate();

  private:
    [[nodiscard]] std::set<core::DebugHandle> resultHandles() const;
    Result<> openEdge();
    Result<> runEdge();
    Result<> addStateRows();
    [[nodiscard]] Result<GraphRun> runExported() const;
    void useReferenceOutputs(GraphRun& run) const;
    void releasePages() const;
    void addRows(const etrecord::ExportedGraph& graph, std::span<const GraphOutput> outputs, GapGraph which);
    Result<bool> addExportedRows();
    Result<> addInstructionRows();
    Result<> addUnitRows();
    Result<> replayAll(std::span<const GapUnit> units);
    [[nodiscard]] bool agrees(const WholeCall& call) const;
    Result<> addRanking(const WholeCall& call);
    [[nodiscard]] std::vector<EventOutput> eventOutputs() const;
    [[nodiscard]] GapRow* rowOfInstruction(const GapUnit& unit);
    void attach(const GapUnit& unit, const Replay* replay);
    /// Returns the row in the form stored in the result.
    [[nodiscard]] GapRow kept(GapRow row) const;
    void finish();

    const GapSources& sources;
    const GapOptions& options;
    kernels::KvCaches caches;  ///< of the graphs
    InterpreterOptions interpreting;
    const etrecord::MethodMaps* maps = nullptr;
    std::unique_ptr<Interpreter> edge;
    std::optional<GraphWalk> walk;
    RuntimeValues runtime;  ///< in the graph's order of dimensions
    GraphValues values;
    std::size_t unplaced = 0;             ///< number of values without a node in the graph
    std::vector<LostFirstValues> lost;    ///< mutable buffers without first values in the program
    std::vector<GapRow> instructionRows;  ///< in reference order
    std::vector<GapRow> unitRows;         ///< in execution order
    NumericGap gap;
};

/// The handles that name the result of an instruction: the last ones of each, one per output.
std::set<core::DebugHandle> Calculation::resultHandles() const {
    std::set<core::DebugHandle> handles;
    for (const RuntimeCall& call : sources.runtime.calls) {
        const core::InstructionId id(call.instruction);
        const auto entry = maps->debugHandles.find(id);
        if (entry == maps->debugHandles.end()) {
            continue;
        }
        const auto count = maps->outputCounts.find(id);
        const std::int64_t outputs = count == maps->outputCounts.end() ? 1 : count->second;
        const HandleList& all = entry->second.handles;
        const auto kept = std::min(all.size(), static_cast<std::size_t>(std::max<std::int64_t>(1, outputs)));
        handles.insert(all.end() - static_cast<std::ptrdiff_t>(kept), all.end());
    }
    return handles;
}

/// Runs the Edge graph, and keeps all values that a row or a replay may need. Large values that depend only
/// on weights (dequantized, transposed) are computed again where a replay reads them, unless an instruction
/// computes them: together they are larger than the program.
Result<> Calculation::runEdge() {
    constexpr std::size_t smallBytes = std::size_t{64} * 1024;
    const std::set<core::DebugHandle> results = resultHandles();
    const auto isKept = [&](NodeIndex index, std::span<const ReferenceValue> outputs) {
        const bool isSmall = std::ranges::all_of(outputs, [](const ReferenceValue& each) {
            const auto* tensor = each.as<ReferenceTensor>();
            return tensor == nullptr || tensor->view.bytes() <= smallBytes;
        });
        return isSmall || !walk->isConstant(index) ||
               std::ranges::any_of(walk->node(index).debugHandles,
                                   [&](core::DebugHandle handle) { return results.contains(handle); });
    };
    ET_ASSIGN(values, runGraph(*edge, sources.inputs, isKept, sources.store));
    if (sources.cachesAfter != nullptr) {
        gap.caches = inspector::compareCaches(caches, *sources.cachesAfter);
    }
    for (const GapCache& cache : gap.caches) {
        if (cache.differs()) {
            gap.warnings.push_back(describe(cache));
        }
    }
    return {};
}

Result<> Calculation::openEdge() {
    ET_ASSIGN(edge, Interpreter::edge(sources.record, sources.method, interpreting, Weights::ReadByStep));
    maps = sources.record.maps(sources.method);
    if (maps == nullptr) {
        return core::fail(ErrorCode::NotFound,
                          fmt::format("the record has no debug handles for method {}", sources.method),
                          {.file = sources.record.file().name(), .field = {}, .offset = {}});
    }
    ET_TRY(setState(*edge, {}, sources.buffers));
    walk.emplace(edge->graph());
    runtime = sources.runtime;
    if (sources.program != nullptr) {
        const BorderOrders borders(edge->graph(), *sources.program);
        ET_ASSIGN(runtime, borders.asInGraph(std::move(runtime), *sources.program));
    }
    return {};
}

Result<> Calculation::addStateRows() {
    if (sources.program == nullptr || !sources.buffers.empty()) {
        return {};
    }
    ET_ASSIGN(lost, findLostFirstValues(sources.record, *sources.program, sources.memoryBytes));
    for (const LostFirstValues& each : lost) {
        ET_ASSIGN(GapRow row, inspector::rowOf(each, options.ownErrors));
        gap.rows.push_back(kept(std::move(row)));
        if (!options.ownErrors) {
            gap.warnings.push_back(
                fmt::format("the program has no first values for buffer \"{}\", whose values in the ETRecord "
                            "are not zero",
                            core::printable(each.buffer)));
        }
    }
    return {};
}

/// Replaces the interpreter's outputs with PyTorch's own where the record contains them.
void Calculation::useReferenceOutputs(GraphRun& run) const {
    const auto inputs = recordInputs(sources.record, sources.method, *run.graph,
                                     RecordInputKind::Representative, sources.memoryBytes);
    const auto outputs = referenceOutputs(sources.record, sources.method, sources.memoryBytes);
    if (!inputs || !outputs || !sameValues(inputs->values, sources.inputs)) {
        return;
    }
    std::vector<std::string> names;
    for (const etrecord::OutputSpec& spec : run.graph->outputSpecs) {
        if (spec.kind == "user_output" && !spec.value.empty()) {
            names.push_back(spec.value);
        }
    }
    for (std::size_t i = 0; i < names.size() && names.size() == outputs->size(); ++i) {
        const auto known = run.values.find(names[i]);
        if (known != run.values.end() && haveSameShape(known->second, (*outputs)[i])) {
            known->second = (*outputs)[i];
        }
    }
}

Result<GraphRun> Calculation::runExported() const {
    const auto id = sources.record.exportGraphId();
    if (sources.method != "forward" || !id) {
        return GraphRun{};
    }
    ET_ASSIGN(const etrecord::ExportedGraph* graph, sources.record.exportedProgram());
    if (graph == nullptr) {
        return GraphRun{};
    }
    GraphRun run{.graph = graph, .values = {}, .handles = handlesOfExported(*graph, edge->graph(), *id)};
    if (run.handles.empty()) {
        return GraphRun{};
    }
    ET_ASSIGN(const auto interpreter,
              Interpreter::exported(sources.record, interpreting, Weights::ReadByStep));
    const std::set<core::DebugHandle> results = comparedHandles(eventOutputs());
    const auto isCompared = [&](NodeIndex index, auto) {
        const auto known = run.handles.find(graph->nodes[index].name);
        return known != run.handles.end() && results.contains(known->second);
    };
    ValueStore* const store = mayWriteArguments(*graph) ? nullptr : sources.store;
    ET_ASSIGN(run.values, runGraph(*interpreter, sources.inputs, isCompared, store));
    useReferenceOutputs(run);
    return run;
}

std::vector<EventOutput> Calculation::eventOutputs() const {
    std::vector<EventOutput> events;
    for (const RuntimeCall& call : runtime.calls) {
        const core::InstructionId id(call.instruction);
        const auto entry = maps->debugHandles.find(id);
        if (entry == maps->debugHandles.end()) {
            continue;
        }
        const bool isKnown = std::ranges::any_of(entry->second.handles, [&](core::DebugHandle handle) {
            return !edge->graph().nodesOf(handle).empty();
        });
        const auto count = maps->outputCounts.find(id);
        if (isKnown) {
            events.push_back({.handles = entry->second.handles,
                              .instruction = call.instruction,
                              .name = call.name,
                              .values = call.values,
                              .outputs = count == maps->outputCounts.end() || count->second < 1
                                             ? 1
                                             : static_cast<std::size_t>(count->second),
                              .isDelegate = call.isDelegate()});
        }
    }
    return events;
}

void Calculation::addRows(const etrecord::ExportedGraph& graph, std::span<const GraphOutput> outputs,
                          GapGraph which) {
    for (const HandleMatch& match : matchHandles(outputs, eventOutputs())) {
        GapRow row = rowOf(match, graph, which);
        const auto delegate = maps->delegates.find(core::InstructionId(match.instruction));
        row.backend = delegate == maps->delegates.end() ? "" : delegate->second.backend;
        instructionRows.push_back(kept(std::move(row)));
        releasePages();
    }
}

void Calculation::releasePages() const {
    if (sources.store != nullptr) {
        sources.store->release();
    }
}

/// Runs the exported graph and adds its rows; its values are freed before the Edge graph runs. False if the
/// Edge graph is to be compared.
Result<bool> Calculation::addExportedRows() {
    if (options.reference == GapGraph::Edge) {
        return false;
    }
    const auto exported = runExported();
    if (!exported && exported.error().code == ErrorCode::Cancelled) {
        return std::unexpected(exported.error());
    }
    if (!exported || exported->graph == nullptr) {
        gap.warnings.push_back(
            exported ? "the Edge graph is compared: the record does not contain its exported program"
                     : "the Edge graph is compared: the exported program does not run: " +
                           exported.error().toString());
        return false;
    }
    addRows(*exported->graph, outputsByHandle(*exported->graph, exported->values, &exported->handles),
            GapGraph::Exported);
    return true;
}

Result<> Calculation::addInstructionRows() {
    ET_ASSIGN(const bool areAdded, addExportedRows());
    ET_TRY(runEdge());
    if (!areAdded) {
        addRows(edge->graph(), outputsByHandle(edge->graph(), values, nullptr), GapGraph::Edge);
    }
    return {};
}

/// The row that covers the unit's whole instruction, or null.
GapRow* Calculation::rowOfInstruction(const GapUnit& unit) {
    const auto found = std::ranges::find_if(instructionRows, [&](const GapRow& row) {
        return row.instruction == unit.instruction && row.runtimeOps.size() == 1;
    });
    return unit.where == GapLevel::Instruction && found != instructionRows.end() ? &*found : nullptr;
}

GapRow Calculation::kept(GapRow row) const {
    if (!options.keepsTensors) {
        dropTensors(row);
    }
    return row;
}

/// Adds the unit's row: that of its instruction if the unit covers all of it, else a separate one. If an
/// instruction has several outputs, its row shows the one that diverges.
void Calculation::attach(const GapUnit& unit, const Replay* replay) {
    std::vector<NodeIndex> nodes = replay == nullptr ? std::vector<NodeIndex>() : replay->nodes;
    for (const NodeIndex each : unit.place.nodes) {
        if (!std::ranges::contains(nodes, each)) {
            nodes.push_back(each);
        }
    }
    GapRow* row = rowOfInstruction(unit);
    if (row == nullptr) {
        unitRows.push_back(kept(inspector::rowOf(unit, *walk, values, nodes)));
        releasePages();
        row = &unitRows.back();
    }
    if (replay == nullptr || (row->own && (row->own->diverges || !replay->error.diverges))) {
        return;
    }
    row->own = replay->error;
    row->inputs = replay->inputs;
    row->edgeNodes.resize(nodes.size());
    std::ranges::transform(nodes, row->edgeNodes.begin(),
                           [&](NodeIndex each) { return walk->node(each).name; });
}

Result<> Calculation::replayAll(std::span<const GapUnit> units) {
    if (etrecord::hasMutations(walk->graph())) {
        edge.reset();  // it holds the state after the run
        ET_ASSIGN(edge, Interpreter::edge(sources.record, sources.method, interpreting, Weights::ReadByStep));
        ET_TRY(setState(*edge, lost, sources.buffers));
    }
    Replayer replayer(*edge, *walk, values, options.tolerance);
    ET_TRY(replayer.know(units));
    ET_ASSIGN(const std::vector<UnitReplay> replays, replayUnits(replayer, *walk, units, sources.store));
    for (std::size_t i = 0; i < units.size(); ++i) {
        const GapUnit& unit = units[i];
        if (replays[i].isMisplaced) {
            ++unplaced;
            continue;
        }
        if (replays[i].error) {
            gap.warnings.push_back(fmt::format("{} ({}): own error not computed: {}", unit.place.value,
                                               unit.op, replays[i].error->toString()));
        }
        attach(unit, replays[i].replay ? &*replays[i].replay : nullptr);
    }
    return {};
}

/// True if the outputs of the call are compared, and rounding explains their difference.
bool Calculation::agrees(const WholeCall& call) const {
    std::vector<bool> verdicts;
    for (const auto* rows : {&instructionRows, &unitRows}) {
        for (const GapRow& row : *rows) {
            if (row.instruction == call.instruction && row.own) {
                verdicts.push_back(!row.own->diverges);
            }
        }
    }
    return !verdicts.empty() && !std::ranges::contains(verdicts, false);
}

/// Adds rows for the nodes of a delegate that can only be compared as a whole, unless it agrees.
Result<> Calculation::addRanking(const WholeCall& call) {
    constexpr std::size_t mostRows = 20;
    if (call.content.outputs.empty() || call.content.nodes.size() < 2 || agrees(call)) {
        return {};
    }
    ET_ASSIGN(const SensitivityRanking ranking,
              rankNodes(*edge, *walk, values, call.content, {.progress = sources.ranked}));
    for (const NodeSensitivity& each : ranking.nodes | std::views::take(mostRows)) {
        GapRow row;
        row.place = GapLevel::Delegate;
        row.graph = GapGraph::Edge;
        row.instruction = call.instruction;
        row.backend = call.backend;
        row.sensitivity = each.factor;
        describeNodes(row, walk->graph(), std::array{each.node});
        row.referenceHandles = walk->node(each.node).debugHandles;
        row.referenceOps = {walk->node(each.node).name};
        row.edgeNodes = row.referenceOps;
        unitRows.push_back(std::move(row));
    }
    if (!ranking.nodes.empty()) {
        gap.warnings.push_back(
            fmt::format("instruction {} ({}) can only be compared as a whole: its nodes are ranked by how "
                        "much the outputs "
                        "depend on them ({} of {} measured, {} shown)",
                        call.instruction, call.backend, ranking.nodes.size(), ranking.candidates,
                        std::min(mostRows, ranking.nodes.size())));
    }
    return {};
}

Result<> Calculation::addUnitRows() {
    const bool isWanted = options.ownErrors || sources.program != nullptr || !sources.runtime.taps.empty();
    if (!isWanted) {
        return {};
    }
    ET_ASSIGN(const FoundUnits found, findUnits({.graph = *walk,
                                                 .reference = values,
                                                 .maps = *maps,
                                                 .runtime = runtime,
                                                 .method = sources.program,
                                                 .backends = sources.backends,
                                                 .store = sources.store}));
    unplaced = found.unplaced;
    if (options.ownErrors) {
        ET_TRY(replayAll(found.units));
        for (const WholeCall& call : found.whole) {
            ET_TRY(addRanking(call));
        }
    } else {
        for (const GapUnit& unit : found.units) {
            if (unit.where == GapLevel::Delegate) {
                attach(unit, nullptr);
            }
        }
    }
    if (unplaced > 0) {
        gap.warnings.push_back(
            fmt::format("{} values of the runtime do not match a single node of the graph; they are "
                        "included in the values computed from them",
                        unplaced));
    }
    return {};
}

/// Moves the rows of operators inside a call before the call's row.
void Calculation::finish() {
    for (GapRow& row : instructionRows) {
        const auto runsBefore = [&](const GapRow& unit) { return unit.instruction > row.instruction; };
        const auto rest = std::ranges::stable_partition(unitRows, runsBefore);
        // The remaining rows at the front run later.
        std::ranges::move(rest, std::back_inserter(gap.rows));
        unitRows.erase(rest.begin(), unitRows.end());
        gap.rows.push_back(std::move(row));
    }
    std::ranges::move(unitRows, std::back_inserter(gap.rows));
    findFirstDivergence(gap);
    warnOfSpecials(gap);
    for (const core::TapReport& report : sources.runtime.tapReports) {
        GapTaps taps{.instruction = report.instruction,
                     .values = report.values,
                     .changedOperators = report.changedOperators.size()};
        for (const core::TapOutputChange& change : report.changedOutputs) {
            taps.changedElements += change.elements;
        }
        gap.taps.push_back(taps);
        if (!report.failure.empty()) {
            gap.warnings.push_back(
                fmt::format("instruction {}: values inside the delegate are unavailable: {}",
                            report.instruction, report.failure));
        }
    }
    if (sources.runtime.leftOut > 0) {
        gap.warnings.push_back(fmt::format("{} runtime values are omitted", sources.runtime.leftOut));
    }
}

Result<std::shared_ptr<const NumericGap>> Calculation::calculate() {
    gap.method = sources.method;
    gap.inputs = sources.inputsName;
    ET_TRY(openEdge());
    ET_TRY(addStateRows());
    ET_TRY(addInstructionRows());
    ET_TRY(addUnitRows());
    finish();
    return std::make_shared<const NumericGap>(std::move(gap));
}

}  // namespace

Result<std::shared_ptr<const NumericGap>> calculateGap(const GapSources& sources, const GapOptions& options) {
    return Calculation(sources, options).calculate();
}

}  // namespace et::inspector
