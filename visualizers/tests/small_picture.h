#pragma once

#include "visualizers/tests/tensor_values.h"

#include <QImage>
#include <QSize>

namespace et::visualizers {

/// A tensor at a glance, at most as large as `most`: its first slice, or a row for each index of the first
/// dimension where slices are too small to see, in the colours of a HeatMap. A pixel stands for the element
/// furthest from 0 of those below it. Small tensors have squares for elements. Null: it has no elements.
[[nodiscard]] QImage smallPicture(const TensorValues& values, QSize most);

}  // namespace et::visualizers
