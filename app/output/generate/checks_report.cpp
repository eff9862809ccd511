#include "app/output/generate/checks_report.h"

#include "inspector/format/json_text.h"
#include "inspector/format/text_cell.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::output {
namespace {

using inspector::format::Cell;
using inspector::format::Dict;
using inspector::format::List;
using inspector::format::optionalCell;
using inspector::format::Table;
using inspector::format::textCell;

constexpr std::int64_t checksSchema = 1;

Cell countCell(const std::optional<std::size_t>& number) {
    return number ? Cell(static_cast<std::uint64_t>(*number)) : Cell();
}

Dict checkInfo(const tasks::LanguageCheck& check) {
    return {{"check", check.name},
            {"verdict", std::string(tasks::checkVerdictName(check.verdict))},
            {"message", check.message},
            {"phase", textCell(check.phase)},
            {"position", countCell(check.position)},
            {"layer", countCell(check.layer)},
            {"place", textCell(check.place)},
            {"measured", optionalCell(check.measured)},
            {"limit", optionalCell(check.limit)}};
}

}  // namespace

bool failed(const CheckedLanguage& checked) {
    return std::ranges::contains(checked.checks, tasks::CheckVerdict::Fail, &tasks::LanguageCheck::verdict);
}

std::string checksText(const std::vector<CheckedLanguage>& all, const inspector::format::Style& style) {
    Table table{.columns = {{.id = "file", .header = "file"},
                            {.id = "check", .header = "check"},
                            {.id = "verdict", .header = "verdict"},
                            {.id = "phase", .header = "phase"},
                            {.id = "position", .header = "position", .numeric = true},
                            {.id = "layer", .header = "layer", .numeric = true},
                            {.id = "place", .header = "place"},
                            {.id = "message", .header = "message"}},
                .rows = {},
                .indexed = false,
                .heat = {}};
    std::size_t wrong = 0;
    for (const CheckedLanguage& each : all) {
        for (const tasks::LanguageCheck& check : each.checks) {
            table.rows.push_back({each.file, check.name, std::string(tasks::checkVerdictName(check.verdict)),
                                  textCell(check.phase), countCell(check.position), countCell(check.layer),
                                  textCell(check.place), check.message});
        }
        if (!each.error.empty()) {
            table.rows.push_back(
                {each.file, Cell(), std::string("error"), Cell(), Cell(), Cell(), Cell(), each.error});
        }
        wrong += failed(each) || !each.error.empty() ? 1 : 0;
    }
    return inspector::format::render(table, inspector::format::Format::Table, style) +
           fmt::format("{} program{}: {} pass, {} do not\n", all.size(), all.size() == 1 ? "" : "s",
                       all.size() - wrong, wrong);
}

std::string checksJson(const std::vector<CheckedLanguage>& all) {
    List files;
    for (const CheckedLanguage& each : all) {
        List checks;
        for (const tasks::LanguageCheck& check : each.checks) {
            checks.emplace_back(checkInfo(check));
        }
        files.emplace_back(Dict{{"file", each.file},
                                {"verdict", std::string(!each.error.empty() ? "error"
                                                        : failed(each)      ? "fail"
                                                                            : "pass")},
                                {"error", textCell(each.error)},
                                {"checks", checks}});
    }
    std::string json;
    inspector::format::appendJson(json, Cell(Dict{{"schema", checksSchema}, {"files", files}}));
    return json + "\n";
}

}  // namespace et::output
