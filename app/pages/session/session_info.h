#pragma once

#include "inspector/format/table.h"
#include "inspector/store/session_store.h"
#include "runtime/core/result.h"

namespace et::app {

/// What a session file holds: its files, how many rows each table has, its verdicts and notes (docs/json.md).
[[nodiscard]] core::Result<inspector::report::Dict> sessionInfo(const inspector::store::SessionStore& store);

}  // namespace et::app
