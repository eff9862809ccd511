#pragma once

#include "inspector/store/database/database.h"

namespace et::inspector::store {

/// The schema of a session file, generated from sessionTables().
[[nodiscard]] const Schema& sessionSchema();

}  // namespace et::inspector::store
