#pragma once

#include "inspector/format/table.h"

namespace et::cli {

/// What `bench` measured of models (as in its JSON), a row each. Times are in milliseconds and
/// memory in bytes, as the headers say; Style::adaptUnits makes them readable.
[[nodiscard]] inspector::report::Table benchTable(const inspector::report::List& models);

}  // namespace et::cli
