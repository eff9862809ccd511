#include "app/tasks/debug/edge_sites.h"

#include "etrecord/exported_graph.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>

namespace et::tasks {
namespace {

using core::DebugHandle;
using etrecord::ExportedGraph;
using etrecord::NodeIndex;

/// Names of values in an argument or result.
std::vector<std::string_view> valuesIn(const std::vector<etrecord::Argument>& arguments) {
    std::vector<std::string_view> names;
    for (const etrecord::Argument& each : arguments) {
        if (const auto* const one = std::get_if<etrecord::ValueRef>(&each.value)) {
            names.push_back(one->name);
        } else if (const auto* const list =
                       std::get_if<std::vector<std::optional<etrecord::ValueRef>>>(&each.value)) {
            for (const auto& item : *list) {
                if (item) {
                    names.push_back(item->name);
                }
            }
        }
    }
    return names;
}

/// Data flow between the Edge nodes of a delegate call.
class DelegateFlow {
  public:
    DelegateFlow(const ExportedGraph& edge, const InstructionSite& call) : graph(edge) {
        for (std::size_t i = 0; i < call.inside.size(); ++i) {
            for (const DebugHandle handle : call.inside[i].origin.handles) {
                operators.try_emplace(handle, i);
            }
        }
        std::unordered_map<std::string_view, NodeIndex> producers;
        for (const DebugHandle handle : call.origin.handles) {
            for (const NodeIndex index : graph.nodesOf(handle)) {
                for (const std::string_view name : valuesIn(graph.nodes[index].outputs)) {
                    producers.emplace(name, index);
                }
                before.try_emplace(index);
            }
        }
        for (auto& [index, sources] : before) {
            for (const std::string_view name : valuesIn(graph.nodes[index].inputs)) {
                if (const auto found = producers.find(name); found != producers.end()) {
                    sources.push_back(found->second);
                    after[found->second].push_back(index);
                }
            }
        }
    }

    /// Index in InstructionSite::inside of the nearest operator: before the node, else after it.
    [[nodiscard]] std::optional<std::size_t> nearest(NodeIndex node) const {
        const auto found = search(node, before);
        return found ? found : search(node, after);
    }

  private:
    using Edges = std::map<NodeIndex, std::vector<NodeIndex>>;

    [[nodiscard]] std::optional<std::size_t> search(NodeIndex from, const Edges& edges) const {
        std::deque<NodeIndex> next{from};
        std::unordered_set<NodeIndex> seen{from};
        for (; !next.empty(); next.pop_front()) {
            for (const DebugHandle handle : graph.nodes[next.front()].debugHandles) {
                if (const auto found = operators.find(handle); found != operators.end()) {
                    return found->second;
                }
            }
            const auto neighbours = edges.find(next.front());
            for (const NodeIndex each :
                 neighbours == edges.end() ? std::vector<NodeIndex>() : neighbours->second) {
                if (seen.insert(each).second) {
                    next.push_back(each);
                }
            }
        }
        return std::nullopt;
    }

    const ExportedGraph& graph;
    std::map<DebugHandle, std::size_t> operators;
    Edges before;
    Edges after;
};

/// Adds the nodes with these handles, which no operator inside the delegate call has.
void addFused(EdgeSites& found, const MethodIndex& method, const InstructionSite& call,
              const std::vector<DebugHandle>& handles) {
    const DelegateFlow flow(*method.edgeGraph(), call);
    for (const DebugHandle handle : handles) {
        for (const NodeIndex index : method.edgeGraph()->nodesOf(handle)) {
            const BreakSite into = siteOf(method, call, flow.nearest(index));
            found.sites.push_back(into);
            found.fused.push_back({.name = method.edgeGraph()->nodes[index].name, .into = into});
        }
    }
}

/// Handles that operators inside delegates have.
std::unordered_set<DebugHandle> handlesInside(const MethodIndex& method) {
    std::unordered_set<DebugHandle> all;
    for (const InstructionSite& site : method.sites()) {
        for (const DelegateOperator& each : site.inside) {
            all.insert(each.origin.handles.begin(), each.origin.handles.end());
        }
    }
    return all;
}

bool hasAny(const OperatorOrigin& origin, const std::unordered_set<DebugHandle>& wanted) {
    return std::ranges::any_of(origin.handles, [&](DebugHandle each) { return wanted.contains(each); });
}

}  // namespace

EdgeSites edgeSites(const MethodIndex& method, const std::vector<DebugHandle>& handles) {
    const std::unordered_set<DebugHandle> wanted(handles.begin(), handles.end());
    const std::unordered_set<DebugHandle> inside = handlesInside(method);
    EdgeSites found;
    for (const InstructionSite& site : method.sites()) {
        for (std::size_t i = 0; i < site.inside.size(); ++i) {
            if (hasAny(site.inside[i].origin, wanted)) {
                found.sites.push_back(siteOf(method, site, i));
            }
        }
        std::vector<DebugHandle> others;
        std::ranges::copy_if(site.origin.handles, std::back_inserter(others), [&](DebugHandle each) {
            return wanted.contains(each) && !inside.contains(each);
        });
        if (others.empty()) {
            continue;
        }
        if (site.inside.empty() || method.edgeGraph() == nullptr) {
            found.sites.push_back(siteOf(method, site));
        } else {
            addFused(found, method, site, others);
        }
    }
    std::ranges::sort(found.sites);
    const auto rest = std::ranges::unique(found.sites);
    found.sites.erase(rest.begin(), rest.end());
    return found;
}

}  // namespace et::tasks
