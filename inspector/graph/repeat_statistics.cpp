#include "inspector/graph/repeat_statistics.h"

#include "inspector/format/quantities.h"
#include "inspector/format/time_scale.h"
#include "inspector/graph/graph_labels.h"
#include "inspector/graph/simplify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace et::inspector {

using core::GraphGroupId;
using core::GraphNodeId;
using core::ModelGraph;

namespace {

constexpr std::size_t mostOperators = 12;
constexpr std::size_t nowhere = ~std::size_t{0};

/// Member of each node; `nowhere` for others.
std::vector<std::size_t> membersOfNodes(const ModelGraph& graph, const std::vector<GraphGroupId>& members) {
    std::vector<std::size_t> ofGroup(graph.groups().size(), nowhere);
    for (std::size_t i = 0; i < members.size(); ++i) {
        ofGroup[members[i].value] = i;
    }
    // Groups come after their parents.
    for (std::size_t i = 0; i < ofGroup.size(); ++i) {
        const auto parent = graph.groups()[i].parent;
        if (ofGroup[i] == nowhere && parent) {
            ofGroup[i] = ofGroup[parent->value];
        }
    }
    std::vector<std::size_t> ofNode;
    for (const core::GraphNode& node : graph.nodes()) {
        ofNode.push_back(node.group ? ofGroup[node.group->value] : nowhere);
    }
    return ofNode;
}

/// Adds the number to those of a member or an operator.
void addAmount(std::optional<double>& to, double amount, const GraphNumbers& numbers) {
    to = !to ? amount : numbers.adds ? *to + amount : std::max(*to, amount);
}

/// The member that contains all nodes of a part.
std::size_t memberOf(const PartNumber& part, const std::vector<std::size_t>& ofNode) {
    std::size_t member = nowhere;
    for (const GraphNodeId node : part.nodes) {
        const std::size_t here = ofNode[node.value];
        if (here == nowhere || (member != nowhere && here != member)) {
            return nowhere;
        }
        member = here;
    }
    return member;
}

/// Nodes of each member by kind, in order.
using Nodes = std::vector<GraphNodeId>;
std::vector<std::map<std::string, Nodes>> nodesByKind(const ModelGraph& graph,
                                                      const std::vector<std::size_t>& ofNode,
                                                      std::size_t members) {
    std::vector<std::map<std::string, Nodes>> kinds(members);
    for (std::size_t i = 0; i < ofNode.size(); ++i) {
        if (ofNode[i] != nowhere) {
            kinds[ofNode[i]][graph.nodes()[i].kind].emplace_back(static_cast<std::uint32_t>(i));
        }
    }
    return kinds;
}

/// Numbers by node; for parts with several nodes, assigned to the first.
std::map<GraphNodeId, double> amountsOfNodes(const GraphNumbers& numbers) {
    std::map<GraphNodeId, double> amounts;
    for (const PartNumber& part : numbers.parts) {
        if (!part.nodes.empty()) {
            const auto [place, fresh] = amounts.try_emplace(part.nodes.front(), part.amount);
            place->second = fresh          ? part.amount
                            : numbers.adds ? place->second + part.amount
                                           : std::max(place->second, part.amount);
        }
    }
    return amounts;
}

void addOperators(RepeatStatistics& statistics, const ModelGraph& graph,
                  const std::vector<std::size_t>& ofNode, const GraphNumbers& numbers) {
    const auto kinds = nodesByKind(graph, ofNode, statistics.members.size());
    const std::map<GraphNodeId, double> amounts = amountsOfNodes(numbers);
    for (const auto& [kind, first] : kinds.front()) {
        for (std::size_t place = 0; place < first.size(); ++place) {
            RepeatedOperator repeated{
                .kind = first.size() > 1 ? fmt::format("{} #{}", kind, place + 1) : kind, .amounts = {}};
            for (const auto& member : kinds) {
                const auto there = member.find(kind);
                if (there == member.end() || place >= there->second.size()) {
                    break;
                }
                const auto known = amounts.find(there->second[place]);
                repeated.amounts.push_back(known == amounts.end() ? std::nullopt
                                                                  : std::optional(known->second));
            }
            if (repeated.amounts.size() == kinds.size()) {
                statistics.operators.push_back(std::move(repeated));
            }
        }
    }
}

void addUnlike(RepeatStatistics& statistics, const ModelGraph& graph,
               const std::vector<std::size_t>& ofNode) {
    std::vector<std::ptrdiff_t> counts(statistics.members.size(), 0);
    for (const std::size_t member : ofNode) {
        if (member != nowhere) {
            ++counts[member];
        }
    }
    const auto nameOf = [&](std::size_t member) {
        return groupName(graph.group(statistics.members[member]));
    };
    for (std::size_t i = 1; i < counts.size(); ++i) {
        const std::ptrdiff_t more = counts[i] - counts[0];
        if (more != 0) {
            statistics.unlike.push_back(fmt::format("{}: {} {} {} than {}", nameOf(i), std::abs(more),
                                                    std::abs(more) == 1 ? "node" : "nodes",
                                                    more > 0 ? "more" : "fewer", nameOf(0)));
        }
    }
}

/// Minimum, median and maximum of the known amounts, and the member with the maximum.
struct Spread {
    double least = 0;
    double median = 0;
    double most = 0;
    std::size_t mostAt = 0;
};
std::optional<Spread> computeSpread(const MemberAmounts& amounts) {
    std::vector<double> known;
    Spread spread;
    for (std::size_t i = 0; i < amounts.size(); ++i) {
        if (amounts[i]) {
            spread.mostAt = known.empty() || *amounts[i] > spread.most ? i : spread.mostAt;
            spread.most = known.empty() ? *amounts[i] : std::max(spread.most, *amounts[i]);
            known.push_back(*amounts[i]);
        }
    }
    if (known.empty()) {
        return std::nullopt;
    }
    std::ranges::sort(known);
    const std::size_t middle = known.size() / 2;
    spread.least = known.front();
    spread.median = known.size() % 2 == 1 ? known[middle] : (known[middle - 1] + known[middle]) / 2;
    return spread;
}

std::string amountText(double amount, const GraphNumbers& numbers) {
    if (const auto scale = timeScaleFromName(numbers.unit)) {
        return format::readableTime(amount, *scale);
    }
    return fmt::format("{:.4g}{}{}", amount, numbers.unit.empty() ? "" : " ", numbers.unit);
}

std::string spreadText(const Spread& spread, const std::string& most, const GraphNumbers& numbers) {
    return fmt::format("median {}, {} to {} ({})", amountText(spread.median, numbers),
                       amountText(spread.least, numbers), amountText(spread.most, numbers), most);
}

/// The operators that differ most among the members, sorted by difference.
DetailSection operatorSection(const ModelGraph& graph, const RepeatStatistics& statistics,
                              const GraphNumbers& numbers) {
    std::vector<std::pair<double, const RepeatedOperator*>> byDifference;
    for (const RepeatedOperator& each : statistics.operators) {
        if (const auto spread = computeSpread(each.amounts)) {
            byDifference.emplace_back(spread->most - spread->least, &each);
        }
    }
    std::ranges::stable_sort(byDifference, std::ranges::greater{},
                             &std::pair<double, const RepeatedOperator*>::first);
    byDifference.resize(std::min(byDifference.size(), mostOperators));
    DetailSection section{.title = "Operators that differ most"};
    for (const auto& [difference, each] : byDifference) {
        const Spread spread = *computeSpread(each->amounts);
        section.rows.emplace_back(
            each->kind,
            spreadText(spread, std::string(groupName(graph.group(statistics.members[spread.mostAt]))),
                       numbers));
    }
    return section;
}

}  // namespace

