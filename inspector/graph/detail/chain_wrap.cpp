#include "inspector/graph/detail/chain_wrap.h"

#include "inspector/graph/detail/cut_curve.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace et::inspector::graph::detail {

namespace {

using Curve = std::vector<LayoutPoint>;

/// Maps y coordinates of a layout to those without large empty spaces: boxes keep their size and order.
class HeightMap {
  public:
    /// Everything stays.
    HeightMap() = default;
    /// `taken`: vertical ranges of boxes. `top` is unchanged; spaces of more than `most` points below it,
    /// between boxes, or between the last of them and `bottom` shrink to that size; the uppermost to `first`.
    HeightMap(std::vector<std::pair<double, double>> taken, double top, double bottom, double most,
              double first);

    [[nodiscard]] double at(double y) const;

  private:
    struct Segment {
        double from;
        double to;
    };
    std::vector<Segment> knots;  ///< ascending; linear interpolation
};

HeightMap::HeightMap(std::vector<std::pair<double, double>> taken, double top, double bottom, double most,
                     double first)
    : knots{{.from = top, .to = top}} {
    std::ranges::sort(taken);
    taken.emplace_back(bottom, bottom);
    for (const auto& [from, to] : taken) {
        const Segment last = knots.back();
        if (from > last.from) {
            const double room = knots.size() == 1 ? first : most;
            knots.push_back({.from = from, .to = last.to + std::min(from - last.from, room)});
        }
        if (to > knots.back().from) {
            knots.push_back({.from = to, .to = knots.back().to + to - knots.back().from});
        }
    }
}

double HeightMap::at(double y) const {
    if (knots.empty()) {
        return y;
    }
    const auto next = std::ranges::upper_bound(knots, y, {}, &Segment::from);
    if (next == knots.begin()) {
        return y + next->to - next->from;
    }
    const Segment& last = *(next - 1);
    if (next == knots.end()) {
        return y + last.to - last.from;
    }
    return last.to + (y - last.from) * (next->to - last.to) / (next->from - last.from);
}

// In points.
constexpr double rowGap = 26;
constexpr double linkRoom = 8;    ///< next to a row, for lines that lead to the next row
constexpr double linkStep = 5;    ///< distance between such lines
constexpr double mostSpace = 28;  ///< maximum space above or below a row's boxes that contains only lines
constexpr double titleRoom = 14;  ///< additional space for a title
/// Maximum lines from one row to the next; with more it is not a chain.
constexpr std::size_t mostLinks = 8;

struct Reach {
    double from;
    double to;
};

/// A part of the layout that moves as a unit: everything before the chain, one row of it, or everything after
/// it.
struct Band {
    double from = 0;  ///< x in the original layout
    double dx = 0;
    double dy = 0;
    double top = std::numeric_limits<double>::infinity();
    double bottom = -std::numeric_limits<double>::infinity();
    std::vector<std::pair<double, double>> taken{};  ///< vertical ranges occupied by boxes
    HeightMap heights{};

    void add(double high, double low) {
        top = std::min(top, high);
        bottom = std::max(bottom, low);
    }
};

/// Wraps a chain that is laid out from left to right.
class ChainWrap {
  public:
    /// Wraps the content of a frame with nothing next to it; empty: the whole layout.
    ChainWrap(const GraphLayout& of, const LayoutRequest& what, std::optional<std::size_t> frame)
        : given(of),
          request(what),
          chain(frame),
          whole(frame ? reachOf(of.groups[*frame]) : Reach{.from = 0, .to = of.width}) {
        findCuts();
    }

    /// Whether nothing is next to it, nor next to an enclosing frame.
    [[nodiscard]] bool standsAlone() const {
        for (auto frame = chain; frame; frame = request.groups[*frame].parent) {
            const Reach own = reachOf(given.groups[*frame]);
            const auto others = reachesIn(request.groups[*frame].parent, frame);
            if (std::ranges::any_of(
                    others, [&](const Reach& other) { return other.from < own.to && own.from < other.to; })) {
                return false;
            }
        }
        return true;
    }

