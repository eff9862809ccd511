#pragma once

#include "inspector/comparison/measurement.h"
#include "inspector/store/connection.h"

#include <cstdint>
#include <string_view>

namespace et::inspector::store {

/// Inserts all of it under a name that is free; inside of a transaction.
[[nodiscard]] core::Result<> writeBaseline(Connection& database, std::string_view name,
                                           const Measurement& measurement);

/// Errors: Format (a value that no writer of ours writes), Limit (more operators or samples than we hold).
[[nodiscard]] core::Result<Measurement> readBaseline(Connection& database, std::int64_t baseline);

}  // namespace et::inspector::store
