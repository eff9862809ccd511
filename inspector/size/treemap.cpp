#include "inspector/size/treemap.h"

#include <algorithm>
#include <numeric>

namespace et::inspector {
namespace {

double worstRatio(double least, double most, double sum, double side) {
    const double length = sum / side;
    return std::max(most / length / length, length * length / least);
}

/// Places one row of cells along the shorter side of the remaining area and removes it from that area.
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
        // Extend the row as long as the worst aspect ratio does not increase.
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

bool hasHead(const MapCell& cell, const TreemapStyle& style) {
    return cell.height > style.leastForHead && cell.width > style.leastForHead;
}

std::vector<MapCell> layTreemap(std::span<const SizeNode> nodes, std::size_t root, const MapCell& area,
                                const TreemapStyle& style) {
    std::vector<MapCell> out(nodes.size());
    std::vector<std::size_t> open{root};
    out[root] = area;
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        const std::vector<std::size_t>& children = nodes[node].children;
        MapCell inside = out[node];
        if (node != root && hasHead(inside, style)) {
            inside.y += style.headHeight;
            inside.height -= style.headHeight;
        }
        std::vector<double> weights(children.size());
        std::ranges::transform(children, weights.begin(),
                               [&](std::size_t child) { return static_cast<double>(nodes[child].bytes); });
        const std::vector<MapCell> cells = divideArea(weights, inside);
        for (std::size_t i = 0; i < children.size(); ++i) {
            if (cells[i].width >= style.leastSide && cells[i].height >= style.leastSide) {
                out[children[i]] = cells[i];
                open.push_back(children[i]);
            }
        }
    }
    return out;
}

}  // namespace et::inspector
