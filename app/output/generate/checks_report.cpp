#include "app/output/generate/checks_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::output {
namespace {

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

std::string checksText(const std::vector<CheckedLanguage>& all, const Style& style) {
    Table table{.columns = {textColumn("file"), textColumn("check"), textColumn("verdict"),
                            textColumn("phase"), numberColumn("position"), numberColumn("layer"),
                            textColumn("place"), textColumn("message")},
                .indexed = false};
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
    return render(table, Format::Table, style) + fmt::format("{} program{}: {} pass, {} do not\n", all.size(),
                                                             all.size() == 1 ? "" : "s", all.size() - wrong,
                                                             wrong);
}

std::string checksJson(const std::vector<CheckedLanguage>& all) {
    List files;
    for (const CheckedLanguage& each : all) {
        files.emplace_back(Dict{{"file", each.file},
                                {"verdict", std::string(!each.error.empty() ? "error"
                                                        : failed(each)      ? "fail"
                                                                            : "pass")},
                                {"error", textCell(each.error)},
                                {"checks", listOf(each.checks, checkInfo)}});
    }
    return jsonDocument(checksSchema, {{"files", files}});
}

}  // namespace et::output
