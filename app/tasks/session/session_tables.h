#pragma once

#include "app/tasks/session/session_input.h"
#include "inspector/store/database/database.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace et::tasks {

/// The tables of a session.
struct OpenedTables {
    std::shared_ptr<inspector::store::Database> database;  ///< read-only; InterruptionGuard ends its queries
    OpenedSession opened;  ///< null if only the tables of a session file are needed
};

enum class Needs : std::uint8_t { Tables, TablesAndSession };

/// Opens a session file, or creates the tables of other files in memory; `writer` as in inspector::store.
/// Errors: those of the files, Cancelled.
[[nodiscard]] core::Result<OpenedTables> openTables(const SessionInput& input, const std::string& writer,
                                                    Needs needs);

}  // namespace et::tasks
