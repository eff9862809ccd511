#pragma once

#include "inspector/session/session.h"
#include "inspector/store/database.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <string>

namespace et::app {

/// What a page is made of; borrowed.
struct ReportSources {
    const inspector::Session& session;
    inspector::store::Database& tables;  ///< the same session as tables
    std::string title;
    std::size_t top = 200;  ///< rows of long tables; the page says what it leaves out
};

/// One self-contained HTML page: what belongs together, key figures, findings, operators, timeline, memory,
/// numeric gap, verdicts of tests, tests, notes; what the session does not have is left out. Errors: those of
/// the database (one that somebody else made), Limit (memory plans beyond all measure).
[[nodiscard]] core::Result<std::string> reportPage(const ReportSources& sources);

}  // namespace et::app
