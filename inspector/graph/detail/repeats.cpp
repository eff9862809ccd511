#include "inspector/graph/detail/repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace et::inspector::graph::detail {

using core::GraphGroupId;
using core::ModelGraph;

namespace {

constexpr std::size_t mostDifferent = 10;  // one in this many

using Kinds = std::map<std::string_view, std::size_t>;

/// A name with a number in it: "layers.", 3, "".
struct CountedName {
    std::string_view before;
    std::uint32_t number = 0;
    std::string_view after;
};

/// Splits a name at its last numeric component, as of modules in a list; empty: there is none.
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

}  // namespace

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

}  // namespace et::inspector::graph::detail
