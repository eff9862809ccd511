#include "inspector/profiles/detail/csv_rows.h"
#include "inspector/profiles/detail/operator_list.h"
#include "inspector/profiles/detail/readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

// Rows: when, kind of event ("NODE": an operator), value, its unit, who measured, level (ROOT, SUB-EVENT),
// name. Runs follow one another; the events of a run have the same names as those of the run before.
namespace et::inspector::profiles::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::string_view messageColumn = "Message";
constexpr std::string_view timeColumn = "Time";
constexpr std::string_view unitColumn = "Unit of Measurement";
constexpr std::string_view nameColumn = "Event Identifier";

/// Events of whole runs, widest first.
constexpr std::array<std::string_view, 5> callEvents{"QNN (execute) time", "RPC (execute) time",
                                                     "QNN accelerator (execute) time",
                                                     "Accelerator (execute) time", "EXECUTE"};
constexpr std::string_view acceleratorTime = "Accelerator (execute) time";
constexpr std::string_view acceleratorCycles = "Accelerator (execute) time (cycles)";

constexpr double nanosecondsPerMicrosecond = 1000;

class QnnReader {
  public:
    Result<> take(const CsvTable& table, const CsvRow& row);
    Result<VendorProfile> finish() &&;

  private:
    struct Columns {
        std::size_t message, time, unit, name;
    };

    Result<Columns> columnsOf(const CsvTable& table) const;
    Result<> takeNode(const CsvTable& table, const CsvRow& row, const Columns& at);
    Result<> takeEvent(const CsvRow& row, const Columns& at);
    [[nodiscard]] double nanosecondsPerCycle(std::size_t run) const;
    [[nodiscard]] bool knowsCycles() const;
    void convert(std::vector<ProfiledOperator>& operators) const;

    OperatorList operators;
    std::map<std::string, std::vector<double>, std::less<>> events;  ///< of whole runs, by name
    std::vector<std::string> names;  ///< of `events`, in the order of the file
    std::map<std::string, std::string, std::less<>> units;
    bool inCycles = false;
    bool inMicroseconds = false;
};

Result<QnnReader::Columns> QnnReader::columnsOf(const CsvTable& table) const {
    const auto message = table.find({messageColumn});
    const auto time = table.find({timeColumn});
    const auto unit = table.find({unitColumn});
    const auto name = table.find({nameColumn});
    if (!message || !time || !unit || !name) {
        return fail(ErrorCode::Format,
                    fmt::format("expected the columns \"{}\", \"{}\", \"{}\" and \"{}\"", messageColumn,
                                timeColumn, unitColumn, nameColumn),
                    {.file = {}, .field = "line 1", .offset = {}});
    }
    return Columns{.message = *message, .time = *time, .unit = *unit, .name = *name};
}

Result<> QnnReader::take(const CsvTable& table, const CsvRow& row) {
    ET_ASSIGN(const Columns at, columnsOf(table));
    return row.cells[at.message] == "NODE" ? takeNode(table, row, at) : takeEvent(row, at);
}

Result<> QnnReader::takeNode(const CsvTable& table, const CsvRow& row, const Columns& at) {
    const std::string& unit = row.cells[at.unit];
    inCycles = inCycles || unit == "CYCLES";
    inMicroseconds = inMicroseconds || unit == "US";
    if (unit != "CYCLES" && unit != "US") {
        return fail(ErrorCode::Format,
                    fmt::format("expected US or CYCLES for an operator, got \"{}\"", core::printable(unit)),
                    {.file = {}, .field = fmt::format("line {}, {}", row.line, unitColumn), .offset = {}});
    }
    ET_ASSIGN(const double time, numberIn(row, at.time, timeColumn));
    ET_ASSIGN(ProfiledOperator * node, operators.named(row.cells[at.name]));
    ET_TRY(operators.addTime(*node, unit == "US" ? time * nanosecondsPerMicrosecond : time));
    if (node->times.size() > 1) {
        return {};
    }
    addOtherCells(table, row, {at.message, at.time, at.name}, node->columns);
    return {};
}

Result<> QnnReader::takeEvent(const CsvRow& row, const Columns& at) {
    const std::string& given = row.cells[at.name];
    const std::string name = given.empty() || given == "NULL" ? row.cells[at.message] : given;
    ET_ASSIGN(const double value, numberIn(row, at.time, timeColumn));
    if (!events.contains(name)) {
        if (names.size() == maxProfiledOperators) {
            return fail(ErrorCode::Limit, fmt::format("expected at most {} events", maxProfiledOperators));
        }
        names.push_back(name);
        units.emplace(name, row.cells[at.unit]);
    }
    events[name].push_back(value);
    return {};
}

bool QnnReader::knowsCycles() const {
    const auto time = events.find(acceleratorTime);
    const auto cycles = events.find(acceleratorCycles);
    return time != events.end() && cycles != events.end() &&
           std::ranges::any_of(cycles->second, [](double each) { return each > 0; });
}

/// Uses the mean of all runs if a run has no frequency.
double QnnReader::nanosecondsPerCycle(std::size_t run) const {
    const std::vector<double>& time = events.find(acceleratorTime)->second;
    const std::vector<double>& cycles = events.find(acceleratorCycles)->second;
    if (run < time.size() && run < cycles.size() && cycles[run] > 0) {
        return time[run] * nanosecondsPerMicrosecond / cycles[run];
    }
    double allTime = 0;
    double allCycles = 0;
    for (std::size_t i = 0; i < std::min(time.size(), cycles.size()); ++i) {
        allTime += time[i] * nanosecondsPerMicrosecond;
        allCycles += cycles[i];
    }
    return allCycles > 0 ? allTime / allCycles : 0;
}

void QnnReader::convert(std::vector<ProfiledOperator>& all) const {
    for (ProfiledOperator& each : all) {
        for (std::size_t run = 0; run < each.times.size(); ++run) {
            each.times[run] *= nanosecondsPerCycle(run);
        }
    }
}

Result<VendorProfile> QnnReader::finish() && {
    if (inCycles && inMicroseconds) {
        return fail(ErrorCode::Format, "expected operators in one unit, got both US and CYCLES");
    }
    VendorProfile profile{.tool = "QNN profile", .backends = {"QnnBackend"}};
    profile.operators = std::move(operators).take();
    if (inCycles && knowsCycles()) {
        convert(profile.operators);
    } else if (inCycles) {
        profile.unit = ProfileUnit::Cycles;
    }
    for (const std::string_view name : callEvents) {
        const auto known = events.find(name);
        if (known != events.end() && units[std::string(name)] == "US") {
            for (const double time : known->second) {
                profile.callTimes.push_back(time * nanosecondsPerMicrosecond);
            }
            break;
        }
    }
    for (const std::string& name : names) {
        const std::vector<double>& values = events[name];
        profile.columns.emplace_back(name, fmt::format("{} {}", values.front(), units[name]));
    }
    return profile;
}

}  // namespace

bool isQnnCsv(std::string_view text) {
    const std::vector<std::string> header = csvHeader(text);
    return std::ranges::contains(header, nameColumn) && std::ranges::contains(header, unitColumn) &&
           std::ranges::contains(header, messageColumn);
}

Result<VendorProfile> readQnnCsv(core::Bytes bytes) {
    QnnReader reader;
    ET_TRY(CsvTable::read(core::textOf(bytes),
                          [&](const CsvTable& table, const CsvRow& row) { return reader.take(table, row); }));
    return std::move(reader).finish();
}

}  // namespace et::inspector::profiles::detail