    /// Wraps to rows no longer than `length`, as far as there are positions to cut; empty: one row.
    [[nodiscard]] std::optional<GraphLayout> make(double length) {
        const std::vector<double> chosen = evenCuts(cuts, whole.from, whole.to, length);
        if (chosen.empty()) {
            return std::nullopt;
        }
        makeBands(chosen);
        cutEdges();
        measureBands();
        squeezeBands();
        placeBands();
        return write();
    }

  private:
    [[nodiscard]] static Reach reachOf(const LayoutBox& box) {
        return {.from = box.x, .to = box.x + box.width};
    }

    /// Boxes and frames that are direct children of a frame.
    [[nodiscard]] std::vector<Reach> reachesIn(std::optional<std::size_t> frame,
                                               std::optional<std::size_t> without = {}) const {
        std::vector<Reach> reaches;
        for (std::size_t i = 0; i < given.nodes.size(); ++i) {
            if (request.nodes[i].group == frame) {
                reaches.push_back(reachOf(given.nodes[i]));
            }
        }
        for (std::size_t i = 0; i < given.groups.size(); ++i) {
            if (request.groups[i].parent == frame && without != i) {
                reaches.push_back(reachOf(given.groups[i]));
            }
        }
        return reaches;
    }

    /// Midpoints of the gaps that few lines cross.
    void findCuts() {
        const Crossings on(given.edges, Crossings::Direction::On);
        const Crossings back(given.edges, Crossings::Direction::Back);
        auto reaches = reachesIn(chain);
        std::ranges::sort(reaches, {}, &Reach::from);
        double end = reaches.empty() ? 0 : reaches.front().to;
        for (const Reach& each : reaches) {
            const double middle = (end + each.from) / 2;
            if (each.from > end && on.at(middle) <= mostLinks && back.at(middle) <= mostLinks) {
                cuts.push_back(middle);
            }
            end = std::max(end, each.to);
        }
    }

    void makeBands(const std::vector<double>& chosen) {
        bands = {{.from = -std::numeric_limits<double>::infinity()}, {.from = whole.from}};
        for (const double cut : chosen) {
            bands.push_back({.from = cut});
        }
        bands.push_back({.from = whole.to});
    }

    [[nodiscard]] std::size_t bandAt(double x) const {
        return static_cast<std::size_t>(std::ranges::upper_bound(bands, x, {}, &Band::from) - bands.begin()) -
               1;
    }
    [[nodiscard]] std::size_t bandOf(const LayoutBox& box) const { return bandAt(box.x + box.width / 2); }
    [[nodiscard]] std::size_t lastRow() const { return bands.size() - 2; }

    /// A line that leaves its box to the left and enters the other from the right.
    [[nodiscard]] static bool leadsBack(const Curve& curve) {
        return curve.size() > 3 && curve[1].x <= curve[0].x && curve.end()[-2].x >= curve.back().x;
    }

    /// The band before or after the chain that contains the whole line; null: it touches the chain.
    [[nodiscard]] const Band* bandBeside(const Curve& curve) const {
        if (curve.empty()) {
            return nullptr;
        }
        const auto [left, right] = std::ranges::minmax(curve, {}, &LayoutPoint::x);
        return right.x < whole.from ? &bands.front() : left.x > whole.to ? &bands.back() : nullptr;
    }

    void cutEdges() {
        std::vector<double> borders;
        for (std::size_t i = 1; i < bands.size(); ++i) {
            borders.push_back(bands[i].from);
        }
        for (const Curve& curve : given.edges) {
            auto cut = bandBeside(curve) == nullptr ? cutCurve(curve, borders) : std::vector<CurvePiece>{};
            turned.push_back(cut.empty() && bandBeside(curve) == nullptr && leadsBack(curve));
            pieces.push_back(turned.back() ? cutCurve(Curve(curve.rbegin(), curve.rend()), borders)
                                           : std::move(cut));
        }
    }

    [[nodiscard]] bool isAround(std::size_t group) const {
        for (auto frame = chain; frame; frame = request.groups[*frame].parent) {
            if (*frame == group) {
                return true;
            }
        }
        return false;
    }

