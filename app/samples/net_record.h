#pragma once

#include "app/samples/net.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <vector>

namespace et::samples {

/// The ETRecord of a net: its Edge graph and the map from the instructions of makeProgram() to debug handles.
/// The same net gives the same bytes. Errors: those of etrecord::RecordWriter.
[[nodiscard]] core::Result<std::vector<std::byte>> makeRecord(const Net& net);

}  // namespace et::samples
