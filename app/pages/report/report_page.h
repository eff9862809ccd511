#pragma once

#include "app/pages/report/page_limits.h"
#include "app/pages/report/page_size.h"
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
    std::size_t top = 200;                 ///< rows of long tables; the page says what it leaves out
    const PageSizes* sizes = nullptr;      ///< null: left out, as without a program
    const PageMachine* machine = nullptr;  ///< null: how far operators are from the limit is left out
};

/// One self-contained HTML page: what belongs together, key figures, findings, operators, timeline, limits,
/// memory, sizes, numeric gap, verdicts of tests, tests, notes; what the session does not have is left out.
/// Errors: those of the database (one that somebody else made), Limit (memory plans beyond all measure).
[[nodiscard]] core::Result<std::string> reportPage(const ReportSources& sources);

}  // namespace et::app
