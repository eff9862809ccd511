#pragma once

#include "runtime/core/graph.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <string_view>

namespace et::backends::openvino {

/// Describes the layers of a model; `constants` are the bytes that its Const layers refer to. Bodies of
/// loops and branches are only counted. Errors: Format (no model, edges to unknown or later layers), Limit.
[[nodiscard]] core::Result<core::ModelGraph> graphOf(std::string_view xml, core::Bytes constants);

}  // namespace et::backends::openvino
