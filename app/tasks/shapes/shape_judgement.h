#pragma once

#include "app/tasks/shapes/shape_cases.h"

#include <span>

namespace et::app {

/// Says of each case whether it is as it should be. Sizes that are legal have to run, like the record's
/// graph, without what memory held before; an output may be off by what rounding explains, or by what is
/// usual in this program: some times the median error of its legal sizes, within limits. Sizes that are not
/// legal have to be an error, unless the graph takes them as well and gives the same.
void judge(std::span<ShapeCase> cases);

}  // namespace et::app
