#include "backends/reference/delegate_cut.h"

#include "backends/reference/node_values.h"

#include <algorithm>
#include <utility>

namespace et::backends::reference {
namespace {

using etrecord::NodeIndex;

/// Penalties for nodes that do not belong to the delegate.
constexpr double kernelsNode = 3;
constexpr double oneTooMany = 1;
constexpr double unreadInput = 1;
constexpr double unreadOutput = 0.5;
/// Lowering may duplicate a node for each of its readers, so the graph may have fewer.
constexpr double oneTooFew = 1.0 / 64;

/// Limit of tried combinations; with more, the result is unknown.
constexpr std::size_t maxChoices = 4'000;

}  // namespace

DelegateCut::DelegateCut(const etrecord::ExportedGraph& of, std::span<const core::DebugHandle> handles,
                         const std::set<NodeIndex>& others, const std::map<std::string, std::string>& tensors)
    : graph(of), kernels(others), own(tensors) {
    for (const core::DebugHandle handle : handles) {
        ++wanted[handle];
    }
    for (NodeIndex index = 0; index < graph.nodes.size(); ++index) {
        for (const etrecord::Argument& output : graph.nodes[index].outputs) {
            forNames(output, [&](const std::string& name) { producers.emplace(name, index); });
        }
        for (const etrecord::Argument& input : graph.nodes[index].inputs) {
            forNames(input, [&](const std::string& name) { readers[name].push_back(index); });
        }
    }
    for (const etrecord::Argument& output : graph.outputs) {
        forNames(output, [&](const std::string& name) { results.insert(name); });
    }
}

std::optional<DelegateCut::Subgraph> DelegateCut::between(std::span<const std::string> inputs,
                                                          std::span<const std::string> outputs) const {
    Subgraph found;
    std::vector<NodeIndex> open;
    bool isPossible = true;
    const auto reach = [&](const std::string& name) {
        if (name.empty()) {
            return;
        }
        if (std::ranges::contains(inputs, name) || own.contains(name)) {
            found.read.insert(name);
            return;
        }
        const auto producer = producers.find(name);
        if (producer == producers.end()) {
            isPossible = false;
        } else if (found.nodes.insert(producer->second).second) {
            open.push_back(producer->second);
        }
    };
    std::ranges::for_each(outputs, reach);
    while (isPossible && !open.empty()) {
        const NodeIndex index = open.back();
        open.pop_back();
        for (const etrecord::Argument& input : graph.nodes[index].inputs) {
            forNames(input, reach);
        }
    }
    return isPossible ? std::optional(std::move(found)) : std::nullopt;
}

/// Penalty for surplus and missing nodes of each handle.
double DelegateCut::handlesMisfit(const std::set<NodeIndex>& nodes) const {
    std::map<core::DebugHandle, std::size_t> counts;
    for (const NodeIndex index : nodes) {
        const auto& node = graph.nodes[index];
        if (!node.debugHandles.empty()) {
            ++counts[node.debugHandles.front()];
        }
    }
    const auto countOf = [](const auto& map, core::DebugHandle handle) {
        const auto found = map.find(handle);
        return found == map.end() ? std::size_t{0} : found->second;
    };
    double sum = 0;
    for (const auto& [handle, count] : counts) {
        const std::size_t allowed = wanted.empty() ? count : countOf(wanted, handle);
        sum += count > allowed ? oneTooMany * static_cast<double>(count - allowed) : 0;
    }
    for (const auto& [handle, count] : wanted) {
        const std::size_t there = countOf(counts, handle);
        sum += there < count ? oneTooFew * static_cast<double>(count - there) : 0;
    }
    return sum;
}

double DelegateCut::misfit(std::span<const std::string> inputs, std::span<const std::string> outputs) const {
    const auto cone = between(inputs, outputs);
    if (!cone) {
        return impossible;
    }
    const auto isKernels = [&](NodeIndex index) { return kernels.contains(index); };
    const auto isUnread = [&](const std::string& name) {
        return !name.empty() && !cone->read.contains(name);
    };
    const auto isNobodys = [&](const std::string& name) {
        const auto found = readers.find(name);
        const auto isInside = [&](NodeIndex reader) { return cone->nodes.contains(reader); };
        return !results.contains(name) &&
               (found == readers.end() || std::ranges::all_of(found->second, isInside));
    };
    return handlesMisfit(cone->nodes) +
           kernelsNode * static_cast<double>(std::ranges::count_if(cone->nodes, isKernels)) +
           unreadInput * static_cast<double>(std::ranges::count_if(inputs, isUnread)) +
           unreadOutput * static_cast<double>(std::ranges::count_if(outputs, isNobodys));
}

bool DelegateCut::isShared(const std::string& name) const {
    const auto producer = producers.find(name);
    if (producer == producers.end() || graph.nodes[producer->second].debugHandles.empty()) {
        return false;
    }
    const core::DebugHandle handle = graph.nodes[producer->second].debugHandles.front();
    const auto found = wanted.find(handle);
    return graph.nodesOf(handle).size() > (found == wanted.end() ? 0 : found->second);
}

std::vector<std::string> DelegateCut::choose(std::span<const std::vector<std::string>> candidates,
                                             const std::vector<bool>& isInput) const {
    std::vector<std::size_t> at(candidates.size(), 0);
    std::vector<std::string> best;
    double least = impossible;
    if (std::ranges::any_of(candidates, [](const auto& names) { return names.empty(); })) {
        return best;
    }
    for (std::size_t tried = 0; tried < maxChoices && least > 0; ++tried) {
        std::vector<std::string> chosen;
        std::vector<std::string> inputs;
        std::vector<std::string> outputs;
        for (std::size_t i = 0; i < at.size(); ++i) {
            chosen.push_back(candidates[i][at[i]]);
            (isInput[i] ? inputs : outputs).push_back(chosen.back());
        }
        const bool isOnce = std::set<std::string>(chosen.begin(), chosen.end()).size() == chosen.size();
        if (const double found = isOnce ? misfit(inputs, outputs) : impossible; found < least) {
            least = found;
            best = chosen;
        }
        // The last position varies fastest.
        std::size_t place = at.size();
        while (place > 0 && ++at[place - 1] == candidates[place - 1].size()) {
            at[--place] = 0;
        }
        if (place == 0) {
            break;
        }
    }
    return best;
}

}  // namespace et::backends::reference
