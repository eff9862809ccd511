#pragma once

#include "app/output/size/size_info.h"

#include <cstddef>
#include <string>

namespace et::output {

/// Size map of the files: each owner (grouped by `by`) is an area proportional to its bytes, containing its
/// tensors and tables. Tooltips describe them.
[[nodiscard]] std::string sizePicture(const inspector::SizeMap& map, SizeBy by,
                                      const inspector::events::ModuleRollUp& modules = {});

}  // namespace et::output
