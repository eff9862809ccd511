#pragma once

#include "runtime/core/graph.h"
#include "runtime/executor/backend.h"

#include <string_view>

namespace et::backends {

/// The attribute of a constant in a graph that names its data, which lie outside of the payload.
inline constexpr std::string_view dataNameAttribute = "data name";

/// What a graph shows of a constant that lies under a name in the program or in a tensor data file: the name
/// as dataNameAttribute and, where somebody has it, its bytes, else that it is missing.
void describeNamedConstant(std::string_view name, const executor::NamedDataSource& namedData,
                           core::GraphValue& value);

}  // namespace et::backends
