#include "inspector/profiles/detail/csv_rows.h"
#include "inspector/profiles/detail/operator_list.h"
#include "inspector/profiles/detail/readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

// The table of the Functions view: a row per function with the number of its samples ("Self"), their share of
// all
// ("% Self"), and where the function is.
namespace et::inspector::profiles::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::string_view functionColumn = "Function Name";
constexpr std::string_view shareColumn = "% Self";

/// A percentage, with or without its sign, as a share from 0 to 1.
std::optional<double> shareIn(std::string_view text) {
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view rest = text.substr(static_cast<std::size_t>(read.ptr - text.data()));
    constexpr double percent = 100;
    if (read.ec != std::errc() || !(number >= 0 && number <= percent) ||
        (!rest.empty() && rest != "%" && rest != " %")) {
        return std::nullopt;
    }
    return number / percent;
}

Result<> takeFunction(const CsvTable& table, const CsvRow& row, OperatorList& operators) {
    const auto name = table.find({functionColumn});
    const auto share = table.find({shareColumn});
    if (!name || !share) {
        return fail(ErrorCode::Format,
                    fmt::format("expected the columns \"{}\" and \"{}\"", functionColumn, shareColumn),
                    {.file = {}, .field = "line 1", .offset = {}});
    }
    const auto time = shareIn(row.cells[*share]);
    if (!time) {
        return fail(ErrorCode::Format,
                    fmt::format("expected a percentage from 0 to 100, got \"{}\"",
                                core::printable(row.cells[*share])),
                    {.file = {}, .field = fmt::format("line {}, {}", row.line, shareColumn), .offset = {}});
    }
    ET_ASSIGN(ProfiledOperator * function, operators.add(row.cells[*name]));
    ET_TRY(operators.addTime(*function, *time));
    addOtherCells(table, row, {name}, function->columns);
    return {};
}

}  // namespace

bool isStreamlineCsv(std::string_view text) {
    const std::vector<std::string> header = csvHeader(text);
    return std::ranges::contains(header, functionColumn) && std::ranges::contains(header, shareColumn);
}

Result<VendorProfile> readStreamlineCsv(core::Bytes bytes) {
    OperatorList operators;
    ET_TRY(CsvTable::read(core::textOf(bytes), [&](const CsvTable& table, const CsvRow& row) {
        return takeFunction(table, row, operators);
    }));
    return VendorProfile{
        .tool = "Streamline profile", .unit = ProfileUnit::Share, .operators = std::move(operators).take()};
}

}  // namespace et::inspector::profiles::detail
