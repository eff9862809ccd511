#include "inspector/delegates/delegates.h"

#include "inspector/delegates/placement.h"
#include "inspector/delegates/times.h"
#include "inspector/events/event_fields.h"
#include "inspector/join/delegate_operators.h"
#include "inspector/join/handle_resolver.h"
#include "inspector/join/inner_handles.h"
#include "inspector/join/instruction_keys.h"
#include "inspector/memory/measured_memory.h"
#include "inspector/names/operator_names.h"
#include "inspector/session/record_check.h"
#include "runtime/executor/module_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_set>
#include <utility>
#include <variant>

namespace et::inspector {

using join::detail::InstructionKey;

namespace {

using core::ErrorCode;
using core::Result;

using Handles = std::vector<core::DebugHandle>;

/// An operator of a call over all runs, with its handles if its events or the record's map contain them.
struct Traced {
    std::string_view name;
    double time = 0;
    std::optional<Handles> handles{};
};

/// Empty optional: unknown. Empty list: known to have none.
std::optional<Handles> handlesOf(const Event& event, const etdump::Trace& trace) {
    if (auto written = join::detail::metadataHandles(trace.metadata(event.profileEvents.front()))) {
        return written;
    }
    const bool isMapped = event.handleSource == HandleSource::DelegateMap && !event.handles.empty();
    if (isMapped || event.handleSource == HandleSource::DelegatePayload) {
        return Handles(event.handles.begin(), event.handles.end());
    }
    return std::nullopt;
}

/// The operators of each call in execution order.
std::map<InstructionKey, std::vector<Traced>> tracedOperators(const EventBlocks& blocks,
                                                              std::string_view method, bool onlyMethod) {
    std::map<InstructionKey, std::vector<Traced>> calls;
    for (const Block& block : blocks.blocks()) {
        if (block.method.empty() ? !onlyMethod : block.method != method) {
            continue;
        }
        for (const Event& event : block.events) {
            if (!event.delegated || event.samples.empty() || event.profileEvents.empty()) {
                continue;
            }
            auto& operators = calls[{event.chain, event.instruction}];
            auto known = std::ranges::find(operators, event.name, &Traced::name);
            if (known == operators.end()) {
                operators.push_back({.name = event.name, .handles = handlesOf(event, blocks.trace())});
                known = operators.end() - 1;
            }
            known->time += event.typical();
        }
    }
    return calls;
}

class Reconciler {
  public:
    Reconciler(MethodDelegates& into, const DelegateSources& from)
        : method(into),
          sources(from),
          graph(from.record == nullptr ? nullptr : from.record->edgeGraph(into.method->name)) {}

    void reconcile(DelegateReport& report, DelegateCallSite& call, std::vector<Traced> traced) const {
        findByName(executor::findBackend(sources.backends, report.delegate->backend), report, traced);
        const executor::Backend* speaker =
            join::detail::backendOfOperators(sources.backends, namesOf(traced), report.delegate->backend);
        CallParts parts{.whole = call.time.value_or(0)};
        const auto runs = static_cast<double>(method.times->runs);
        for (const Traced& each : traced) {
            TimedOperator timed{.name = std::string(each.name), .time = each.time / runs};
            const bool layout = isLayout(speaker, each.name);
            timed.handles = ownHandles(each, call, layout);
            timed.nodes = nodesOf(timed.handles);
            const bool isNamed = graph == nullptr ? !timed.handles.empty() : !timed.nodes.empty();
            const bool isKnown = each.handles.has_value() && timed.handles.empty();
            timed.is = isNamed             ? TimedOperator::Is::EdgeNodes
                       : isKnown && layout ? TimedOperator::Is::Layout
                                           : TimedOperator::Is::Unknown;
            parts.of(timed.is) += timed.time;
            call.operators.push_back(std::move(timed));
        }
        call.parts = parts;
    }

  private:
    /// Its own handles; or, for an operator without handles (a normalization that the exporter converted to a
    /// convolution), those of the call if the whole call computes a single node.
    static Handles ownHandles(const Traced& traced, const DelegateCallSite& call, bool layout) {
        if (traced.handles && !traced.handles->empty()) {
            return *traced.handles;
        }
        const bool isOne =
            !call.handles.empty() && std::ranges::all_of(call.handles, [&](core::DebugHandle each) {
                return each == call.handles.front();
            });
        return isOne && !layout ? Handles{call.handles.front()} : Handles();
    }

    static std::vector<std::string_view> namesOf(const std::vector<Traced>& traced) {
        std::vector<std::string_view> names;
        std::ranges::transform(traced, std::back_inserter(names), &Traced::name);
        return names;
    }

    /// Derives handles from names alone, via the backend, for operators without other information.
    static void findByName(const executor::Backend* backend, const DelegateReport& report,
                           std::vector<Traced>& traced) {
        const auto isUnknown = [](const Traced& each) { return !each.handles; };
        if (!report.graph || backend == nullptr || std::ranges::none_of(traced, isUnknown)) {
            return;
        }
        auto found = join::detail::handlesByName(*backend, *report.delegate, *report.graph, namesOf(traced));
        for (std::size_t i = 0; i < traced.size(); ++i) {
            if (!traced[i].handles) {
                traced[i].handles = std::move(found[i]);
            }
        }
    }

