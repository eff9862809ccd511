#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace et::inspector::store {

/// SQL that migrates the tables to a version from the previous one; the first creates all of them. Versions
/// are those of baselineSchema(). Published steps are never changed.
struct PostgresStep {
    std::int64_t version;
    std::string_view sql;
};
[[nodiscard]] std::span<const PostgresStep> postgresSteps();
[[nodiscard]] std::int64_t postgresVersion();

/// Advisory lock held by transactions that create tables or monthly partitions.
inline constexpr std::int64_t postgresLock = 0x45546273;  // same as in the file header

/// Smallest row number of the month of a UTC time in the format of utcText(); 0 for an empty time. Rows of
/// `measured_method` are numbered by month of measurement and then by a sequence, so that this table and
/// `operator_time`, whose key contains the number, are partitioned by month: see `measured_number` in the
/// SQL.
[[nodiscard]] std::int64_t firstNumberOfMonth(std::string_view moment);

}  // namespace et::inspector::store
