#include "app/output/generate/bench_matrix.h"

#include <fmt/format.h>

#include <vector>

namespace et::output {
namespace {

constexpr std::int64_t matrixSchema = 1;

Cell rateText(std::size_t tokens, const std::vector<std::uint64_t>& times) {
    if (times.empty()) {
        return {};
    }
    const tasks::BenchRate rate = tasks::rateOf(tokens, times);
    return fmt::format("{:.1f} ± {:.1f}", rate.mean, rate.deviation);
}

Cell rateInfo(std::size_t tokens, const std::vector<std::uint64_t>& times) {
    if (times.empty()) {
        return {};
    }
    const tasks::BenchRate rate = tasks::rateOf(tokens, times);
    std::vector<double> milliseconds;
    for (const std::uint64_t each : times) {
        milliseconds.push_back(static_cast<double>(each) / 1e6);
    }
    return Dict{{"tokens_per_second", rate.mean},
                {"deviation", rate.deviation},
                {"min", rate.lowest},
                {"max", rate.highest},
                {"ms", milliseconds}};
}

void addRates(std::vector<Cell>& row, std::size_t tokens, const std::vector<std::uint64_t>& times) {
    const tasks::BenchRate rate = tasks::rateOf(tokens, times);
    for (const double number : {rate.mean, rate.deviation, rate.lowest, rate.highest}) {
        row.push_back(times.empty() ? Cell() : Cell(number));
    }
}

}  // namespace

Table matrixTable(std::span<const tasks::BenchCell> cells, bool forPeople) {
    Table table{.columns = {textColumn("file", forPeople ? "model" : "file"), numberColumn("threads"),
                            numberColumn("prompt_tokens", forPeople ? "prompt" : "prompt_tokens"),
                            numberColumn("generate_tokens", forPeople ? "generate" : "generate_tokens")},
                .indexed = false};
    for (const std::string phase : {"prefill", "decode"}) {
        if (forPeople) {
            table.columns.push_back(textColumn(phase, phase + " (tokens/s)"));
            continue;
        }
        for (const char* what : {"tokens_per_second", "deviation", "min", "max"}) {
            const std::string id = fmt::format("{}_{}", phase, what);
            table.columns.push_back(numberColumn(id));
        }
    }
    table.columns.push_back(textColumn("note"));
    for (const tasks::BenchCell& cell : cells) {
        std::vector<Cell> row{cell.file, static_cast<std::uint64_t>(cell.threads),
                              static_cast<std::uint64_t>(cell.prompt),
                              static_cast<std::uint64_t>(cell.generate)};
        if (forPeople) {
            row.push_back(rateText(cell.prompt, cell.prefill));
            row.push_back(rateText(cell.generate, cell.decode));
        } else {
            addRates(row, cell.prompt, cell.prefill);
            addRates(row, cell.generate, cell.decode);
        }
        row.push_back(textCell(cell.skipped));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string matrixJson(std::span<const tasks::BenchCell> cells) {
    List list;
    for (const tasks::BenchCell& cell : cells) {
        list.emplace_back(Dict{{"file", cell.file},
                               {"threads", static_cast<std::uint64_t>(cell.threads)},
                               {"prompt_tokens", static_cast<std::uint64_t>(cell.prompt)},
                               {"generate_tokens", static_cast<std::uint64_t>(cell.generate)},
                               {"prefill", rateInfo(cell.prompt, cell.prefill)},
                               {"decode", rateInfo(cell.generate, cell.decode)},
                               {"skipped", textCell(cell.skipped)}});
    }
    return jsonDocument(matrixSchema, {{"cells", list}});
}

}  // namespace et::output
