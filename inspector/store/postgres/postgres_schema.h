#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace et::inspector::store {

/// SQL that makes a version of the tables of the one before; the first makes all of them where there are
/// none. Versions are those of baselineSchema(). Steps are never changed once they were published.
struct PostgresStep {
    std::int64_t version;
    std::string_view sql;
};
[[nodiscard]] std::span<const PostgresStep> postgresSteps();
[[nodiscard]] std::int64_t postgresVersion();

/// Held by a transaction that makes tables, or a part of one for another month.
inline constexpr std::int64_t postgresLock = 0x45546273;  // as the header of a file

/// Rows of `measured_method` are numbered by month of measurement and then by a sequence, so that both this
/// table and `operator_time`, which has the number in its key, are in parts by month: see `measured_number`
/// in the SQL. Gives the smallest number of a month, for a UTC time as utcText() has it; 0 for none.
[[nodiscard]] std::int64_t firstNumberOfMonth(std::string_view moment);

}  // namespace et::inspector::store
