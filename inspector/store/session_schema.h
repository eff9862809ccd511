#pragma once

#include "inspector/store/database.h"

namespace et::inspector::store {

/// The tables of a session file, made from sessionTables().
[[nodiscard]] const Schema& sessionSchema();

}  // namespace et::inspector::store
