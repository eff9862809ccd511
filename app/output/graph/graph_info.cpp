#include "app/output/graph/graph_info.h"

#include "app/output/info/artifact_info.h"
#include "inspector/names/value_role.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace et::output {
namespace {

using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using inspector::DiagramBox;
using inspector::GraphView;

template <class Id>
Cell idCell(const std::optional<Id>& id) {
    return id ? Cell(std::uint64_t{id->value}) : Cell();
}

Dict nodeInfo(const GraphView& view, std::uint32_t index, const inspector::InstructionTimes& times) {
    const GraphNode& node = view.graph.nodes()[index];
    Dict out{{"node", std::uint64_t{index}},
             {"name", node.name},
             {"kind", node.kind},
             {"group", idCell(node.group)},
             {"inputs", numbersOf<std::uint64_t>(node.inputs)},
             {"outputs", numbersOf<std::uint64_t>(node.outputs)},
             {"instruction", node.instruction ? Cell(std::int64_t{node.instruction->value}) : Cell()},
             {"debug_handles", numbersOf<std::uint64_t>(node.debugHandles)},
             {"attributes", attributeInfo(node.attributes)}};
    if (!view.found.empty()) {
        out.emplace_back("found", bool{view.found[index]});
    }
    if (!times.times.empty()) {
        const auto time = node.instruction ? times.times.find(*node.instruction) : times.times.end();
        out.emplace_back("instruction_time", time == times.times.end() ? Cell() : Cell(time->second));
    }
    return out;
}

std::string typed(const GraphValue& value) {
    return value.type.empty() ? value.name : fmt::format("{} {}", value.name, value.type);
}

std::string names(const GraphView& view, const std::vector<GraphValueId>& ids) {
    constexpr std::size_t max = 8;
    std::string text;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i == max) {
            return text + fmt::format(", ... {} in total", ids.size());
        }
        text += (i == 0 ? "" : ", ") + view.graph.value(ids[i]).name;
    }
    return text;
}

/// "; stride=[2, 2], padding=[1, 1]": as many attributes as fit a line.
std::string attributesText(const GraphNode& node) {
    constexpr std::size_t longest = 100;
    std::string text;
    for (const core::GraphAttribute& each : node.attributes) {
        const std::string one = fmt::format("{}={}", each.name, each.text);
        if (text.size() + one.size() > longest) {
            return text + (text.empty() ? "; ..." : ", ...");
        }
        text += (text.empty() ? "; " : ", ") + one;
    }
    return text;
}

std::string nodeLine(const GraphView& view, const GraphNode& node) {
    std::string text =
        fmt::format("{} {}({}{})", node.name, node.kind, names(view, node.inputs), attributesText(node));
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        text += (i == 0 ? " -> " : ", ") + typed(view.graph.value(node.outputs[i]));
    }
    return core::printable(text);
}

class Outline {
  public:
    explicit Outline(const GraphView& of) : view(of) {}

    std::string write() {
        std::vector<std::size_t> path;
        for (const bool inputs : {true, false}) {
            for (std::size_t i = 0; i < view.diagram.boxes.size(); ++i) {
                if ((view.diagram.boxes[i].kind == DiagramBox::Kind::Input) == inputs) {
                    enter(view.diagram.boxes[i].parent, path);
                    writeBox(i, 2 * path.size());
                }
            }
        }
        return std::move(out);
    }

  private:
    /// Writes the headings of groups that are not yet open at this line.
    void enter(std::optional<std::size_t> group, std::vector<std::size_t>& path) {
        std::vector<std::size_t> wanted;
        for (auto each = group; each; each = view.diagram.groups[*each].parent) {
            wanted.push_back(*each);
        }
        std::ranges::reverse(wanted);
        const auto same = std::ranges::mismatch(path, wanted).in2 - wanted.begin();
        path = std::move(wanted);
        for (auto depth = static_cast<std::size_t>(same); depth < path.size(); ++depth) {
            const core::GraphGroup& opened = view.graph.group(view.diagram.groups[path[depth]].id);
            line(2 * depth, fmt::format("{}:", core::printable(inspector::groupName(opened))), {});
        }
    }

    void writeBox(std::size_t index, std::size_t indent) {
        const DiagramBox& box = view.diagram.boxes[index];
        const std::string& note = view.colours.notes[index];
        switch (box.kind) {
            case DiagramBox::Kind::Node:
                line(indent, nodeLine(view, view.graph.node(core::GraphNodeId(box.id))), note);
                break;
            case DiagramBox::Kind::Group:
                line(indent,
                     fmt::format("+ {} ({})", core::printable(view.labels[index].title),
                                 view.labels[index].detail),
                     note);
                break;
            case DiagramBox::Kind::Input:
            case DiagramBox::Kind::Output:
                line(indent,
                     core::printable(
                         fmt::format("{}: {}", view.labels[index].title, view.labels[index].detail)),
                     note);
                break;
        }
    }

    void line(std::size_t indent, std::string_view text, std::string_view note) {
        fmt::format_to(std::back_inserter(out), "{:{}}{}{}{}\n", "", indent, text, note.empty() ? "" : "  # ",
                       note);
    }

    const GraphView& view;
    std::string out;
};

}  // namespace

Dict attributeInfo(const std::vector<core::GraphAttribute>& attributes) {
    Dict out;
    for (const core::GraphAttribute& each : attributes) {
        out.emplace_back(each.name, each.text);
    }
    return out;
}

std::vector<bool> shownNodes(const core::ModelGraph& graph, const inspector::Diagram& diagram) {
    std::vector<bool> shown(graph.nodes().size());
    for (const DiagramBox& box : diagram.boxes) {
        for (const core::GraphNodeId id : box.nodes) {
            shown[id.value] = true;
        }
    }
    return shown;
}

Dict graphInfo(const GraphView& view, const inspector::InstructionTimes& times) {
    const std::vector<bool> shown = shownNodes(view.graph, view.diagram);
    List nodes;
    for (std::uint32_t i = 0; i < shown.size(); ++i) {
        if (shown[i]) {
            nodes.emplace_back(nodeInfo(view, i, times));
        }
    }
    List values;
    for (const GraphValue& value : view.graph.values()) {
        values.emplace_back(Dict{{"name", value.name},
                                 {"type", value.type},
                                 {"role", std::string(inspector::roleName(value.role))},
                                 {"bytes", value.bytes},
                                 {"producer", idCell(value.producer)},
                                 {"consumers", numbersOf<std::uint64_t>(value.consumers)},
                                 {"attributes", attributeInfo(value.attributes)}});
    }
    List groups;
    for (const core::GraphGroup& group : view.graph.groups()) {
        groups.emplace_back(Dict{{"name", group.name},
                                 {"kind", group.kind},
                                 {"parent", idCell(group.parent)},
                                 {"attributes", attributeInfo(group.attributes)}});
    }
    Dict out{{"name", view.graph.name}};
    if (!times.times.empty()) {
        out.emplace_back("time_unit", times.unit);
    }
    append(out, {{"nodes", std::move(nodes)}, {"values", std::move(values)}, {"groups", std::move(groups)}});
    return out;
}

std::string graphOutline(const GraphView& view, bool onlyFound) {
    if (!onlyFound) {
        return Outline(view).write();
    }
    std::string text;
    for (std::size_t i = 0; i < view.found.size(); ++i) {
        if (view.found[i]) {
            text += nodeLine(view, view.graph.nodes()[i]) + "\n";
        }
    }
    return text;
}

}  // namespace et::output
