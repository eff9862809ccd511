#pragma once

#include "inspector/store/connection.h"
#include "inspector/store/postgres/link.h"

#include <span>
#include <string>
#include <string_view>

namespace et::inspector::store {

/// `sql` with its parameters '?' as $1, $2, ...; in quotes they stay.
[[nodiscard]] std::string withNumberedParameters(std::string_view sql);

/// Text as the server takes it: what is no UTF-8, and zero bytes, are U+FFFD.
[[nodiscard]] std::string acceptedText(std::string_view text);

/// A statement that the server knows under a name. Rows come some thousand at a time; where another statement
/// runs meanwhile, the rest is kept.
[[nodiscard]] Statement postgresStatement(PostgresLink& link, std::string name);

/// See Connection::adder(): by COPY in binary, some megabytes at a time.
[[nodiscard]] Statement postgresAdder(PostgresLink& link, std::string_view table,
                                      std::span<const std::string_view> columns);

}  // namespace et::inspector::store