    void measureBands() {
        const auto add = [this](const LayoutBox& box) {
            Band& band = bands[bandOf(box)];
            band.add(box.y, box.y + box.height);
            band.taken.emplace_back(box.y, box.y + box.height);
        };
        std::ranges::for_each(given.nodes, add);
        for (std::size_t i = 0; i < given.groups.size(); ++i) {
            if (!isAround(i)) {
                add(given.groups[i]);
            }
        }
        links.assign(bands.size(), {});
        for (std::size_t edge = 0; edge < pieces.size(); ++edge) {
            for (std::size_t i = 0; i < pieces[edge].size(); ++i) {
                const CurvePiece& piece = pieces[edge][i];
                for (const LayoutPoint& point : piece.points) {
                    bands[piece.part].add(point.y, point.y);
                }
                if (i > 0 && piece.part > 1 && piece.part <= lastRow()) {
                    links[piece.part].emplace_back(piece.points.front().y, edge);
                }
            }
        }
        for (auto& each : links) {
            std::ranges::sort(each, std::ranges::greater());  // connecting lines do not cross each other
        }
    }

    /// Closes space reserved for lines around boxes that are now in other rows.
    void squeezeBands() {
        for (std::size_t row = 1; row <= lastRow(); ++row) {
            Band& band = bands[row];
            const bool titled = chain && row == 1;
            const double top = titled ? given.groups[*chain].y : band.top;
            const double first = titled ? request.groups[*chain].titleHeight + titleRoom : mostSpace;
            band.heights =
                HeightMap(std::move(band.taken), top, band.bottom, mostSpace, std::max(first, mostSpace));
            band.top = band.heights.at(band.top);
            band.bottom = band.heights.at(band.bottom);
        }
    }

    void placeBands() {
        std::size_t most = 0;
        double longest = 0;
        for (std::size_t row = 1; row <= lastRow(); ++row) {
            most = std::max(most, links[row].size());
            longest = std::max(longest, bands[row + 1].from - bands[row].from);
        }
        const double room = linkRoom + static_cast<double>(most) * linkStep;
        double below = 0;
        for (std::size_t row = 1; row <= lastRow(); ++row) {
            Band& band = bands[row];
            band.dx = whole.from + room - band.from;
            if (!chain && row == 1) {
                band.dy = frameRoom - band.top;
            } else if (row > 1) {
                const double gap = rowGap + static_cast<double>(links[row].size()) * linkStep;
                band.dy = below + gap - band.top;
            }
            below = band.bottom + band.dy;
        }
        bands.back().dx = longest + 2 * room - (whole.to - whole.from);
        bands.back().dy = bands[lastRow()].dy;
    }

    [[nodiscard]] static LayoutPoint moved(const LayoutPoint& point, const Band& band) {
        return {.x = point.x + band.dx, .y = band.heights.at(point.y) + band.dy};
    }

    [[nodiscard]] GraphLayout write() const {
        GraphLayout made = given;
        const auto move = [this](LayoutBox& box) {
            const Band& band = bands[bandOf(box)];
            box.x += band.dx;
            box.y = band.heights.at(box.y) + band.dy;
        };
        std::ranges::for_each(made.nodes, move);
        for (std::size_t i = 0; i < made.groups.size(); ++i) {
            if (!isAround(i)) {
                move(made.groups[i]);
            }
        }
        for (auto frame = chain; frame; frame = request.groups[*frame].parent) {
            growFrame(*frame, made);
        }
        for (std::size_t edge = 0; edge < made.edges.size(); ++edge) {
            if (const Band* const beside = bandBeside(made.edges[edge])) {
                for (LayoutPoint& point : made.edges[edge]) {
                    point = moved(point, *beside);
                }
            } else {
                made.edges[edge] = edgeOf(edge, made);
            }
        }
        made.width += bands.back().dx;
        made.height = chain ? made.height : 0;
        for (const Band& band : bands) {
            made.height = std::max(made.height, band.bottom + band.dy + frameRoom);
        }
        for (const LayoutBox& frame : made.groups) {
            made.height = std::max(made.height, frame.y + frame.height + frameRoom);
        }
        made.rows = std::max(made.rows, lastRow());
        return made;
    }