std::optional<RepeatStatistics> repeatStatistics(const ModelGraph& graph, GraphGroupId group,
                                                 const GraphNumbers& numbers) {
    if (graph.group(group).kind != repeatKind) {
        return std::nullopt;
    }
    RepeatStatistics statistics;
    for (std::uint32_t i = 0; i < graph.groups().size(); ++i) {
        // Groups between the modules, such as a delegate shared by all of them, are not members.
        if (graph.groups()[i].parent == group && graph.groups()[i].kind == "module") {
            statistics.members.emplace_back(i);
        }
    }
    if (statistics.members.empty()) {
        return std::nullopt;
    }
    const std::vector<std::size_t> ofNode = membersOfNodes(graph, statistics.members);
    statistics.amounts.resize(statistics.members.size());
    for (const PartNumber& part : numbers.parts) {
        if (const std::size_t member = memberOf(part, ofNode); member != nowhere) {
            addAmount(statistics.amounts[member], part.amount, numbers);
        }
    }
    addOperators(statistics, graph, ofNode, numbers);
    addUnlike(statistics, graph, ofNode);
    return statistics;
}

std::vector<DetailSection> repeatSections(const ModelGraph& graph, GraphGroupId group,
                                          const GraphNumbers& numbers) {
    std::vector<DetailSection> sections;
    const auto statistics = repeatStatistics(graph, group, numbers);
    if (!statistics) {
        return sections;
    }
    DetailSection members{.title =
                              numbers.parts.empty() ? "Repeats" : fmt::format("Repeats, {}", numbers.title)};
    const auto nameOf = [&](std::size_t at) {
        return std::string(groupName(graph.group(statistics->members[at])));
    };
    const auto spread = computeSpread(statistics->amounts);
    if (spread) {
        members.rows.emplace_back("each", spreadText(*spread, nameOf(spread->mostAt), numbers));
    }
    for (std::size_t i = 0; i < statistics->members.size(); ++i) {
        const auto& amount = statistics->amounts[i];
        members.rows.emplace_back(nameOf(i), !amount || !spread ? std::string("not measured separately")
                                             : spread->median == 0
                                                 ? amountText(*amount, numbers)
                                                 : fmt::format("{} ({:+.1f} %)", amountText(*amount, numbers),
                                                               100 * (*amount / spread->median - 1)));
    }
    for (const std::string& each : statistics->unlike) {
        members.rows.emplace_back("differs", each);
    }
    sections.push_back(std::move(members));
    if (DetailSection operators = operatorSection(graph, *statistics, numbers); !operators.rows.empty()) {
        sections.push_back(std::move(operators));
    }
    return sections;
}

}  // namespace et::inspector
