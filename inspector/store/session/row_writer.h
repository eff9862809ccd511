#pragma once

#include "inspector/store/database/database.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace et::inspector::store {

/// Adds rows to the tables of sessionTables(), with one prepared statement per table.
class RowWriter {
  public:
    /// add() fails with Cancelled once `cancel` (null: never) is set.
    explicit RowWriter(Database& opened, const std::atomic<bool>* cancel = nullptr)
        : database(opened), cancelled(cancel) {}

    /// Adds a row with one value per column, in order; nullopt is NULL. Errors: Cancelled, those of the
    /// database.
    template <class... Values>
    [[nodiscard]] core::Result<> add(std::string_view table, const Values&... values) {
        ET_ASSIGN(Statement* const insert, statementFor(table, sizeof...(values)));
        return insert->run(values...);
    }

    [[nodiscard]] Database& of() { return database; }

  private:
    [[nodiscard]] core::Result<Statement*> statementFor(std::string_view table, std::size_t columns);

    Database& database;
    const std::atomic<bool>* cancelled;
    std::map<std::string_view, Statement> statements;
};

/// Converts an empty text to NULL.
[[nodiscard]] inline std::optional<std::string_view> orNull(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace et::inspector::store