    /// Resizes a frame around its repositioned content.
    void growFrame(std::size_t frame, GraphLayout& made) const {
        LayoutBox& box = made.groups[frame];
        box.width += bands.back().dx;
        double bottom = frame == chain ? bands[lastRow()].bottom + bands[lastRow()].dy : 0;
        for (std::size_t i = 0; i < made.nodes.size(); ++i) {
            if (request.nodes[i].group == frame) {
                bottom = std::max(bottom, made.nodes[i].y + made.nodes[i].height);
            }
        }
        for (std::size_t i = 0; i < made.groups.size(); ++i) {
            if (request.groups[i].parent == frame) {
                bottom = std::max(bottom, made.groups[i].y + made.groups[i].height);
            }
        }
        const double height = bottom + frameRoom - box.y;
        box.height = frame == chain ? height : std::max(box.height, height);
    }

    [[nodiscard]] Curve edgeOf(std::size_t edge, const GraphLayout& made) const {
        if (given.edges[edge].empty()) {
            return {};
        }
        if (pieces[edge].empty()) {  // it leads both forward and back
            const LayoutBox& from = made.nodes[request.edges[edge].from];
            const LayoutBox& to = made.nodes[request.edges[edge].to];
            const std::array way{LayoutPoint{.x = from.x + from.width / 2, .y = from.y + from.height},
                                 LayoutPoint{.x = to.x + to.width / 2, .y = to.y + to.height}};
            return roundedPolyline(way);
        }
        Curve points;
        for (const CurvePiece& piece : pieces[edge]) {
            const Band& band = bands[piece.part];
            const LayoutPoint start = moved(piece.points.front(), band);
            if (points.empty()) {
                points.push_back(start);
            } else {
                const auto way = wayTo(edge, piece.part, points.back(), start);
                points.insert(points.end(), way.begin() + 1, way.end());
            }
            for (std::size_t i = 1; i < piece.points.size(); ++i) {
                points.push_back(moved(piece.points[i], band));
            }
        }
        if (turned[edge]) {
            std::ranges::reverse(points);
        }
        return points;
    }

    /// Path from the end of a band to the beginning of the next.
    [[nodiscard]] Curve wayTo(std::size_t edge, std::size_t band, const LayoutPoint& from,
                              const LayoutPoint& to) const {
        if (band <= 1 || band > lastRow()) {
            return roundedPolyline(std::array{from, to});
        }
        const auto& all = links[band];
        const auto place =
            std::ranges::find(all, edge, &std::pair<double, std::size_t>::second) - all.begin();
        const auto inner = static_cast<double>(place);
        const auto outer = static_cast<double>(all.size()) - 1 - inner;
        const double right = from.x + linkRoom + inner * linkStep;
        const double left = to.x - linkRoom - outer * linkStep;
        const double between = bands[band - 1].bottom + bands[band - 1].dy + rowGap / 2 + inner * linkStep;
        return roundedPolyline(
            std::array{from, LayoutPoint{.x = right, .y = from.y}, LayoutPoint{.x = right, .y = between},
                       LayoutPoint{.x = left, .y = between}, LayoutPoint{.x = left, .y = to.y}, to});
    }

    const GraphLayout& given;
    const LayoutRequest& request;
    std::optional<std::size_t> chain;  ///< the frame whose content is wrapped; empty: the whole layout
    Reach whole{};                     ///< extent of the chain
    std::vector<double> cuts;          ///< possible cut positions
    std::vector<Band> bands;           ///< the part before the chain, its rows, the part after it
    std::vector<std::vector<CurvePiece>> pieces;  ///< by edge
    std::vector<bool> turned;                     ///< by edge: its pieces run from its end to its beginning
    std::vector<std::vector<std::pair<double, std::size_t>>> links;  ///< by target band: height, edge
};

}  // namespace

std::optional<GraphLayout> wrapChain(const GraphLayout& layout, const LayoutRequest& request, double length) {
    GraphLayout made = layout;
    const auto wrapIn = [&](std::optional<std::size_t> frame, double most) {
        if ((frame ? made.groups[*frame].width : made.width) <= most) {
            return;
        }
        ChainWrap wrap(made, request, frame);
        if (auto next = wrap.standsAlone() ? wrap.make(most) : std::nullopt) {
            made = *std::move(next);
        }
    };
    const std::vector<double> lengths = rowLengths(layout, request, length);
    for (std::size_t i = lengths.size(); i-- > 0;) {  // inner frames come after outer ones
        wrapIn(i, lengths[i]);
    }
    wrapIn({}, length);
    return made.rows > 1 ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace et::inspector::graph::detail
