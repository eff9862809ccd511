#include "inspector/graph/graph_dot.h"

#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <iterator>

namespace et::inspector {
namespace {

/// A DOT string: quotes and backslashes escaped, line breaks as \n.
std::string dotString(std::string_view text) {
    std::string out = "\"";
    for (const char each : core::utf8Repaired(text)) {
        if (each == '"' || each == '\\') {
            out += '\\';
        }
        const bool control = static_cast<unsigned char>(each) < 0x20;
        out += each == '\n' ? "\\n" : control ? std::string("?") : std::string(1, each);
    }
    return out + "\"";
}

class DotText {
  public:
    explicit DotText(const GraphView& of)
        : view(of),
          found(foundBoxes(of)),
          members(of.diagram.groups.size()),
          inner(of.diagram.groups.size()) {}

    std::string write() {
        append(
            "digraph {} {{\n  rankdir={};\n  node [shape=box style=\"filled,rounded\" fillcolor=\"#eaeef2\" "
            "fontname=\"sans-serif\"];\n",
            dotString(view.graph.name), view.leftToRight ? "LR" : "TB");
        for (std::size_t i = 0; i < view.diagram.boxes.size(); ++i) {
            const auto& parent = view.diagram.boxes[i].parent;
            (parent ? members[*parent] : loose).push_back(i);
        }
        for (std::size_t i = 0; i < view.diagram.groups.size(); ++i) {
            const auto& parent = view.diagram.groups[i].parent;
            (parent ? inner[*parent] : outermost).push_back(i);
        }
        writeBoxes(loose);
        for (const std::size_t group : outermost) {
            writeGroup(group);
        }
        for (const DiagramEdge& edge : view.diagram.edges) {
            append("  n{} -> n{} [tooltip={}];\n", edge.from, edge.to,
                   dotString(edgeTooltip(view.graph, edge)));
        }
        append("}}\n");
        return std::move(out);
    }

  private:
    template <class... Arguments>
    void append(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out), text, std::forward<Arguments>(arguments)...);
    }

    void writeBoxes(const std::vector<std::size_t>& boxes) {
        for (const std::size_t i : boxes) {
            const BoxLabel& label = view.labels[i];
            std::string words = label.title;
            for (const std::string* more : {&label.detail, &view.colours.notes[i]}) {
                words += more->empty() ? "" : "\n" + *more;
            }
            append("  n{} [label={} tooltip={}", i, dotString(words), dotString(label.tooltip));
            const std::string& fill = view.colours.fills[i];
            append("{}{}];\n", fill.empty() ? "" : fmt::format(" fillcolor=\"{}\"", fill),
                   found[i] ? " color=\"#cf222e\" penwidth=3" : "");
        }
    }

    void writeGroup(std::size_t index) {
        append("  subgraph cluster_{} {{ label={};\n", index,
               dotString(groupName(view.graph.group(view.diagram.groups[index].id))));
        writeBoxes(members[index]);
        for (const std::size_t each : inner[index]) {
            writeGroup(each);
        }
        append("  }}\n");
    }

    const GraphView& view;
    std::vector<bool> found;
    std::vector<std::vector<std::size_t>> members;
    std::vector<std::vector<std::size_t>> inner;
    std::vector<std::size_t> loose;
    std::vector<std::size_t> outermost;
    std::string out;
};

}  // namespace

std::string graphDot(const GraphView& view) {
    return DotText(view).write();
}

}  // namespace et::inspector
