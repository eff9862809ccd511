#pragma once

#include "inspector/store/database/database.h"

namespace et::inspector::store {

/// The tables of a baseline store, described in docs/reference/store.md.
[[nodiscard]] const Schema& baselineSchema();

}  // namespace et::inspector::store
