#pragma once

#include "inspector/size/size_tree.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::inspector {

/// A cell of a treemap, in points or pixels; y increases downwards.
struct MapCell {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    [[nodiscard]] bool contains(double atX, double atY) const {
        return atX >= x && atX < x + width && atY >= y && atY < y + height;
    }
};

/// Divides an area by `weights`, which are non-negative and sorted in descending order: one nearly square
/// cell each, in the same order ("Squarified Treemaps", Bruls, Huizing and van Wijk, 2000). Cells of weight 0
/// have no area.
[[nodiscard]] std::vector<MapCell> divideArea(const std::vector<double>& weights, const MapCell& area);

/// Groups that are large enough have a header with their name.
struct TreemapStyle {
    double headHeight = 16;
    double leastForHead = 48;  ///< minimum width and height of a group with a header
    double leastSide = 0.7;    ///< thinner cells are omitted with their contents
};

/// Computes the cells of the nodes of sizeTree(), by index, when `root` fills `area`. Omitted nodes and nodes
/// outside `root` have no area.
[[nodiscard]] std::vector<MapCell> layTreemap(std::span<const SizeNode> nodes, std::size_t root,
                                              const MapCell& area, const TreemapStyle& style = {});

/// Whether a group's cell has a header.
[[nodiscard]] bool hasHead(const MapCell& cell, const TreemapStyle& style = {});

}  // namespace et::inspector
