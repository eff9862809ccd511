#include "app/output/train/train_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace et::output {
namespace {

using tasks::ParameterCheck;

constexpr std::int64_t gradientSchema = 1;

std::string verdictOf(const ParameterCheck& check) {
    return check.failed > 0 ? "fail" : "pass";
}

Cell shortCell(double number) {
    return std::isnan(number) ? Cell() : Cell(fmt::format("{:.4g}", number));
}

Dict elementInfo(const tasks::GradientElement& element) {
    return {{"index", std::uint64_t{element.index}},
            {"gradient", element.gradient},
            {"difference", element.difference},
            {"allowed", element.allowed}};
}

Dict parameterCheckInfo(const ParameterCheck& check) {
    return {{"name", check.name},
            {"type", check.type},
            {"verdict", verdictOf(check)},
            {"checked", std::uint64_t{check.checked}},
            {"failed", std::uint64_t{check.failed}},
            {"unsure", std::uint64_t{check.unsure}},
            {"worst", check.checked == 0 ? Cell() : Cell(elementInfo(check.worst))}};
}

std::string summaryOf(const std::vector<CheckedGradients>& all) {
    const auto passed = static_cast<std::size_t>(std::ranges::count_if(all, &CheckedGradients::passed));
    return fmt::format("{} program{}: {} pass, {} do not\n", all.size(), plural(all.size()), passed,
                       all.size() - passed);
}

}  // namespace

std::string gradientsText(const std::vector<CheckedGradients>& all, const Style& style) {
    Table table{
        .columns = {textColumn("file"), textColumn("parameter"), textColumn("verdict"), textColumn("checked"),
                    textColumn("failed"), textColumn("unsure"), textColumn("element"), textColumn("gradient"),
                    textColumn("difference"), textColumn("message")},
        .indexed = false};
    for (const CheckedGradients& each : all) {
        for (const ParameterCheck& check : each.check.parameters) {
            table.rows.push_back({each.file, fmt::format("{} {}", check.name, check.type), verdictOf(check),
                                  std::uint64_t{check.checked}, std::uint64_t{check.failed},
                                  std::uint64_t{check.unsure}, std::uint64_t{check.worst.index},
                                  shortCell(check.worst.gradient), shortCell(check.worst.difference),
                                  Cell()});
        }
        if (const std::string& problem = each.error.empty() ? each.check.problem : each.error;
            !problem.empty()) {
            table.rows.push_back({each.file, Cell(), std::string(each.error.empty() ? "fail" : "error"),
                                  Cell(), Cell(), Cell(), Cell(), Cell(), Cell(), problem});
        }
    }
    return render(table, Format::Table, style) + summaryOf(all);
}

std::string gradientsJson(const std::vector<CheckedGradients>& all) {
    List files;
    for (const CheckedGradients& each : all) {
        files.emplace_back(Dict{{"file", each.file},
                                {"verdict", std::string(!each.error.empty() ? "error"
                                                        : each.passed()     ? "pass"
                                                                            : "fail")},
                                {"error", textCell(each.error.empty() ? each.check.problem : each.error)},
                                {"method", textCell(each.check.method)},
                                {"loss", std::isfinite(each.check.loss) ? Cell(each.check.loss) : Cell()},
                                {"tolerance", each.check.tolerance},
                                {"parameters", listOf(each.check.parameters, parameterCheckInfo)}});
    }
    return jsonDocument(gradientSchema, {{"files", std::move(files)}});
}

}  // namespace et::output
