#include "app/pages/size/size_picture.h"

#include "inspector/format/quantities.h"
#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

namespace et::app {
namespace {

using inspector::SizeMap;
using inspector::SizePiece;
using inspector::report::fittedText;
using inspector::report::readableBytes;
using inspector::report::SvgPicture;

// In points.
constexpr double mapWidth = 1180;
constexpr double mapHeight = 700;
constexpr double mapTop = 34;
constexpr double headHeight = 16;
constexpr double mapFont = 11;

/// Viewers do not get along with more; what is left out has an area of less than a point.
constexpr double leastSide = 0.7;

/// Colours of kinds, after Okabe and Ito, in the order of SizeKind.
constexpr std::string_view mapStyles =
    ".k0{fill:#999999}.k1{fill:#56b4e9}.k2{fill:#cc79a7}.k3{fill:#f0e442}.k4{fill:#bbbbbb}.k5{fill:#009e73}"
    ".k6{fill:#dddddd}.k7{fill:#e69f00}.k8{fill:#999999}.k9{fill:#0072b2}.k10{fill:#eeeeee}.k11{fill:#d55e00}"
    ".piece rect{stroke:#1f2328;stroke-width:.4;stroke-opacity:.5}.piece text{fill:#111111;font-size:10px}"
    ".piece:hover rect{stroke-width:2;stroke-opacity:1}.owner>rect{fill:none;stroke:#1f2328;stroke-width:1.2}"
    ".bold{font-weight:bold}";

double worstRatio(double least, double most, double sum, double side) {
    const double length = sum / side;
    return std::max(most / length / length, length * length / least);
}

/// Lays one row of cells along the shorter side of what is left, and takes it off.
void layRow(const std::vector<double>& areas, std::size_t begin, std::size_t end, MapCell& left,
            std::vector<MapCell>& out) {
    const double sum = std::accumulate(areas.begin() + static_cast<std::ptrdiff_t>(begin),
                                       areas.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    const bool isColumn = left.width >= left.height;
    const double side = isColumn ? left.height : left.width;
    const double depth = side > 0 ? sum / side : 0;
    double at = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const double length = depth > 0 ? areas[i] / depth : 0;
        out.push_back(isColumn ? MapCell{left.x, left.y + at, depth, length}
                               : MapCell{left.x + at, left.y, length, depth});
        at += length;
    }
    (isColumn ? left.x : left.y) += depth;
    (isColumn ? left.width : left.height) -= depth;
}

struct Owned {
    std::uint64_t bytes = 0;
    std::vector<const SizePiece*> pieces;  ///< the largest first
};

class MapDrawing {
  public:
    explicit MapDrawing(const SizeMap& from)
        : map(from), picture(mapWidth, mapTop + mapHeight + 10, mapStyles) {}

    std::string draw(SizeBy by, std::size_t depth) {
        std::map<std::string, Owned> byName;
        for (const SizePiece& piece : map.pieces) {
            Owned& owned = byName[sizeOwner(piece, by, depth)];
            owned.bytes += piece.bytes;
            owned.pieces.push_back(&piece);
        }
        std::vector<std::pair<std::string, Owned>> owners(byName.begin(), byName.end());
        std::ranges::stable_sort(owners, std::greater{},
                                 [](const auto& owner) { return owner.second.bytes; });
        std::vector<double> weights;
        for (const auto& [name, owned] : owners) {
            weights.push_back(static_cast<double>(owned.bytes));
        }
        drawTitle();
        const auto cells = divideArea(weights, {10, mapTop, mapWidth - 20, mapHeight});
        for (std::size_t i = 0; i < owners.size(); ++i) {
            drawOwner(owners[i].first, owners[i].second, cells[i]);
        }
        return std::move(picture).finish();
    }

