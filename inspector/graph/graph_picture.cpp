#include "inspector/graph/graph_picture.h"

#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace et::inspector {

using format::SvgPicture;
using format::TextAnchor;

namespace {

// In points.
constexpr double widestBox = 260;
constexpr double narrowestBox = 48;
/// Space for a note that is not always shown.
constexpr double noteWidth = 96;
constexpr double margin = 14;
constexpr double legendRow = 20;

constexpr std::string_view styles =
    ".box rect{stroke:#57606a;stroke-width:.8;fill:#eaeef2}.box .t{font-size:12px;fill:#111111}"
    ".box .d{font-size:10px;fill:#3d444d}.box.folded rect{stroke-width:1.6}"
    ".box.end rect{stroke-dasharray:3 2;fill:#ffffff}.box:hover rect{stroke:#0969da;stroke-width:2}"
    ".box.found rect{stroke:#cf222e;stroke-width:3}.group rect{fill:#8c959f;fill-opacity:.10;"
    "stroke:#8c959f;stroke-width:1}.group.delegate rect{fill:#0969da;fill-opacity:.08;stroke:#0969da}"
    ".group text{font-size:11px}.edge path.l{fill:none;stroke:#6e7781;stroke-width:1}"
    ".edge path.a{fill:#6e7781}.edge:hover path.l{stroke:#0969da;stroke-width:2.5}.bold{font-weight:bold}";

/// Second line of a box with a line for its name.
const std::string& nameOrNote(const GraphView& view, std::size_t box) {
    const std::string& note = view.colours.notes[box];
    return note.empty() ? view.labels[box].name : note;
}

double heightOf(std::size_t lines) {
    return boxMetrics.titleLine + static_cast<double>(lines - 1) * boxMetrics.detailLine + 6;
}

/// Size of a box for these lines.
LayoutRequest::Node sized(const std::vector<std::string>& lines) {
    double words = format::textWidth(lines[0], boxMetrics.titleSize);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        words = std::max(words, format::textWidth(lines[i], boxMetrics.detailSize));
    }
    return {.width = std::max(words + 2 * boxMetrics.padding, narrowestBox),
            .height = heightOf(lines.size()),
            .group = {}};
}

/// Size of a box whose second line changes with the colours.
LayoutRequest::Node sizedForNotes(const GraphView& view, std::size_t box) {
    const BoxLabel& label = view.labels[box];
    const double inner = widestBox - 2 * boxMetrics.padding;
    const bool isNode = view.diagram.boxes[box].kind == DiagramBox::Kind::Node;
    const bool hasNotes = isNode || view.diagram.boxes[box].kind == DiagramBox::Kind::Group;
    std::vector<std::string> lines{format::fittedText(label.title, inner, boxMetrics.titleSize)};
    if (hasNotes) {
        lines.push_back(format::fittedText(label.name, inner, boxMetrics.detailSize));
    }
    if (!label.detail.empty()) {
        lines.push_back(format::fittedText(label.detail, inner, boxMetrics.detailSize));
    }
    LayoutRequest::Node size = sized(lines);
    size.width = hasNotes ? std::max(size.width, noteWidth + 2 * boxMetrics.padding) : size.width;
    return size;
}

class Painter {
  public:
    Painter(const GraphView& of, const GraphLayout& at)
        : view(of),
          layout(at),
          legend(placeLegend()),
          width(std::max(layout.width + 2 * margin, legendWidth)),
          offsetX((width - layout.width) / 2),
          offsetY(legendHeight + margin),
          found(foundBoxes(of)),
          picture(width, offsetY + layout.height + margin, styles) {}

    std::string paint() {
        paintLegend();
        for (std::size_t i = 0; i < view.diagram.groups.size(); ++i) {
            paintGroup(i);
        }
        for (std::size_t i = 0; i < view.diagram.edges.size(); ++i) {
            paintEdge(i);
        }
        for (std::size_t i = 0; i < view.diagram.boxes.size(); ++i) {
            paintBox(i);
        }
        return std::move(picture).finish();
    }

  private:
    struct LegendPlace {
        double x;
        double y;
    };

