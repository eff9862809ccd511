#pragma once

#include "backends/lowering/lower.h"
#include "etrecord/record.h"

#include <map>
#include <string>

namespace et::backends::lowering {

/// Maps of a record, for the instructions of a program made from its graphs, by method.
[[nodiscard]] std::map<std::string, etrecord::MethodMaps, std::less<>> mapsOf(const LoweredProgram& program);

}  // namespace et::backends::lowering