    /// Whether an operator only moves or converts elements, as added by exporters and backends.
    static bool isLayout(const executor::Backend* backend, std::string_view name) {
        if (backend == nullptr) {
            return false;
        }
        const executor::TraceConventions& traits = backend->traceConventions();
        return std::ranges::any_of(traits.layouts, [type = traits.type(name)](std::string_view layout) {
            return type.starts_with(layout);
        });
    }

    [[nodiscard]] std::vector<const etrecord::Node*> nodesOf(const Handles& handles) const {
        std::vector<const etrecord::Node*> nodes;
        std::unordered_set<const etrecord::Node*> seen;
        for (const core::DebugHandle handle : handles) {
            for (const etrecord::NodeIndex index :
                 graph == nullptr ? std::span<const etrecord::NodeIndex>() : graph->nodesOf(handle)) {
                if (seen.insert(&graph->nodes[index]).second) {
                    nodes.push_back(&graph->nodes[index]);
                }
            }
        }
        return nodes;
    }

    MethodDelegates& method;
    const DelegateSources& sources;
    const etrecord::ExportedGraph* graph;
};

/// Attributes the time of every measured delegate call (DelegateCallSite::operators, parts) if the delegate
/// traced its operators. Requires MethodDelegates::times. An operator's nodes are found from the metadata of
/// its event, from the record's map, or from the names of all operators of the call, if the backend supports
/// that.
void reconcile(MethodDelegates& method, const DelegateSources& sources, bool onlyMethod) {
    if (!method.times || sources.blocks == nullptr) {
        return;
    }
    auto traced = tracedOperators(*sources.blocks, method.method->name, onlyMethod);
    const Reconciler reconciler(method, sources);
    for (DelegateReport& report : method.delegates) {
        for (DelegateCallSite& call : report.calls) {
            const auto found = traced.find({static_cast<std::int64_t>(call.chain), call.instruction});
            if (found != traced.end() && call.time) {
                reconciler.reconcile(report, call, std::move(found->second));
            }
        }
    }
}

/// Splits the arguments of delegate calls into inputs and outputs, which the format does not distinguish: an
/// output is a trailing argument that nothing has written before.
class ArgumentSplitter {
  public:
    explicit ArgumentSplitter(const program::Method& method) : written(method.values.size()) {
        for (std::size_t i = 0; i < method.values.size(); ++i) {
            const auto* tensor = method.values[i].as<program::TensorInfo>();
            written[i] = tensor == nullptr || tensor->initialData != program::InitialData::None;
        }
        for (const program::ValueId input : method.inputs) {
            written[input.value] = true;
        }
    }

    void split(const std::vector<program::ValueId>& arguments, DelegateCallSite& site) const {
        const auto firstOutput =
            std::ranges::find_last_if(arguments, [this](program::ValueId id) { return written[id.value]; });
        const auto middle = firstOutput.empty() ? arguments.begin() : firstOutput.begin() + 1;
        site.inputs.assign(arguments.begin(), middle);
        site.outputs.assign(middle, arguments.end());
    }

    void pass(const program::Instruction& instruction) {
        std::visit([this](const auto& each) { mark(each); }, instruction);
    }

  private:
    void mark(const program::MoveCall& call) { written[call.to.value] = true; }
    void mark(const program::JumpFalseCall&) {}
    void mark(const program::FreeCall&) {}
    void mark(const auto& call) {
        for (const program::ValueId id : call.args) {
            written[id.value] = true;
        }
    }

    std::vector<bool> written;
};

/// Adds the memory of the method's delegates recorded in the trace.
void takeMemory(MethodDelegates& method, const etdump::Trace& trace) {
    const auto measured = measuredMemory(trace, *method.method);
    for (std::size_t i = 0; i < method.delegates.size() && !measured.empty(); ++i) {
        const auto taken = [&](executor::MemoryKind kind) { return bytesOf(measured, kind, i).value_or(0); };
        method.delegates[i].packedWeights = taken(executor::MemoryKind::DelegatePackedWeights);
        method.delegates[i].workspace = taken(executor::MemoryKind::DelegateWorkspace);
    }
}

class Joiner {
  public:
    explicit Joiner(const DelegateSources& from)
        : sources(from), blobs(from.program, from.tensorData), data(from.program, from.tensorData) {}

    Result<DelegationReport> join() {
        for (const program::Method& method : sources.program.methods) {
            if (sources.method.empty() || sources.method == method.name) {
                ET_ASSIGN(MethodDelegates joined, joinMethod(method));
                report.methods.push_back(std::move(joined));
            }
        }
        if (report.methods.empty() && !sources.method.empty()) {
            return core::fail(ErrorCode::NotFound, fmt::format("the program has no method \"{}\"",
                                                               core::printable(sources.method)));
        }
        return std::move(report);
    }