    /// Rows of legend entries as wide as the image, with a readable minimum width.
    std::vector<LegendPlace> placeLegend() {
        constexpr double narrowest = 640;
        constexpr double square = 12;
        const double right = std::max(layout.width + margin, narrowest);
        std::vector<LegendPlace> places;
        double x = margin;
        double y = margin + legendRow;
        for (const LegendEntry& entry : view.colours.legend) {
            const double wide = square + 20 + format::textWidth(entry.text, 11);
            if (x > margin && x + wide > right) {
                x = margin;
                y += legendRow;
            }
            places.push_back({.x = x, .y = y});
            x += wide;
            legendWidth = std::max(legendWidth, x);
        }
        legendHeight = y + legendRow;
        const double title = format::textWidth(headline(), boxMetrics.titleSize) * 1.15 + 2 * margin;
        legendWidth = std::max(legendWidth, title);
        return places;
    }

    [[nodiscard]] std::string headline() const {
        std::string text =
            fmt::format("{}: {} of {} nodes", view.graph.name,
                        view.graph.nodes().size() - view.diagram.hidden, view.graph.nodes().size());
        const auto folded =
            std::ranges::count(view.diagram.boxes, DiagramBox::Kind::Group, &DiagramBox::kind);
        text += folded == 0 ? "" : fmt::format(", {} groups folded", folded);
        return text + fmt::format(". Colours: {}", view.colours.title);
    }

    void paintLegend() {
        picture.text(margin, margin + 10, headline(), "ink bold");
        for (std::size_t i = 0; i < legend.size(); ++i) {
            const LegendEntry& entry = view.colours.legend[i];
            picture.rect({.x = legend[i].x, .y = legend[i].y - 1, .width = 12, .height = 12}, "rule",
                         fmt::format("style=\"fill:{}\"", entry.colour));
            picture.text(legend[i].x + 16, legend[i].y + 9, entry.text, "ink");
        }
    }

    void paintGroup(std::size_t index) {
        const LayoutBox& box = layout.groups[index];
        const core::GraphGroup& group = view.graph.group(view.diagram.groups[index].id);
        std::string tooltip = fmt::format("{} {}", group.kind, group.name);
        for (const core::GraphAttribute& each : group.attributes) {
            tooltip += fmt::format("\n{}: {}", each.name, each.text);
        }
        picture.begin(group.kind == "delegate" ? "group delegate" : "group", tooltip);
        picture.rect({.x = box.x + offsetX, .y = box.y + offsetY, .width = box.width, .height = box.height},
                     "g", "rx=\"6\"");
        picture.text(box.x + offsetX + 8, box.y + offsetY + 14, frameTitle(view, view.diagram.groups[index]),
                     "ink bold");
        picture.end();
    }

    [[nodiscard]] std::string pointText(const LayoutPoint& point) const {
        return fmt::format("{:.2f} {:.2f}", point.x + offsetX, point.y + offsetY);
    }

    void paintEdge(std::size_t index) {
        const std::vector<LayoutPoint>& points = layout.edges[index];
        if (points.size() < 4) {
            return;
        }
        std::string data = "M" + pointText(points[0]);
        for (std::size_t i = 1; i + 2 < points.size(); i += 3) {
            data += fmt::format("C{} {} {}", pointText(points[i]), pointText(points[i + 1]),
                                pointText(points[i + 2]));
        }
        picture.begin("edge", edgeTooltip(view.graph, view.diagram.edges[index]));
        picture.path(data, "l");
        const auto head = arrowHead(points);
        picture.path(fmt::format("M{}L{}L{}Z", pointText(head[0]), pointText(head[1]), pointText(head[2])),
                     "a");
        picture.end();
    }

