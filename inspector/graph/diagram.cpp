#include "inspector/graph/diagram.h"

#include "inspector/graph/simplify.h"

#include <queue>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace et::inspector {

using core::GraphGroupId;
using core::GraphNodeId;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

namespace {

/// Direct children of a group.
struct Content {
    std::size_t boxes = 0;  ///< number of shown nodes and groups
    std::vector<GraphGroupId> groups{};
};

/// Decides which groups are open.
class Opening {
  public:
    Opening(const ModelGraph& of, const DiagramOptions& how, const std::vector<bool>& shownNodes)
        : graph(of), options(how), contents(of.groups().size()), open(of.groups().size()) {
        std::vector<bool> used(graph.groups().size());
        for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
            if (shownNodes[i]) {
                count(graph.nodes()[i].group, used);
            }
        }
    }

    std::vector<bool> decide() {
        openNamed();
        std::size_t boxes = countBoxes();
        while (!waiting.empty()) {
            const GraphGroupId id(std::get<2>(waiting.top()));
            waiting.pop();
            const std::size_t after = boxes + contents[id.value].boxes - 1;
            if (!options.expandAll && after > options.budget) {
                continue;
            }
            boxes = after;
            open[id.value] = true;
            enqueue(contents[id.value].groups, depthOf(id) + 1);
        }
        return std::move(open);
    }

  private:
    /// Counts a node, or a group with a node in it, as a child of `group`.
    void count(std::optional<GraphGroupId> group, std::vector<bool>& used) {
        std::optional<GraphGroupId> inner;
        while (true) {
            Content& content = group ? contents[group->value] : top;
            ++content.boxes;
            if (inner) {
                content.groups.push_back(*inner);
            }
            if (!group || used[group->value]) {
                return;
            }
            used[group->value] = true;
            inner = group;
            group = graph.group(*group).parent;
        }
    }

    void openNamed() {
        for (const GraphGroupId id : options.expand) {
            for (std::optional<GraphGroupId> each = id; each; each = graph.group(*each).parent) {
                open[each->value] = true;
            }
        }
    }

    /// Number of visible boxes; queues the closed groups among them for opening.
    std::size_t countBoxes() {
        std::size_t boxes = 0;
        std::vector<std::pair<const Content*, std::size_t>> visit{{&top, 0}};
        while (!visit.empty()) {
            const auto [content, depth] = visit.back();
            visit.pop_back();
            boxes += content->boxes;
            for (const GraphGroupId id : content->groups) {
                if (open[id.value]) {
                    --boxes;
                    visit.emplace_back(&contents[id.value], depth + 1);
                }
            }
            enqueue(content->groups, depth);
        }
        return boxes;
    }

    void enqueue(const std::vector<GraphGroupId>& groups, std::size_t depth) {
        for (const GraphGroupId id : groups) {
            // Repeats stay closed until the user opens them.
            const bool repeats = !options.expandAll && graph.group(id).kind == repeatKind;
            if (!open[id.value] && !repeats && !std::ranges::contains(options.collapse, id)) {
                waiting.emplace(depth, contents[id.value].boxes, id.value);
            }
        }
    }

    [[nodiscard]] std::size_t depthOf(GraphGroupId id) const {
        std::size_t depth = 0;
        for (auto each = graph.group(id).parent; each; each = graph.group(*each).parent) {
            ++depth;
        }
        return depth;
    }

    using Waiting = std::tuple<std::size_t, std::size_t, std::uint32_t>;  ///< depth, boxes, group

    const ModelGraph& graph;
    const DiagramOptions& options;
    std::vector<Content> contents;
    Content top;
    std::vector<bool> open;
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
};

class Drawing {
  public:
    Drawing(const ModelGraph& of, std::vector<bool> shownNodes, std::vector<bool> groupIsOpen)
        : graph(of),
          shown(std::move(shownNodes)),
          open(std::move(groupIsOpen)),
          boxOfNode(of.nodes().size()) {}