  private:
    void drawTitle() {
        std::string title;
        for (const inspector::SizedFile& file : map.files) {
            title += fmt::format("{}{}, {}", title.empty() ? "" : "; ", file.name, readableBytes(file.bytes));
        }
        picture.text(10, 20, fittedText(title, mapWidth - 20, mapFont), "ink bold");
    }

    void drawOwner(const std::string& name, Owned& owned, const MapCell& cell) {
        if (cell.width < leastSide || cell.height < leastSide) {
            return;
        }
        picture.begin("owner",
                      fmt::format("{}: {} ({} bytes)", name, readableBytes(owned.bytes), owned.bytes));
        MapCell inside = cell;
        constexpr double leastForHead = 3 * headHeight;
        if (cell.height > leastForHead && cell.width > leastForHead) {
            picture.text(
                cell.x + 3, cell.y + 12,
                fittedText(fmt::format("{}  {}", name, readableBytes(owned.bytes)), cell.width - 6, mapFont),
                "ink bold");
            inside.y += headHeight;
            inside.height -= headHeight;
        }
        std::ranges::stable_sort(owned.pieces, std::greater{}, &SizePiece::bytes);
        std::vector<double> weights;
        for (const SizePiece* const piece : owned.pieces) {
            weights.push_back(static_cast<double>(piece->bytes));
        }
        const auto cells = divideArea(weights, inside);
        for (std::size_t i = 0; i < owned.pieces.size(); ++i) {
            drawPiece(*owned.pieces[i], cells[i]);
        }
        picture.rect({cell.x, cell.y, cell.width, cell.height}, "frame");
        picture.end();
    }

    void drawPiece(const SizePiece& piece, const MapCell& cell) {
        if (cell.width < leastSide || cell.height < leastSide) {
            return;
        }
        const std::string label =
            piece.tensor.empty() ? std::string(inspector::name(piece.kind)) : piece.tensor;
        std::string title = fmt::format("{}: {} bytes, {}", label, piece.bytes, inspector::name(piece.kind));
        for (const std::string& more : {piece.type, piece.scheme, piece.module, piece.backend}) {
            title += more.empty() ? "" : ", " + more;
        }
        picture.begin("piece", title);
        picture.rect({cell.x, cell.y, cell.width, cell.height},
                     fmt::format("k{}", static_cast<int>(piece.kind)));
        if (cell.height > headHeight) {
            picture.text(cell.x + 3, cell.y + 11, fittedText(label, cell.width - 6, mapFont), "label");
        }
        picture.end();
    }

    const SizeMap& map;
    SvgPicture picture;
};

}  // namespace

std::vector<MapCell> divideArea(const std::vector<double>& weights, const MapCell& area) {
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<MapCell> out;
    if (total <= 0 || area.width <= 0 || area.height <= 0) {
        out.resize(weights.size(), {area.x, area.y, 0, 0});
        return out;
    }
    std::vector<double> areas(weights.size());
    std::ranges::transform(weights, areas.begin(),
                           [&](double weight) { return weight / total * area.width * area.height; });
    MapCell left = area;
    for (std::size_t begin = 0; begin < areas.size();) {
        const double side = std::min(left.width, left.height);
        if (areas[begin] <= 0 || side <= 0) {
            out.push_back({left.x, left.y, 0, 0});
            ++begin;
            continue;
        }
        // As long as the cells of the row become no longer than they are.
        double sum = areas[begin];
        double worst = worstRatio(areas[begin], areas[begin], sum, side);
        std::size_t end = begin + 1;
        for (; end < areas.size() && areas[end] > 0; ++end) {
            const double next = worstRatio(areas[end], areas[begin], sum + areas[end], side);
            if (next > worst) {
                break;
            }
            worst = next;
            sum += areas[end];
        }
        layRow(areas, begin, end, left, out);
        begin = end;
    }
    return out;
}

std::string sizePicture(const SizeMap& map, SizeBy by, std::size_t depth) {
    return MapDrawing(map).draw(by, depth);
}

}  // namespace et::app
