#pragma once

#include "inspector/size/size_tree.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::inspector {

/// A place of a map of areas, in points or pixels; y goes down.
struct MapCell {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    [[nodiscard]] bool contains(double atX, double atY) const {
        return atX >= x && atX < x + width && atY >= y && atY < y + height;
    }
};

/// Divides an area by `weights`, which are sorted, the largest first, and none negative: one cell each, in
/// the same order, nearly square ("Squarified Treemaps", Bruls, Huizing and van Wijk, 2000). Cells of weight
/// 0 have no area.
[[nodiscard]] std::vector<MapCell> divideArea(const std::vector<double>& weights, const MapCell& area);

/// Sums have a strip on top for their name where there is room.
struct TreemapStyle {
    double headHeight = 16;
    double leastForHead = 48;  ///< width and height of a sum that has one
    double leastSide = 0.7;    ///< what is thinner is left out, with all that is in it
};

/// Where nodes of sizeTree() lie, by their number, when `root` has all of `area`. Nodes that are left out and
/// those outside of `root` have no area.
[[nodiscard]] std::vector<MapCell> layTreemap(std::span<const SizeNode> nodes, std::size_t root,
                                              const MapCell& area, const TreemapStyle& style = {});

/// Whether a cell of a sum has a strip for its name.
[[nodiscard]] bool hasHead(const MapCell& cell, const TreemapStyle& style = {});

}  // namespace et::inspector
