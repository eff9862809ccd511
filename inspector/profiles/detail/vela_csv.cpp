#include "inspector/profiles/detail/csv_rows.h"
#include "inspector/profiles/detail/operator_list.h"
#include "inspector/profiles/detail/readers.h"

#include <algorithm>
#include <utility>

// A row per operator of the NPU: estimated cycles, memory, MACs, and the name of its output.
namespace et::inspector::profiles::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::string_view cyclesColumn = "Op Cycles";
constexpr std::string_view kindColumn = "NNG Operator";
constexpr std::string_view nameColumnOfVela = "Name";

Result<> takeLayer(const CsvTable& table, const CsvRow& row, OperatorList& operators) {
    const auto cycles = table.find({cyclesColumn});
    const auto kind = table.find({kindColumn});
    const auto name = table.find({nameColumnOfVela});
    if (!cycles || !kind) {
        return fail(ErrorCode::Format, "expected the columns \"Op Cycles\" and \"NNG Operator\"",
                    {.file = {}, .field = "line 1", .offset = {}});
    }
    ET_ASSIGN(const double time, numberIn(row, *cycles, cyclesColumn));
    ET_ASSIGN(ProfiledOperator * layer,
              operators.add(name && !row.cells[*name].empty() ? row.cells[*name] : row.cells[*kind]));
    ET_TRY(operators.addTime(*layer, time));
    addOtherCells(table, row, {cycles, name}, layer->columns);
    return {};
}

}  // namespace

bool isVelaCsv(std::string_view text) {
    const std::vector<std::string> header = csvHeader(text);
    return std::ranges::contains(header, cyclesColumn) && std::ranges::contains(header, kindColumn);
}

Result<VendorProfile> readVelaCsv(core::Bytes bytes) {
    OperatorList operators;
    ET_TRY(CsvTable::read(core::textOf(bytes), [&](const CsvTable& table, const CsvRow& row) {
        return takeLayer(table, row, operators);
    }));
    return VendorProfile{.tool = "Vela profile",
                         .backends = {"EthosUBackend"},
                         .unit = ProfileUnit::Cycles,
                         .operators = std::move(operators).take()};
}

}  // namespace et::inspector::profiles::detail
