#pragma once

#include "inspector/session/session.h"
#include "inspector/store/session_store.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::test {

/// Writes program, bundled program, ETRecord, trace and debug buffer of the sample net to `folder` and opens
/// them.
[[nodiscard]] std::shared_ptr<const inspector::Session> sampleSession(const std::filesystem::path& folder);

/// Saves the session to a file in `folder`.
[[nodiscard]] std::filesystem::path savedSession(const std::filesystem::path& folder,
                                                 const inspector::Session& session);

/// Returns the rows of a query, columns separated by '|'; an error fails the test.
[[nodiscard]] std::vector<std::string> askRows(inspector::store::Database& database, const std::string& sql);

/// Returns the contents of every table of docs/reference/sql.md for one session, in row order.
[[nodiscard]] std::string allRows(inspector::store::Database& database);

}  // namespace et::test