    void paintBox(std::size_t index) {
        const LayoutBox& box = layout.nodes[index];
        const DiagramBox& what = view.diagram.boxes[index];
        const bool end = what.kind == DiagramBox::Kind::Input || what.kind == DiagramBox::Kind::Output;
        std::string name = what.kind == DiagramBox::Kind::Group ? "box folded" : end ? "box end" : "box";
        name += found[index] ? " found" : "";
        const std::string& note = view.colours.notes[index];
        picture.begin(name, note.empty() ? view.labels[index].tooltip
                                         : fmt::format("{}\n{}", view.labels[index].tooltip, note));
        const double x = box.x + offsetX;
        double y = box.y + offsetY;
        const std::string& fill = view.colours.fills[index];
        picture.rect({.x = x, .y = y, .width = box.width, .height = box.height}, "b",
                     fill.empty() ? "rx=\"3\"" : fmt::format("rx=\"3\" style=\"fill:{}\"", fill));
        const std::vector<std::string> lines = boxLines(view, index);
        const double middle = x + box.width / 2;
        y += boxMetrics.titleLine;
        picture.text(middle, y, lines[0], "t", TextAnchor::Middle);
        for (std::size_t i = 1; i < lines.size(); ++i) {
            y += boxMetrics.detailLine;
            picture.text(middle, y, lines[i], "d", TextAnchor::Middle);
        }
        picture.end();
    }

    const GraphView& view;
    const GraphLayout& layout;
    double legendHeight = 0;
    double legendWidth = 0;
    std::vector<LegendPlace> legend;
    double width;
    double offsetX;
    double offsetY;
    std::vector<bool> found;
    SvgPicture picture;
};

}  // namespace

std::vector<std::string> boxLines(const GraphView& view, std::size_t box) {
    const BoxLabel& label = view.labels[box];
    const double width = widestBox - 2 * boxMetrics.padding;
    std::vector<std::string> lines{format::fittedText(label.title, width, boxMetrics.titleSize)};
    const auto add = [&](const std::string& text) {
        if (!text.empty()) {
            lines.push_back(format::fittedText(text, width, boxMetrics.detailSize));
        }
    };
    if (view.names) {
        add(nameOrNote(view, box));
    }
    add(label.detail);
    if (!view.names) {
        add(view.colours.notes[box]);
    }
    return lines;
}

std::array<LayoutPoint, 3> arrowHead(const std::vector<LayoutPoint>& edge) {
    constexpr double half = 2.6;
    const LayoutPoint& tip = edge.back();
    const LayoutPoint& before = edge[edge.size() - 2];
    const double distance = std::hypot(tip.x - before.x, tip.y - before.y);
    const double dx = distance > 0 ? (tip.x - before.x) / distance : 0;
    const double dy = distance > 0 ? (tip.y - before.y) / distance : 1;
    const LayoutPoint base{.x = tip.x - dx * arrowLength, .y = tip.y - dy * arrowLength};
    return {tip,
            {.x = base.x - dy * half, .y = base.y + dx * half},
            {.x = base.x + dy * half, .y = base.y - dx * half}};
}

std::string frameTitle(const GraphView& view, const DiagramGroup& group) {
    constexpr double widest = 300;
    return format::fittedText(groupName(view.graph.group(group.id)), widest, 11);
}

LayoutRequest layoutRequest(const GraphView& view) {
    LayoutRequest request{.nodes = {}, .groups = {}, .edges = {}, .leftToRight = view.leftToRight};
    for (std::size_t i = 0; i < view.diagram.boxes.size(); ++i) {
        LayoutRequest::Node node = view.names ? sizedForNotes(view, i) : sized(boxLines(view, i));
        node.group = view.diagram.boxes[i].parent;
        request.nodes.push_back(node);
    }
    for (const DiagramGroup& group : view.diagram.groups) {
        request.groups.push_back({.parent = group.parent,
                                  .titleWidth = format::textWidth(frameTitle(view, group), 11) * 1.15,
                                  .titleHeight = 12});
    }
    for (const DiagramEdge& edge : view.diagram.edges) {
        // Boxes are in the order of execution, except those of inputs, which are at the end.
        const bool isInput = view.diagram.boxes[edge.from].kind == DiagramBox::Kind::Input;
        request.edges.push_back(
            {.from = edge.from, .to = edge.to, .backward = !isInput && edge.from > edge.to});
    }
    return request;
}

std::string graphPicture(const GraphView& view, const GraphLayout& layout) {
    return Painter(view, layout).paint();
}

std::vector<bool> foundBoxes(const GraphView& view) {
    std::vector<bool> boxes;
    for (const DiagramBox& box : view.diagram.boxes) {
        boxes.push_back(std::ranges::any_of(box.nodes, [&](core::GraphNodeId id) {
            return id.value < view.found.size() && view.found[id.value];
        }));
    }
    return boxes;
}

}  // namespace et::inspector
