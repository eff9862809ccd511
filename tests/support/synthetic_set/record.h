#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <vector>

namespace et::test::synthetic {

/// The ETRecord of the net: its Edge graph for the method "forward" and the three maps. Errors: those of
/// etrecord::RecordWriter.
[[nodiscard]] core::Result<std::vector<std::byte>> makeRecord();

}  // namespace et::test::synthetic
