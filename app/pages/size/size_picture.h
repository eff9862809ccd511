#pragma once

#include "app/pages/size/size_info.h"

#include <cstddef>
#include <string>

namespace et::app {

/// The files as a map: each owner (as `by` sums up) an area by its bytes, in it the tensors and tables that
/// it consists of. Resting the mouse on one says what it is.
[[nodiscard]] std::string sizePicture(const inspector::SizeMap& map, SizeBy by, std::size_t depth);

}  // namespace et::app
