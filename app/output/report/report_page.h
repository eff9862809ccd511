#pragma once

#include "app/output/report/page_roofline.h"
#include "app/output/report/page_size.h"
#include "inspector/session/session.h"
#include "inspector/store/database/database.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <string>

namespace et::output {

/// Sources of a page; borrowed.
struct ReportSources {
    const inspector::Session& session;
    inspector::store::Database& tables;  ///< the same session as tables
    std::string title;
    std::size_t top = 200;                 ///< maximum rows of a table; the page notes omitted rows
    const PageSizes* sizes = nullptr;      ///< null: omitted, as without a program
    const PageMachine* machine = nullptr;  ///< null: the comparison with the machine's limits is omitted
};

/// Returns a self-contained HTML page: related files, key figures, findings, operators, timeline, limits,
/// memory, sizes, numeric gap, verdicts of tests, tests, notes; sections without data are omitted. Errors:
/// those of the database (a foreign one), Limit (memory plans that are too large).
[[nodiscard]] core::Result<std::string> reportPage(const ReportSources& sources);

}  // namespace et::output
