#pragma once

#include "inspector/plot/frame.h"
#include "inspector/size/treemap.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace et::inspector {

/// A size map to draw.
struct ShownSizes {
    const SizeMap& map;
    std::span<const SizeNode> nodes;  ///< sizeTree()
    std::span<const MapCell> cells;   ///< layTreemap()
    std::size_t root = 0;
    TreemapStyle style{};
    /// Colour of the area of a node; null: that of its kind.
    std::function<format::Rgb(const SizeNode&)> colour{};
    double textScale = 1;  ///< width of the drawn text relative to plot::Frame::textWidth()
};

/// Adds groups and pieces as areas in the colour of their kind, with names if there is space. Items are
/// pieces and groups, with debug handles or the instruction of their reader as attributes.
void addSizes(plot::Scene& scene, const ShownSizes& sizes, double lineHeight);

/// "features.0.weight", "1.1 KiB (1152 bytes)", "3.4 % of all", "constants", "float32 [32, 3]", in lines.
[[nodiscard]] std::string sizeNodeText(const SizeMap& map, std::span<const SizeNode> nodes, std::size_t node);

}  // namespace et::inspector
