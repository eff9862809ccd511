#pragma once

#include "app/tasks/shapes/shape_cases.h"

#include <span>

namespace et::tasks {

/// Sets the verdict of each case. Legal sizes must run, match the record's graph and not depend on
/// uninitialized memory. An output may deviate by the rounding tolerance, or by the error that is usual in
/// this program: a multiple of the median error of its legal sizes, within limits. Sizes that are not legal
/// must be an error, unless the graph accepts them too and gives the same result.
void judge(std::span<ShapeCase> cases);

}  // namespace et::tasks