    Diagram draw() {
        for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
            if (shown[i]) {
                boxOfNode[i] = addNode(GraphNodeId(i));
            } else {
                ++diagram.hidden;
            }
        }
        for (std::uint32_t i = 0; i < graph.values().size(); ++i) {
            addValue(GraphValueId(i));
        }
        for (auto& [ends, values] : edges) {
            diagram.edges.push_back({.from = ends.first, .to = ends.second, .values = std::move(values)});
        }
        return std::move(diagram);
    }

  private:
    /// The box of a node: its own, or that of the outermost closed group around it.
    std::size_t addNode(GraphNodeId id) {
        std::optional<GraphGroupId> closed;
        std::optional<GraphGroupId> innermost = graph.node(id).group;
        for (auto each = innermost; each; each = graph.group(*each).parent) {
            if (!open[each->value]) {
                closed = each;
            }
        }
        if (!closed) {
            return addBox({.kind = DiagramBox::Kind::Node,
                           .id = id.value,
                           .parent = groupAt(innermost),
                           .nodes = {id}});
        }
        const auto [known, fresh] = boxOfGroup.try_emplace(closed->value);
        if (fresh) {
            known->second = addBox({.kind = DiagramBox::Kind::Group,
                                    .id = closed->value,
                                    .parent = groupAt(graph.group(*closed).parent)});
        }
        diagram.boxes[known->second].nodes.push_back(id);
        return known->second;
    }

    /// Index of the open group; adds the groups around it first.
    std::optional<std::size_t> groupAt(std::optional<GraphGroupId> id) {
        if (!id) {
            return std::nullopt;
        }
        if (const auto known = openGroups.find(id->value); known != openGroups.end()) {
            return known->second;
        }
        const std::optional<std::size_t> parent = groupAt(graph.group(*id).parent);
        diagram.groups.push_back({.id = *id, .parent = parent});
        openGroups.emplace(id->value, diagram.groups.size() - 1);
        return diagram.groups.size() - 1;
    }

    std::size_t addBox(DiagramBox box) {
        diagram.boxes.push_back(std::move(box));
        return diagram.boxes.size() - 1;
    }

    void addValue(GraphValueId id) {
        const GraphValue& value = graph.value(id);
        const bool constant = value.role == GraphValue::Role::Constant;
        std::optional<std::size_t> from;
        if (value.producer && shown[value.producer->value]) {
            from = boxOfNode[value.producer->value];
        } else if (!value.producer && value.role == GraphValue::Role::Input) {
            from = addBox({.kind = DiagramBox::Kind::Input, .id = id.value});
        }
        if (!from || constant) {
            return;
        }
        for (const GraphNodeId consumer : value.consumers) {
            if (shown[consumer.value] && boxOfNode[consumer.value] != *from) {
                connect(*from, boxOfNode[consumer.value], id);
            }
        }
        if (value.role == GraphValue::Role::Output) {
            connect(*from, addBox({.kind = DiagramBox::Kind::Output, .id = id.value}), id);
        }
    }

    void connect(std::size_t from, std::size_t to, GraphValueId value) {
        std::vector<GraphValueId>& values = edges[{from, to}];
        if (values.empty() || values.back() != value) {
            values.push_back(value);
        }
    }

    const ModelGraph& graph;
    std::vector<bool> shown;
    std::vector<bool> open;
    std::vector<std::size_t> boxOfNode;
    std::unordered_map<std::uint32_t, std::size_t> boxOfGroup;
    std::unordered_map<std::uint32_t, std::size_t> openGroups;
    std::map<std::pair<std::size_t, std::size_t>, std::vector<GraphValueId>> edges;
    Diagram diagram;
};

/// Drops inputs that no shown box uses, if only a part of the graph is drawn.
void dropLonelyInputs(Diagram& diagram) {
    std::vector<bool> connected(diagram.boxes.size());
    for (const DiagramEdge& edge : diagram.edges) {
        connected[edge.from] = true;
    }
    std::vector<std::size_t> places(diagram.boxes.size());
    std::vector<DiagramBox> kept;
    for (std::size_t i = 0; i < diagram.boxes.size(); ++i) {
        places[i] = kept.size();
        if (connected[i] || diagram.boxes[i].kind != DiagramBox::Kind::Input) {
            kept.push_back(std::move(diagram.boxes[i]));
        }
    }
    diagram.boxes = std::move(kept);
    for (DiagramEdge& edge : diagram.edges) {
        edge.from = places[edge.from];
        edge.to = places[edge.to];
    }
}

