#pragma once

#include "runtime/core/graph.h"
#include "runtime/executor/backend.h"

#include <string_view>

namespace et::backends {

/// Attribute of a constant in a graph with the name of its data outside the payload.
inline constexpr std::string_view dataNameAttribute = "data name";

/// Describes a constant stored under a name in the program or a tensor data file: the name as
/// dataNameAttribute and its bytes, or that the data is missing.
void describeNamedConstant(std::string_view name, const executor::NamedDataSource& namedData,
                           core::GraphValue& value);

}  // namespace et::backends
