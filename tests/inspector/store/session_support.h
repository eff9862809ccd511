#pragma once

#include "inspector/session/session.h"
#include "inspector/store/session_store.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::test {

/// Program, bundled program, record, trace and debug buffer of the sample net, written into `folder` and
/// opened.
[[nodiscard]] std::shared_ptr<const inspector::Session> sampleSession(const std::filesystem::path& folder);

/// The session as a file in `folder`.
[[nodiscard]] std::filesystem::path savedSession(const std::filesystem::path& folder,
                                                 const inspector::Session& session);

/// The rows of a query, columns by '|'; a test failure where it does not run.
[[nodiscard]] std::vector<std::string> askRows(inspector::store::Database& database, const std::string& sql);

/// What one session answers to every table of docs/sql.md, in the order of the rows.
[[nodiscard]] std::string allRows(inspector::store::Database& database);

}  // namespace et::test
