#include "app/output/size/size_picture.h"

#include "inspector/format/quantities.h"
#include "inspector/format/svg.h"
#include "inspector/size/treemap.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::MapCell;
using inspector::SizeMap;
using inspector::SizeNode;
using inspector::SizePiece;
using inspector::format::fittedText;
using inspector::format::readableBytes;
using inspector::format::SvgPicture;

// In points.
constexpr double mapWidth = 1180;
constexpr double mapHeight = 700;
constexpr double mapTop = 34;
constexpr double mapFont = 11;
constexpr double boldFont = mapFont * 1.15;  ///< width relative to the bold font; the height is that of the
                                             ///< other font

constexpr std::string_view mapStyles =
    ".piece rect{stroke:#1f2328;stroke-width:.4;stroke-opacity:.5}.piece text{fill:#111111;font-size:10px}"
    ".piece:hover rect{stroke-width:2;stroke-opacity:1}.owner>rect{fill:none;stroke:#1f2328;stroke-width:1.2}"
    ".bold{font-weight:bold}";

/// One class per kind.
std::string styles() {
    std::string out;
    for (const inspector::SizeKindInfo& each : inspector::sizeKinds) {
        out += fmt::format(".size{}{{fill:#{:06x}}}", static_cast<int>(each.kind), each.colour);
    }
    return out.append(mapStyles);
}

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

class MapDrawing {
  public:
    MapDrawing(const SizeMap& from, SizeBy by, std::size_t depth)
        : map(from),
          nodes(inspector::sizeTree(from, by, depth)),
          cells(inspector::layTreemap(nodes, 0, {10, mapTop, mapWidth - 20, mapHeight})),
          picture(mapWidth, mapTop + mapHeight + 10, styles()) {}

    std::string draw() && {
        drawTitle();
        drawChildren(nodes.front());
        return std::move(picture).finish();
    }

  private:
    void drawTitle() {
        std::string title;
        for (const inspector::SizedFile& file : map.files) {
            title += fmt::format("{}{}, {}", title.empty() ? "" : "; ", file.name, readableBytes(file.bytes));
        }
        picture.text(10, 20, fittedText(title, mapWidth - 20, boldFont), "ink bold");
    }

    void drawChildren(const SizeNode& node) {
        for (const std::size_t child : node.children) {
            if (cells[child].width <= 0) {
                continue;
            }
            if (nodes[child].piece) {
                drawPiece(map.pieces[*nodes[child].piece], cells[child]);
            } else {
                drawOwner(nodes[child], cells[child]);
            }
        }
    }

    void drawOwner(const SizeNode& owner, const MapCell& cell) {
        picture.begin("owner",
                      fmt::format("{}: {} ({} bytes)", owner.name, readableBytes(owner.bytes), owner.bytes));
        if (inspector::hasHead(cell)) {
            picture.text(cell.x + 3, cell.y + 12,
                         fittedText(fmt::format("{}  {}", owner.name, readableBytes(owner.bytes)),
                                    cell.width - 6, boldFont),
                         "ink bold");
        }
        drawChildren(owner);
        picture.rect({cell.x, cell.y, cell.width, cell.height}, "frame");
        picture.end();
    }

    void drawPiece(const SizePiece& piece, const MapCell& cell) {
        const std::string label = inspector::sizeLabel(piece);
        std::string title = fmt::format("{}: {} bytes, {}", label, piece.bytes, inspector::name(piece.kind));
        for (const std::string& more : {piece.type, piece.scheme, piece.module, piece.backend}) {
            title += more.empty() ? "" : ", " + more;
        }
        picture.begin("piece", title, readerLinks(piece));
        picture.rect({cell.x, cell.y, cell.width, cell.height},
                     fmt::format("size{}", static_cast<int>(piece.kind)));
        if (cell.height > inspector::TreemapStyle{}.headHeight) {
            picture.text(cell.x + 3, cell.y + 11, fittedText(label, cell.width - 6, mapFont), "label");
        }
        picture.end();
    }

    const SizeMap& map;
    std::vector<SizeNode> nodes;
    std::vector<MapCell> cells;
    SvgPicture picture;
};

}  // namespace

std::string sizePicture(const SizeMap& map, SizeBy by, std::size_t depth) {
    return MapDrawing(map, by, depth).draw();
}

}  // namespace et::output
