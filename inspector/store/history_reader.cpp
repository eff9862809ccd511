#include "inspector/store/history_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Most times of operators that a model is read with: a file of somebody else's may promise any number.
constexpr std::size_t maxTimes = 100'000'000;

/// Reads the history of one model; everything is checked, because a file may come from anywhere.
class HistoryReader {
  public:
    HistoryReader(Database& opened, std::int64_t row) : database(opened), model(row) {}

    Result<MeasuredModel> read(std::string name, std::string_view since) {
        MeasuredModel measured{.name = std::move(name), .operators = {}, .entries = {}};
        ET_TRY(readEntries(since, measured));
        ET_TRY(readTimes(measured));
        ET_TRY(readOperators(measured));
        return measured;
    }

  private:
    [[nodiscard]] core::Where where(std::string field) const {
        return {.file = database.file(), .field = std::move(field), .offset = {}};
    }

    [[nodiscard]] Result<double> timeOf(const Statement& row, int column, const char* field) const {
        const double time = row.real(column);
        if (!std::isfinite(time) || time < 0) {
            return fail(ErrorCode::Format, fmt::format("expected a time of 0 or more, got {}", time),
                        where(field));
        }
        return time;
    }

    Result<> readEntries(std::string_view since, MeasuredModel& measured) {
        ET_ASSIGN(
            Statement row,
            database.prepare("SELECT m.id, f.id, f.measured, f.commit_name, m.method, m.cycles, m.runs, "
                             "m.time FROM measured_method m JOIN imported_file f ON f.id = m.file WHERE "
                             "m.model = ? AND f.measured >= ? ORDER BY f.measured, f.id, m.id"));
        ET_ASSIGN(Statement tags, database.prepare("SELECT key, value FROM file_tag WHERE file = ?"));
        ET_TRY(row.bind(model, since));
        for (;;) {
            ET_ASSIGN(const bool found, row.step());
            if (!found) {
                return {};
            }
            HistoryEntry entry{.measured = std::string(row.text(2)),
                               .commit = std::string(row.text(3)),
                               .method = std::string(row.text(4)),
                               .cycles = row.integer(5) != 0};
            if (row.integer(6) < 0) {
                return fail(ErrorCode::Format, fmt::format("expected 0 or more, got {}", row.integer(6)),
                            where("measured_method.runs"));
            }
            entry.runs = static_cast<std::uint64_t>(row.integer(6));
            ET_ASSIGN(entry.total, timeOf(row, 7, "measured_method.time"));
            ET_TRY(readTags(tags, row.integer(1), entry.tags));
            numbers.push_back(row.integer(0));
            measured.entries.push_back(std::move(entry));
        }
    }

    static Result<> readTags(Statement& row, std::int64_t file, Tags& tags) {
        ET_TRY(row.bind(file));
        for (;;) {
            ET_ASSIGN(const bool found, row.step());
            if (!found) {
                return {};
            }
            tags.emplace(row.text(0), row.text(1));
        }
    }

    Result<> readTimes(MeasuredModel& measured) {
        ET_ASSIGN(Statement row,
                  database.prepare("SELECT operator, time FROM operator_time WHERE measured = ?"));
        std::size_t times = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            ET_TRY(row.bind(numbers[i]));
            for (;;) {
                ET_ASSIGN(const bool found, row.step());
                if (!found) {
                    break;
                }
                if (++times > maxTimes) {
                    return fail(ErrorCode::Limit,
                                fmt::format("expected at most {} times of operators of a model; a later "
                                            "--since reads fewer",
                                            maxTimes),
                                where("operator_time"));
                }
                ET_ASSIGN(const double time, timeOf(row, 1, "operator_time.time"));
                const auto index = static_cast<std::uint32_t>(places.size());
                measured.entries[i].operators.emplace_back(
                    places.try_emplace(row.integer(0), index).first->second, time);
            }
        }
        return {};
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
                return fail(ErrorCode::Format, fmt::format("expected an operator {}", number),
                            where("operator_time.operator"));
            }
            ET_ASSIGN(measured.operators[index], operatorOf(row));
        }
        return {};
    }

    [[nodiscard]] Result<TrackedOperator> operatorOf(const Statement& row) const {
        const auto* const kind = std::ranges::find(operatorKinds, row.text(1), &OperatorKindTraits::name);
        if (kind == std::end(operatorKinds)) {
            return fail(ErrorCode::Format,
                        fmt::format("expected a kind of operator, got '{}'", core::printable(row.text(1))),
                        where("tracked_operator.kind"));
        }
        const std::int64_t occurrence = row.integer(3);
        if (occurrence < 0 || occurrence > std::numeric_limits<std::int32_t>::max()) {
            return fail(ErrorCode::Format, fmt::format("expected 0 or more, got {}", occurrence),
                        where("tracked_operator.occurrence"));
        }
        return TrackedOperator{.name = std::string(row.text(0)),
                               .kind = kind->kind,
                               .backend = std::string(row.text(2)),
                               .occurrence = static_cast<std::uint32_t>(occurrence)};
    }

    Database& database;
    std::int64_t model;
    std::vector<std::int64_t> numbers;  ///< rows of the entries
    std::unordered_map<std::int64_t, std::uint32_t> places;
};

}  // namespace

Result<MeasuredModel> readHistory(Database& database, std::int64_t model, std::string name,
                                  std::string_view since) {
    return HistoryReader(database, model).read(std::move(name), since);
}

}  // namespace et::inspector::store
