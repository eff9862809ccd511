#include "inspector/delegates/reconcile.h"

#include "inspector/join/delegate_operators.h"
#include "inspector/join/inner_handles.h"
#include "inspector/join/metadata_handles.h"
#include "inspector/join/places.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace et::inspector {
namespace {

using join::detail::Place;
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
std::map<Place, std::vector<Traced>> tracedOperators(const EventBlocks& blocks, std::string_view method,
                                                     bool onlyMethod) {
    std::map<Place, std::vector<Traced>> calls;
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
        const executor::TraceTraits& traits = backend->traceTraits();
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

}  // namespace

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

}  // namespace et::inspector