/// Drops frames with a single member, except those of delegates.
void dropSingleFrames(const ModelGraph& graph, Diagram& diagram) {
    std::vector<std::size_t> members(diagram.groups.size());
    for (const DiagramBox& box : diagram.boxes) {
        if (box.parent) {
            ++members[*box.parent];
        }
    }
    for (const DiagramGroup& group : diagram.groups) {
        if (group.parent) {
            ++members[*group.parent];
        }
    }
    std::vector<std::optional<std::size_t>> places(diagram.groups.size());  // index of the remaining frame
    std::vector<DiagramGroup> kept;
    for (std::size_t i = 0; i < diagram.groups.size(); ++i) {
        const DiagramGroup& group = diagram.groups[i];
        const auto outer = group.parent ? places[*group.parent] : std::nullopt;
        if (members[i] == 1 && graph.group(group.id).kind != "delegate") {
            places[i] = outer;
        } else {
            places[i] = kept.size();
            kept.push_back({.id = group.id, .parent = outer});
        }
    }
    diagram.groups = std::move(kept);
    for (DiagramBox& box : diagram.boxes) {
        box.parent = box.parent ? places[*box.parent] : std::nullopt;
    }
}

}  // namespace

DiagramBox boxOfGroup(const ModelGraph& graph, GraphGroupId group) {
    DiagramBox box{.kind = DiagramBox::Kind::Group, .id = group.value};
    for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
        auto around = graph.nodes()[i].group;
        while (around && around != group) {
            around = graph.group(*around).parent;
        }
        if (around) {
            box.nodes.emplace_back(i);
        }
    }
    return box;
}

std::optional<GraphGroupId> groupAround(const ModelGraph& graph, const DiagramBox& box) {
    switch (box.kind) {
        case DiagramBox::Kind::Node:
            return graph.node(GraphNodeId(box.id)).group;
        case DiagramBox::Kind::Group:
            return graph.group(GraphGroupId(box.id)).parent;
        case DiagramBox::Kind::Input:
        case DiagramBox::Kind::Output:
            break;
    }
    return std::nullopt;
}

std::vector<GraphNodeId> neighbourhood(const ModelGraph& graph, const std::vector<GraphNodeId>& from,
                                       std::size_t depth) {
    std::vector<bool> reached(graph.nodes().size());
    std::vector<bool> crossed(graph.values().size());
    std::vector<GraphNodeId> front = from;
    for (const GraphNodeId id : from) {
        reached[id.value] = true;
    }
    for (std::size_t step = 0; step < depth && !front.empty(); ++step) {
        std::vector<GraphNodeId> next;
        const auto reach = [&](GraphNodeId id) {
            if (!reached[id.value]) {
                reached[id.value] = true;
                next.push_back(id);
            }
        };
        const auto cross = [&](GraphValueId id) {
            const GraphValue& value = graph.value(id);
            if (crossed[id.value] || value.role == GraphValue::Role::Constant) {
                return;
            }
            crossed[id.value] = true;
            if (value.producer) {
                reach(*value.producer);
            }
            std::ranges::for_each(value.consumers, reach);
        };
        for (const GraphNodeId id : front) {
            std::ranges::for_each(graph.node(id).inputs, cross);
            std::ranges::for_each(graph.node(id).outputs, cross);
        }
        front = std::move(next);
    }
    std::vector<GraphNodeId> nodes;
    for (std::uint32_t i = 0; i < reached.size(); ++i) {
        if (reached[i]) {
            nodes.emplace_back(i);
        }
    }
    return nodes;
}

Diagram Diagram::of(const ModelGraph& graph, const DiagramOptions& options) {
    std::vector<bool> shown(graph.nodes().size(), options.around.empty());
    if (!options.around.empty()) {
        for (const GraphNodeId id : neighbourhood(graph, options.around, options.depth)) {
            shown[id.value] = true;
        }
    }
    const std::vector<bool> open = Opening(graph, options, shown).decide();
    Diagram diagram = Drawing(graph, std::move(shown), open).draw();
    for (std::uint32_t i = 0; i < open.size(); ++i) {
        if (open[i]) {
            diagram.open.emplace_back(i);
        }
    }
    if (!options.around.empty()) {
        dropLonelyInputs(diagram);
    }
    dropSingleFrames(graph, diagram);
    return diagram;
}

}  // namespace et::inspector
