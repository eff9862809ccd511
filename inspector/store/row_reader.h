#pragma once

#include "inspector/comparison/measurement.h"
#include "inspector/store/database/each_row.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace et::inspector::store {

/// Base of readers of measurements, which check every value because the database is untrusted. `field` names
/// the table and column in error messages.
class RowReader {
  protected:
    explicit RowReader(Connection& opened) : database(opened) {}

    /// Calls `take` for each row of a query with these parameters.
    template <class Take, class... Values>
    core::Result<> each(std::string_view sql, Take take, const Values&... values) {
        return eachRow(database, sql, take, values...);
    }

    [[nodiscard]] core::Result<double> timeOf(const Statement& row, int column, const char* field) const;
    [[nodiscard]] core::Result<std::uint64_t> countOf(const Statement& row, int column,
                                                      const char* field) const;
    [[nodiscard]] core::Result<OperatorKind> kindOf(const Statement& row, int column,
                                                    const char* field) const;

    Connection& database;
};

}  // namespace et::inspector::store
