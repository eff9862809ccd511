#include "inspector/graph/simplify.h"

#include "inspector/graph/detail/non_computing_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace et::inspector {

using core::GraphGroupId;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

namespace {

using Kinds = std::map<std::string_view, std::size_t>;

/// Sibling modules with nearly the same content.
struct Repeat {
    std::string name;                        ///< "layers.0 … layers.5 × 6"
    std::vector<core::GraphGroupId> groups;  ///< at least two, ordered by number
};

constexpr std::size_t mostDifferent = 10;  // one in this many

/// A name with a number in it: "layers.", 3, "".
struct CountedName {
    std::string_view before;
    std::uint32_t number = 0;
    std::string_view after;
};

/// Splits a name at its last numeric component, such as the index of a module in a list; nothing without one.
std::optional<CountedName> countedName(std::string_view name) {
    for (std::size_t end = name.size();;) {
        const std::size_t dot = end == 0 ? std::string_view::npos : name.rfind('.', end - 1);
        const std::size_t start = dot == std::string_view::npos ? 0 : dot + 1;
        const std::string_view part = name.substr(start, end - start);
        CountedName counted{.before = name.substr(0, start), .after = name.substr(end)};
        const auto [rest, error] = std::from_chars(part.data(), part.data() + part.size(), counted.number);
        if (!part.empty() && error == std::errc() && rest == part.data() + part.size()) {
            return counted;
        }
        if (dot == std::string_view::npos) {
            return std::nullopt;
        }
        end = dot;
    }
}

/// Number of operators by kind in each group, including nested groups.
std::vector<Kinds> kindsOfGroups(const ModelGraph& graph) {
    std::vector<Kinds> kinds(graph.groups().size());
    for (const core::GraphNode& node : graph.nodes()) {
        if (node.group) {
            ++kinds[node.group->value][node.kind];
        }
    }
    // Groups come after their parents.
    for (std::size_t i = kinds.size(); i-- > 0;) {
        if (const auto parent = graph.groups()[i].parent) {
            for (const auto& [kind, count] : kinds[i]) {
                kinds[parent->value][kind] += count;
            }
        }
    }
    return kinds;
}

bool areAlike(const Kinds& a, const Kinds& b) {
    std::size_t all = 0;
    std::size_t different = 0;
    for (const auto& [kind, count] : a) {
        const auto other = b.find(kind);
        const std::size_t there = other == b.end() ? 0 : other->second;
        all += std::max(count, there);
        different += std::max(count, there) - std::min(count, there);
    }
    for (const auto& [kind, count] : b) {
        if (!a.contains(kind)) {
            all += count;
            different += count;
        }
    }
    return all > 0 && different * mostDifferent <= all;
}

std::string repeatName(const ModelGraph& graph, const std::vector<GraphGroupId>& groups) {
    return fmt::format("{} … {} × {}", graph.group(groups.front()).name, graph.group(groups.back()).name,
                       groups.size());
}

/// Finds modules whose names differ in one consecutive number and whose operators are the same, with at most
/// one in ten differing.
std::vector<Repeat> findRepeats(const ModelGraph& graph) {
    using Family = std::tuple<std::optional<GraphGroupId>, std::string_view, std::string_view>;
    std::map<Family, std::vector<std::pair<std::uint32_t, GraphGroupId>>> families;
    for (std::uint32_t i = 0; i < graph.groups().size(); ++i) {
        const core::GraphGroup& group = graph.groups()[i];
        const auto counted = group.kind == "module" ? countedName(group.name) : std::nullopt;
        if (counted) {
            families[{group.parent, counted->before, counted->after}].emplace_back(counted->number,
                                                                                   GraphGroupId(i));
        }
    }
    const std::vector<Kinds> kinds = kindsOfGroups(graph);
    std::vector<Repeat> repeats;
    for (auto& [family, members] : families) {
        std::ranges::sort(members);
        std::vector<GraphGroupId> run;
        const auto finish = [&] {
            if (run.size() > 1) {
                repeats.push_back({.name = repeatName(graph, run), .groups = run});
            }
            run.clear();
        };
        std::uint32_t last = 0;
        for (const auto& [number, group] : members) {
            const bool goesOn =
                !run.empty() && number == last + 1 && areAlike(kinds[run.front().value], kinds[group.value]);
            if (!goesOn) {
                finish();
            }
            run.push_back(group);
            last = number;
        }
        finish();
    }
    return repeats;
}

/// The graph without its hidden nodes. Values keep their ids; values that are no longer used are not inputs.
ModelGraph withoutPlumbing(const ModelGraph& graph, std::size_t& hidden) {
    const graph::detail::NonComputingNodes plumbing = graph::detail::findNonComputing(graph);
    const auto adopted = graph::detail::adoptedGroups(graph, plumbing);
    ModelGraph out;
    out.name = graph.name;
    for (const core::GraphGroup& group : graph.groups()) {
        out.addGroup(group);
    }
    for (const GraphValue& value : graph.values()) {
        GraphValue copy = value;
        copy.producer.reset();
        copy.consumers.clear();
        out.addValue(std::move(copy));
    }
    for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
        if (plumbing.hidden[i]) {
            ++hidden;
            continue;
        }
        GraphNode node = graph.nodes()[i];
        for (GraphValueId& input : node.inputs) {
            input = plumbing.standIn[input.value];
        }
        node.group = node.group ? node.group : adopted[i];
        out.addNode(std::move(node));
    }
    for (std::uint32_t i = 0; i < out.values().size(); ++i) {
        const GraphValue& value = out.values()[i];
        const bool used = !value.consumers.empty() || graph.values()[i].consumers.empty();
        if (!used && value.role == GraphValue::Role::Input) {
            out.setRole(GraphValueId(i), GraphValue::Role::Intermediate);
        }
    }
    return out;
}

