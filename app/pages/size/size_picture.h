#pragma once

#include "app/pages/size/size_info.h"

#include <string>
#include <vector>

namespace et::app {

/// A place of a map of areas, in points; y goes down.
struct MapCell {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

/// Divides an area by `weights`, which are sorted, the largest first, and none negative: one cell each, in
/// the same order, nearly square ("Squarified Treemaps", Bruls, Huizing and van Wijk, 2000). Cells of weight
/// 0 have no area.
[[nodiscard]] std::vector<MapCell> divideArea(const std::vector<double>& weights, const MapCell& area);

/// The files as a map: each owner (as `by` sums up) an area by its bytes, in it the tensors and tables that
/// it consists of. Resting the mouse on one says what it is.
[[nodiscard]] std::string sizePicture(const inspector::SizeMap& map, SizeBy by, std::size_t depth);

}  // namespace et::app
