#pragma once

#include "app/output/cells.h"
#include "inspector/store/session_store.h"
#include "runtime/core/result.h"

namespace et::output {

/// Contents of a session file: files, rows per table, verdicts and notes (docs/reference/json.md).
[[nodiscard]] core::Result<Dict> sessionInfo(const inspector::store::SessionStore& store);

}  // namespace et::output