  private:
    Result<MethodDelegates> joinMethod(const program::Method& method) {
        MethodDelegates out{.method = &method};
        for (const program::Delegate& delegate : method.delegates) {
            out.delegates.push_back(describe(delegate, method.name));
        }
        findCalls(method, out.delegates);
        const auto wrong = sources.record == nullptr ? std::nullopt : contradiction(*sources.record, method);
        if (wrong) {
            report.warnings.push_back(*wrong);
        }
        const join::detail::MethodView view =
            wrong ? join::detail::MethodView{.name = method.name} : viewOf(method);
        out.recorded = view.graph != nullptr;
        join::detail::HandleResolver resolver(view, nullptr, false, lists, handles);
        for (DelegateReport& each : out.delegates) {
            for (DelegateCallSite& call : each.calls) {
                ET_TRY(resolve(resolver, view, call));
            }
        }
        const bool counted = view.maps != nullptr && view.graph != nullptr;
        out.operatorSource = counted ? PlacementSource::EdgeGraph : PlacementSource::Instructions;
        out.operators = placements(method, out.delegates, view.maps, view.graph);
        if (sources.blocks != nullptr) {
            const bool only = sources.program.methods.size() == 1 || sources.method == method.name;
            measure(out, *sources.blocks, only, report.warnings);
            reconcile(out, sources, only);
            takeMemory(out, sources.blocks->trace());
        }
        return out;
    }

    /// Methods may share a payload, which is parsed only once.
    DelegateReport describe(const program::Delegate& delegate, std::string_view method) {
        if (delegate.payload.empty()) {
            return look(delegate, method);
        }
        const auto [known, fresh] = described.try_emplace({delegate.payload.data(), delegate.payload.size()});
        if (fresh) {
            known->second = look(delegate, method);
        } else if (!sameSettings(*known->second.delegate, delegate)) {
            return look(delegate, method);
        }
        DelegateReport out = known->second;
        out.delegate = &delegate;
        return out;
    }

    static bool sameSettings(const program::Delegate& left, const program::Delegate& right) {
        const auto same = [](const program::CompileSpec& a, const program::CompileSpec& b) {
            return a.key == b.key && std::ranges::equal(a.value, b.value);
        };
        return left.backend == right.backend &&
               std::ranges::equal(left.compileSpecs, right.compileSpecs, same);
    }

    DelegateReport look(const program::Delegate& delegate, std::string_view method) const {
        DelegateReport out{.delegate = &delegate,
                           .format = backends::payloadFormat(delegate.payload),
                           .contents = backends::listedContents(delegate, data),
                           .namedData = blobs.usedBy(delegate, method)};
        const executor::Backend* backend = executor::findBackend(sources.backends, delegate.backend);
        if (backend == nullptr) {
            out.unknown = "this build does not support the format";
            return out;
        }
        out.mapsPositions = backend->traceConventions().mapsPositions;
        auto graph = backend->describe(delegate, data);
        if (graph) {
            out.graph = std::make_shared<const core::ModelGraph>(std::move(*graph));
        } else {
            out.unknown = graph.error().toString();
        }
        return out;
    }

    static void findCalls(const program::Method& method, std::vector<DelegateReport>& delegates) {
        ArgumentSplitter splitter(method);
        for (std::size_t chain = 0; chain < method.chains.size(); ++chain) {
            const auto& instructions = method.chains[chain].instructions;
            for (std::size_t i = 0; i < instructions.size(); ++i) {
                if (const auto* call = std::get_if<program::DelegateCall>(&instructions[i])) {
                    DelegateCallSite site{.chain = chain,
                                          .instruction = core::InstructionId(static_cast<std::int32_t>(i))};
                    splitter.split(call->args, site);
                    delegates[call->delegate.value].calls.push_back(std::move(site));
                }
                splitter.pass(instructions[i]);
            }
        }
    }

    join::detail::MethodView viewOf(const program::Method& method) const {
        if (sources.record == nullptr) {
            return {.name = method.name};
        }
        return {.name = method.name,
                .maps = sources.record->maps(method.name),
                .graph = sources.record->edgeGraph(method.name)};
    }

    static Result<> resolve(join::detail::HandleResolver& resolver, const join::detail::MethodView& view,
                            DelegateCallSite& call) {
        Event event;
        event.name = names::detail::delegateCall;
        event.instruction = call.instruction;
        ET_TRY(resolver.resolve(event));
        call.handles.assign(event.handles.begin(), event.handles.end());
        Block block;
        block.graph = view.graph;
        call.nodes = events::nodesOf(block, event);
        return {};
    }

    const DelegateSources& sources;
    NamedBlobs blobs;
    executor::ModuleData data;
    join::detail::NodeLists lists;
    join::detail::HandleLists handles;
    std::map<std::pair<const std::byte*, std::size_t>, DelegateReport> described;  ///< by payload
    DelegationReport report;
};

}  // namespace

Result<DelegationReport> delegatesOf(const DelegateSources& sources) {
    return Joiner(sources).join();
}

}  // namespace et::inspector
