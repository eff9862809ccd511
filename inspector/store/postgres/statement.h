#pragma once

#include "inspector/store/database/connection.h"
#include "inspector/store/postgres/link.h"

#include <span>
#include <string>
#include <string_view>

namespace et::inspector::store {

/// Replaces the '?' parameters of `sql` by $1, $2, ..., except inside quotes.
[[nodiscard]] std::string withNumberedParameters(std::string_view sql);

/// Text acceptable to the server: invalid UTF-8 and NUL bytes are replaced by U+FFFD.
[[nodiscard]] std::string acceptedText(std::string_view text);

/// A server-side prepared statement. Rows are fetched in batches of some thousand; if another statement runs
/// meanwhile, the remaining rows are buffered.
[[nodiscard]] Statement postgresStatement(PostgresLink& link, std::string name);

/// Implements Connection::adder() with binary COPY, some megabytes at a time.
[[nodiscard]] Statement postgresAdder(PostgresLink& link, std::string_view table,
                                      std::span<const std::string_view> columns);

}  // namespace et::inspector::store
