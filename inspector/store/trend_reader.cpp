#include "inspector/store/row_reader.h"
#include "inspector/store/trend_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::Result;

/// Maximum number of operator times read for a model, since a foreign file may contain any number.
constexpr std::size_t maxTimes = 100'000'000;

/// Reads the history of one model with full validation, because the file is untrusted.
class TrendReader : RowReader {
  public:
    TrendReader(Connection& opened, std::int64_t row) : RowReader(opened), model(row) {}

    Result<MeasuredModel> read(std::string name, std::string_view moment) {
        MeasuredModel measured{.name = std::move(name), .operators = {}, .entries = {}};
        ET_TRY(readEntries(moment, measured));
        ET_TRY(readTags(moment, measured));
        ET_TRY(readTimes(moment, measured));
        ET_TRY(readOperators(measured));
        return measured;
    }

  private:
    /// Row of tracked_operator, and time.
    using OperatorRows = std::vector<std::pair<std::int64_t, double>>;

    /// Calls `take` for each row of a query of the model's measurements since a moment. The parameters of the
    /// query are the model, the moment, and for each partitioned table the smallest row number of that
    /// moment, which excludes older partitions.
    template <class Take, class... Numbers>
    Result<> eachSince(std::string_view moment, std::string_view sql, Take take, Numbers... numbers) {
        return each(sql, take, model, moment, database.firstTimedNumber(moment), numbers...);
    }

    Result<> readEntries(std::string_view moment, MeasuredModel& measured) {
        return eachSince(moment,
                         "SELECT m.id, f.id, f.measured, f.commit_name, m.method, m.cycles, m.runs, m.time, "
                         "CASE f.kind WHEN 'trace' THEN f.origin ELSE '' END FROM measured_method m JOIN "
                         "imported_file f ON f.id = m.file WHERE m.model = ? AND "
                         "f.measured >= ? AND m.id >= ? ORDER BY f.measured, f.id, m.id",
                         [&](const Statement& row) -> Result<> {
                             TrendEntry entry{.measured = std::string(row.text(2)),
                                              .commit = std::string(row.text(3)),
                                              .method = std::string(row.text(4)),
                                              .cycles = row.integer(5) != 0};
                             ET_ASSIGN(entry.runs, countOf(row, 6, "measured_method.runs"));
                             ET_ASSIGN(entry.total, timeOf(row, 7, "measured_method.time"));
                             entry.trace = row.text(8);
                             entries.emplace(row.integer(0), measured.entries.size());
                             files[row.integer(1)].push_back(measured.entries.size());
                             measured.entries.push_back(std::move(entry));
                             return {};
                         });
    }

    Result<> readTags(std::string_view moment, MeasuredModel& measured) {
        return eachSince(moment,
                         "SELECT t.file, t.key, t.value FROM file_tag t WHERE t.file IN (SELECT m.file FROM "
                         "measured_method m JOIN imported_file f ON f.id = m.file WHERE m.model = ? AND "
                         "f.measured >= ? AND m.id >= ?)",
                         [&](const Statement& row) -> Result<> {
                             const auto file = files.find(row.integer(0));
                             for (const std::size_t entry :
                                  file == files.end() ? std::vector<std::size_t>() : file->second) {
                                 measured.entries[entry].tags.emplace(row.text(1), row.text(2));
                             }
                             return {};
                         });
    }

    Result<> readTimes(std::string_view moment, MeasuredModel& measured) {
        std::vector<OperatorRows> rows(measured.entries.size());
        std::size_t times = 0;
        // The condition on the number is implied by the join, but planners do not infer it.
        ET_TRY(eachSince(
            moment,
            "SELECT m.id, t.operator, t.time FROM measured_method m JOIN imported_file f ON f.id = "
            "m.file JOIN operator_time t ON t.measured = m.id WHERE m.model = ? AND f.measured "
            ">= ? AND m.id >= ? AND t.measured >= ?",
            [&](const Statement& row) -> Result<> {
                if (++times > maxTimes) {
                    return damaged(
                        database, "operator_time",
                        fmt::format(
                            "expected at most {} operator times for a model; a later --since reads fewer",
                            maxTimes),
                        ErrorCode::Limit);
                }
                ET_ASSIGN(const double time, timeOf(row, 2, "operator_time.time"));
                const auto entry = entries.find(row.integer(0));
                if (entry == entries.end()) {
                    return damaged(database, "operator_time.measured",
                                   fmt::format("no measurement {}", row.integer(0)));
                }
                rows[entry->second].emplace_back(row.integer(1), time);
                return {};
            },
            database.firstTimedNumber(moment)));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            number(rows[i], measured.entries[i]);
        }
        return {};
    }

    /// Numbers operators by first occurrence, with rows sorted in the order of the store, whatever the order
    /// of the database.
    void number(OperatorRows& rows, TrendEntry& entry) {
        std::ranges::sort(rows);
        for (const auto& [operation, time] : std::exchange(rows, {})) {
            const auto next = static_cast<std::uint32_t>(places.size());
            entry.operators.emplace_back(places.try_emplace(operation, next).first->second, time);
        }
    }

    Result<> readOperators(MeasuredModel& measured) {
        measured.operators.resize(places.size());
        ET_ASSIGN(
            Statement row,
            database.prepare("SELECT name, kind, backend, occurrence FROM tracked_operator WHERE id = ?"));
        for (const auto& [number, index] : places) {
            ET_TRY(row.bind(number));
            ET_ASSIGN(const bool found, row.step());
            if (!found) {
                return damaged(database, "operator_time.operator", fmt::format("no operator {}", number));
            }
            ET_ASSIGN(measured.operators[index], operatorOf(row));
        }
        return {};
    }

    [[nodiscard]] Result<TrackedOperator> operatorOf(const Statement& row) const {
        ET_ASSIGN(const OperatorKind kind, kindOf(row, 1, "tracked_operator.kind"));
        const std::int64_t occurrence = row.integer(3);
        if (occurrence < 0 || occurrence > std::numeric_limits<std::int32_t>::max()) {
            return damaged(database, "tracked_operator.occurrence",
                           fmt::format("expected 0 or more, got {}", occurrence));
        }
        return TrackedOperator{.name = std::string(row.text(0)),
                               .kind = kind,
                               .backend = std::string(row.text(2)),
                               .occurrence = static_cast<std::uint32_t>(occurrence)};
    }

    std::int64_t model;
    std::unordered_map<std::int64_t, std::size_t> entries;             ///< by row of measured_method
    std::unordered_map<std::int64_t, std::vector<std::size_t>> files;  ///< entries for each row of
                                                                       ///< imported_file
    std::unordered_map<std::int64_t, std::uint32_t> places;
};

}  // namespace

Result<MeasuredModel> readTrend(Connection& database, std::int64_t model, std::string name,
                                std::string_view since) {
    return TrendReader(database, model).read(std::move(name), since);
}

}  // namespace et::inspector::store
