#pragma once

#include "visualizers/verify/tensor_values.h"

#include <QImage>
#include <QSize>

namespace et::visualizers {

/// Thumbnail of a tensor of at most the size `most`: its first slice, or one row per index of the first
/// dimension if slices are too small to see, in the colours of a HeatMap. A pixel shows the element furthest
/// from 0 of those it covers. Elements of small tensors are squares. Null if it has no elements.
[[nodiscard]] QImage smallPicture(const TensorValues& values, QSize most);

}  // namespace et::visualizers