/// Repeat of each node, from the groups around it.
std::vector<std::optional<std::size_t>> repeatsOfNodes(
    const ModelGraph& graph, const std::vector<std::optional<std::size_t>>& repeatOf) {
    std::vector<std::optional<std::size_t>> of;
    for (const GraphNode& node : graph.nodes()) {
        std::optional<std::size_t> repeat;
        for (auto group = node.group; group && !repeat; group = graph.group(*group).parent) {
            repeat = repeatOf[group->value];
        }
        of.push_back(repeat);
    }
    return of;
}

/// Assigns delegates outside all modules that run between modules of one repeat to it, in `repeatOf`.
void adoptDelegates(const ModelGraph& graph, std::vector<std::optional<std::size_t>>& repeatOf) {
    const auto ofNode = repeatsOfNodes(graph, repeatOf);
    struct Around {
        std::optional<std::size_t> repeat{};
        bool follows = false;   ///< uses a value of the repeat
        bool precedes = false;  ///< makes a value for the repeat
        bool others = false;    ///< connected to a node outside the repeat, or in another one
    };
    std::map<GraphGroupId, Around> delegates;
    const auto meet = [&](Around& around, const GraphNode& node, core::GraphNodeId other, bool isBefore) {
        if (graph.node(other).group != node.group) {
            const auto repeat = ofNode[other.value];
            around.follows |= isBefore;
            around.precedes |= !isBefore;
            around.others |= !repeat || (around.repeat && around.repeat != repeat);
            around.repeat = repeat;
        }
    };
    for (const GraphNode& node : graph.nodes()) {
        if (!node.group || graph.group(*node.group).parent || graph.group(*node.group).kind != "delegate") {
            continue;
        }
        Around& around = delegates[*node.group];
        for (const GraphValueId input : node.inputs) {
            if (const auto producer = graph.value(input).producer) {
                meet(around, node, *producer, true);
            }
        }
        for (const GraphValueId output : node.outputs) {
            for (const core::GraphNodeId consumer : graph.value(output).consumers) {
                meet(around, node, consumer, false);
            }
        }
    }
    for (const auto& [group, around] : delegates) {
        if (around.repeat && around.follows && around.precedes && !around.others) {
            repeatOf[group.value] = around.repeat;
        }
    }
}

/// The graph with a group around each repeat; groups still come after their parents.
ModelGraph withRepeats(const ModelGraph& graph, const std::vector<Repeat>& repeats) {
    std::vector<std::optional<std::size_t>> repeatOf(graph.groups().size());
    for (std::size_t i = 0; i < repeats.size(); ++i) {
        for (const GraphGroupId group : repeats[i].groups) {
            repeatOf[group.value] = i;
        }
    }
    adoptDelegates(graph, repeatOf);
    ModelGraph out;
    out.name = graph.name;
    std::vector<GraphGroupId> places;
    std::vector<std::optional<GraphGroupId>> around(repeats.size());
    for (std::size_t i = 0; i < graph.groups().size(); ++i) {
        core::GraphGroup group = graph.groups()[i];
        group.parent = group.parent ? std::optional(places[group.parent->value]) : std::nullopt;
        if (const auto repeat = repeatOf[i]) {
            if (!around[*repeat]) {
                around[*repeat] = out.addGroup(core::GraphGroup{
                    .name = repeats[*repeat].name, .parent = group.parent, .kind = repeatKind});
            }
            group.parent = around[*repeat];
        }
        places.push_back(out.addGroup(std::move(group)));
    }
    for (const GraphValue& value : graph.values()) {
        GraphValue copy = value;
        copy.producer.reset();
        copy.consumers.clear();
        out.addValue(std::move(copy));
    }
    for (GraphNode node : graph.nodes()) {
        node.group = node.group ? std::optional(places[node.group->value]) : std::nullopt;
        out.addNode(std::move(node));
    }
    return out;
}

}  // namespace

SimplifiedGraph simplified(const ModelGraph& graph, const SimplifyOptions& options) {
    SimplifiedGraph result{.graph = graph};
    if (options.hideNonComputing) {
        result.graph = withoutPlumbing(graph, result.hidden);
    }
    if (options.foldRepeats) {
        const std::vector<Repeat> repeats = findRepeats(result.graph);
        result.repeats = repeats.size();
        if (!repeats.empty()) {
            result.graph = withRepeats(result.graph, repeats);
        }
    }
    return result;
}

}  // namespace et::inspector
