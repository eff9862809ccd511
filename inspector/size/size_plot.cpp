#include "inspector/size/size_plot.h"

#include "inspector/format/quantities.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <iterator>
#include <string_view>
#include <utility>

namespace et::inspector {

namespace {

using plot::Style;
using plot::Tone;

constexpr double textMargin = 3;
constexpr double namedWidth = 36;

constexpr Style groupStyle{.name = "ownerArea", .fill = Tone::Page, .stroke = Tone::Faint};
/// By kind.
constexpr std::array<std::string_view, std::size(sizeKinds)> kindNames{"size0", "size1", "size2",  "size3",
                                                                       "size4", "size5", "size6",  "size7",
                                                                       "size8", "size9", "size10", "size11"};

/// Readers of a piece, as links for the containing page: data-h are debug handles, data-i an instruction.
std::string readerLinks(const SizePiece& piece) {
    if (!piece.handles.empty()) {
        std::vector<std::int64_t> handles;
        for (const core::DebugHandle each : piece.handles) {
            handles.push_back(each.value);
        }
        return fmt::format("data-h=\"{}\"", fmt::join(handles, ","));
    }
    return piece.instruction.value < 0 ? std::string()
                                       : fmt::format("data-i=\"{}\"", piece.instruction.value);
}

class SizePass {
  public:
    SizePass(plot::Scene& to, const ShownSizes& from, double lineHeight)
        : scene(to), sizes(from), frame{.lineHeight = lineHeight} {}

    void addNodes() {
        std::vector<std::size_t> open{sizes.root};
        while (!open.empty()) {
            const std::size_t node = open.back();
            open.pop_back();
            const SizeNode& of = sizes.nodes[node];
            if (sizes.cells[node].width <= 0) {
                continue;
            }
            if (of.piece) {
                addPiece(node);
            } else if (node != sizes.root) {
                addGroup(node);
            }
            open.insert(open.end(), of.children.begin(), of.children.end());
        }
    }

  private:
    void addItem(std::size_t node, std::string_view kind, std::string attributes) {
        const MapCell& cell = sizes.cells[node];
        scene.items.push_back({.kind = kind,
                               .tip = sizeNodeText(sizes.map, sizes.nodes, node),
                               .at = {.x = cell.x + cell.width / 2, .y = cell.y + cell.height / 2},
                               .attributes = std::move(attributes)});
    }

    void addMark(plot::Shape shape, const Style& style) {
        scene.marks.push_back({.shape = std::move(shape), .style = style, .item = scene.items.size() - 1});
    }

    /// Space for text, as Frame measures it.
    [[nodiscard]] double roomIn(const MapCell& cell) const {
        return (cell.width - 2 * textMargin) / sizes.textScale;
    }

    void addGroup(std::size_t node) {
        const SizeNode& of = sizes.nodes[node];
        const MapCell& cell = sizes.cells[node];
        addItem(node, "owner", {});
        addMark(plot::Box{.x = cell.x, .y = cell.y, .width = cell.width, .height = cell.height}, groupStyle);
        if (hasHead(cell, sizes.style)) {
            addMark(plot::Text{.at = {.x = cell.x + textMargin,
                                      .y = cell.y + sizes.style.headHeight / 2 + frame.toBaseline()},
                               .text = frame.fitted(of.name + "  " + format::readableBytes(of.bytes),
                                                    roomIn(cell))},
                    plot::inkStyle);
        }
    }

    void addPiece(std::size_t node) {
        const SizeNode& of = sizes.nodes[node];
        const MapCell& cell = sizes.cells[node];
        const SizePiece& piece = sizes.map.pieces[*of.piece];
        const auto kind = static_cast<std::size_t>(piece.kind);
        const format::Rgb colour = sizes.colour ? sizes.colour(of) : sizeKinds[kind].colour;
        // A gap between neighbours, if they are larger than a few pixels.
        const double gap = cell.width > 3 && cell.height > 3 ? 1 : 0;
        addItem(node, "piece", readerLinks(piece));
        addMark(plot::Box{.x = cell.x, .y = cell.y, .width = cell.width - gap, .height = cell.height - gap},
                {.name = kindNames[kind], .fill = Tone::Fixed, .fixed = colour});
        if (cell.width < namedWidth || cell.height < frame.lineHeight) {
            return;
        }
        const format::Rgb ink = format::inkOn(colour);
        const Style style{.name = ink == 0 ? "blackText" : "whiteText", .fill = Tone::Fixed, .fixed = ink};
        const double room = roomIn(cell);
        plot::Point at{.x = cell.x + textMargin, .y = cell.y + frame.lineHeight / 2 + frame.toBaseline()};
        addMark(plot::Text{.at = at, .text = frame.fittedEnd(of.name, room)}, style);
        at.y += frame.lineHeight;
        const std::string bytes = format::readableBytes(of.bytes);
        if (2 * frame.lineHeight < cell.height && frame.textWidth(bytes) <= room) {
            addMark(plot::Text{.at = at, .text = bytes}, style);
        }
    }

    plot::Scene& scene;
    const ShownSizes& sizes;
    plot::Frame frame;
};

}  // namespace

void addSizes(plot::Scene& scene, const ShownSizes& sizes, double lineHeight) {
    SizePass(scene, sizes, lineHeight).addNodes();
}

std::string sizeNodeText(const SizeMap& map, std::span<const SizeNode> nodes, std::size_t node) {
    const SizeNode& of = nodes[node];
    std::string text = fmt::format("{}\n{} ({} bytes)", node == 0 ? "all files" : of.name,
                                   format::readableBytes(of.bytes), of.bytes);
    const auto all = static_cast<double>(map.total());
    if (all > 0) {
        text += fmt::format("\n{} of all", format::readablePercent(static_cast<double>(of.bytes) / all));
    }
    if (!of.piece) {
        return text;
    }
    const SizePiece& piece = map.pieces[*of.piece];
    text += fmt::format("\n{}", name(piece.kind));
    for (const std::string& more : {piece.type, piece.scheme, piece.module, piece.backend}) {
        text += more.empty() ? "" : "\n" + more;
    }
    if (piece.uses > 1) {
        text += fmt::format("\nused by {} values", piece.uses);
    }
    return text;
}

}  // namespace et::inspector
