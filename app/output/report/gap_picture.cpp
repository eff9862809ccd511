#include "app/output/report/gap_picture.h"

#include "inspector/plot/error_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace et::output {
namespace {

using inspector::format::Cell;
using inspector::plot::ErrorPlot;
using inspector::plot::ErrorRow;

constexpr double gapWidth = 1150;
constexpr double gapHeight = 260;
constexpr inspector::plot::Frame gapFrame{.area = {.x = 70, .y = 26, .width = 1068, .height = 206}};

/// One row for each operator, with the largest error of its outputs.
std::vector<ErrorRow> errorRows(const inspector::format::Table& table) {
    std::vector<ErrorRow> rows;
    std::optional<std::int64_t> last;
    for (const std::vector<Cell>& cells : table.rows) {
        const auto number = std::get<std::int64_t>(cells[0]);
        if (std::exchange(last, number) != number) {
            const auto* const name = std::get_if<std::string>(&cells[1]);
            rows.push_back({.numbers = {std::nullopt}, .tip = name == nullptr ? std::string() : *name});
        }
        ErrorRow& row = rows.back();
        if (const auto* const error = std::get_if<double>(&cells[2]); error != nullptr && *error >= 0) {
            row.numbers[0] = std::max(row.numbers[0].value_or(0), *error);
            row.tip += fmt::format("\nmax abs {:.4g}", *error);
        }
        const auto* const diverges = std::get_if<std::int64_t>(&cells[3]);
        row.diverges = row.diverges || (diverges != nullptr && *diverges != 0);
    }
    return rows;
}

}  // namespace

std::string gapPicture(const inspector::format::Table& table) {
    std::vector<ErrorRow> rows = errorRows(table);
    if (std::ranges::none_of(rows, [](const ErrorRow& row) { return row.numbers[0].has_value(); })) {
        return {};
    }
    inspector::plot::Scene scene;
    ErrorPlot({{.name = "max abs"}}, inspector::plot::ErrorScale::Logarithmic, std::move(rows))
        .addTo(scene, gapFrame);
    return inspector::plot::svgText(scene, gapWidth, gapHeight);
}

}  // namespace et::output
