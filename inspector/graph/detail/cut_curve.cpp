#include "inspector/graph/detail/cut_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace et::inspector::graph::detail {
namespace {

/// Minimum share of a row that must remain for a frame next to its neighbours; otherwise it gets its own row.
constexpr double leastPart = 0.5;

std::vector<double> cutsFor(std::span<const double> places, double from, double to, double length) {
    std::vector<double> chosen;
    double start = from;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double next = i + 1 < places.size() ? places[i + 1] : to;
        if (next - start > length) {
            chosen.push_back(places[i]);
            start = places[i];
        }
    }
    return chosen;
}

using Piece = std::array<LayoutPoint, 4>;

constexpr double cornerRadius = 8;

LayoutPoint between(const LayoutPoint& a, const LayoutPoint& b, double t) {
    return {.x = a.x + (b.x - a.x) * t, .y = a.y + (b.y - a.y) * t};
}

/// De Casteljau.
std::pair<Piece, Piece> cutAt(const Piece& p, double t) {
    const LayoutPoint a = between(p[0], p[1], t);
    const LayoutPoint b = between(p[1], p[2], t);
    const LayoutPoint c = between(p[2], p[3], t);
    const LayoutPoint ab = between(a, b, t);
    const LayoutPoint bc = between(b, c, t);
    const LayoutPoint middle = between(ab, bc, t);
    return {{p[0], a, ab, middle}, {middle, bc, c, p[3]}};
}

/// Parameter at which a segment that begins left of `x` and ends right of it crosses it.
double crossing(const Piece& piece, double x) {
    double low = 0;
    double high = 1;
    constexpr int halvings = 40;
    for (int i = 0; i < halvings; ++i) {
        const double t = (low + high) / 2;
        (cutAt(piece, t).first[3].x < x ? low : high) = t;
    }
    return (low + high) / 2;
}

void append(std::vector<LayoutPoint>& to, const Piece& piece) {
    to.insert(to.end(), piece.begin() + 1, piece.end());
}

void appendStraight(std::vector<LayoutPoint>& to, const LayoutPoint& end) {
    const LayoutPoint start = to.back();
    append(to, {start, between(start, end, 1.0 / 3), between(start, end, 2.0 / 3), end});
}

/// Point from a corner towards another point, at most half way.
LayoutPoint towards(const LayoutPoint& corner, const LayoutPoint& point) {
    const double way = std::hypot(point.x - corner.x, point.y - corner.y);
    return way > 0 ? between(corner, point, std::min(cornerRadius / way, 0.5)) : corner;
}

}  // namespace

std::vector<double> rowLengths(const GraphLayout& layout, const LayoutRequest& request, double length) {
    std::vector<double> lengths;
    for (std::size_t i = 0; i < layout.groups.size(); ++i) {
        const auto& parent = request.groups[i].parent;
        const double around = parent ? layout.groups[*parent].width : layout.width;
        const double most = parent ? lengths[*parent] : length;
        const double left = most - (around - layout.groups[i].width);
        lengths.push_back(left >= leastPart * most ? left : most - 2 * frameRoom);
    }
    return lengths;
}

std::vector<double> evenCuts(std::span<const double> places, double from, double to, double length) {
    constexpr int steps = 12;
    std::vector<double> needed = cutsFor(places, from, to, length);
    const double least = (to - from) / static_cast<double>(needed.size() + 1);
    for (int step = 0; step < steps && least < length; ++step) {
        auto even = cutsFor(places, from, to, least + (length - least) * step / steps);
        if (even.size() <= needed.size()) {
            return even;
        }
    }
    return needed;
}

Crossings::Crossings(const std::vector<std::vector<LayoutPoint>>& lines, Direction way) {
    for (const std::vector<LayoutPoint>& line : lines) {
        if (!line.empty() && (line.front().x < line.back().x) == (way == Direction::On)) {
            begins.push_back(std::min(line.front().x, line.back().x));
            ends.push_back(std::max(line.front().x, line.back().x));
        }
    }
    std::ranges::sort(begins);
    std::ranges::sort(ends);
}

std::size_t Crossings::at(double x) const {
    const auto begun = std::ranges::lower_bound(begins, x) - begins.begin();
    const auto ended = std::ranges::lower_bound(ends, x) - ends.begin();
    return static_cast<std::size_t>(begun - ended);
}

std::vector<CurvePiece> cutCurve(std::span<const LayoutPoint> curve, std::span<const double> borders) {
    if (curve.empty()) {
        return {};
    }
    const auto partAt = [&](double x) {
        return static_cast<std::size_t>(std::ranges::upper_bound(borders, x) - borders.begin());
    };
    std::vector<CurvePiece> pieces{{.part = partAt(curve.front().x), .points = {curve.front()}}};
    for (std::size_t i = 0; i + 3 < curve.size(); i += 3) {
        Piece piece{curve[i], curve[i + 1], curve[i + 2], curve[i + 3]};
        while (pieces.back().part < borders.size() && piece[3].x > borders[pieces.back().part]) {
            const std::size_t part = pieces.back().part;
            const auto [before, behind] = cutAt(piece, crossing(piece, borders[part]));
            append(pieces.back().points, before);
            pieces.push_back({.part = part + 1, .points = {before[3]}});
            piece = behind;
        }
        if (partAt(piece[3].x) < pieces.back().part && piece[3].x < borders[pieces.back().part - 1]) {
            return {};
        }
        append(pieces.back().points, piece);
    }
    return pieces;
}

std::vector<LayoutPoint> roundedPolyline(std::span<const LayoutPoint> corners) {
    std::vector<LayoutPoint> way{corners.front()};
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const LayoutPoint in = towards(corners[i], corners[i - 1]);
        const LayoutPoint out = towards(corners[i], corners[i + 1]);
        appendStraight(way, in);
        append(way, {in, corners[i], corners[i], out});
    }
    appendStraight(way, corners.back());
    return way;
}

}  // namespace et::inspector::graph::detail
