#include "app/output/findings/findings_text.h"

#include "app/output/wrapped_text.h"
#include "inspector/findings/findings.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace et::output {
namespace {

using inspector::Finding;
using inspector::FindingRuleInfo;
using inspector::FindingUnit;

constexpr std::int64_t findingsSchema = 1;

struct UnitInfo {
    FindingUnit unit;
    std::string_view name;
};
constexpr std::array units{UnitInfo{FindingUnit::Nanoseconds, "ns"}, UnitInfo{FindingUnit::Bytes, "bytes"},
                           UnitInfo{FindingUnit::Cycles, "cycles"}};

/// The unit's name in JSON and TSV; no value for a finding without a measure.
Cell unitCell(FindingUnit unit) {
    const auto* const found = std::ranges::find(units, unit, &UnitInfo::unit);
    return found == units.end() ? Cell() : Cell(std::string(found->name));
}

Cell weightCell(const Finding& finding) {
    return finding.unit == FindingUnit::None ? Cell() : Cell(finding.weight);
}

std::string ruleSays(std::string_view id) {
    const auto rules = inspector::findingRules();
    const auto found = std::ranges::find(rules, id, &FindingRuleInfo::id);
    return found == rules.end() ? std::string() : std::string(found->says);
}

Cell shareCell(const Finding& finding) {
    const auto share = inspector::measuredShare(finding);
    return optionalCell(share);
}

Cell percentCell(const Finding& finding) {
    const auto share = inspector::measuredShare(finding);
    return share ? Cell(100 * *share) : Cell();
}

/// One row per finding, for people.
Table tableOf(const std::vector<Finding>& findings) {
    Table table{.columns = {textColumn("rule"), numberColumn("share", Measure::Percent), textColumn("weight"),
                            textColumn("method"), textColumn("finding")},
                .indexed = false};
    for (const Finding& each : findings) {
        table.rows.push_back({std::string(each.rule), percentCell(each), inspector::weightText(each),
                              textCell(core::printable(each.method)), each.title});
    }
    return table;
}

/// One row per finding with all fields, for scripts.
Table wholeTable(const std::vector<Finding>& findings) {
    Table table{.columns = {textColumn("rule"), numberColumn("share"), numberColumn("weight"),
                            textColumn("unit"), textColumn("method"), textColumn("instructions"),
                            textColumn("debug_handles"), textColumn("finding"), textColumn("explanation")},
                .indexed = false};
    for (const Finding& each : findings) {
        table.rows.push_back({std::string(each.rule), shareCell(each), weightCell(each), unitCell(each.unit),
                              textCell(each.method), numbersOf(each.instructions), numbersOf(each.handles),
                              each.title, each.explanation});
    }
    return table;
}

/// The cost of each finding and its remedy; findings of a rule with the same text share one entry.
std::string explanations(const std::vector<Finding>& findings, std::size_t width) {
    std::set<std::pair<std::string_view, std::string_view>> said;
    std::string out;
    for (const Finding& each : findings) {
        if (said.emplace(each.rule, each.explanation).second) {
            out += fmt::format("\n{}: {}\n  {}\n", each.rule, ruleSays(each.rule),
                               wrapped(core::printable(each.explanation), width - 2, 2));
        }
    }
    return out;
}

std::string json(const std::vector<Finding>& findings) {
    List list;
    for (const Finding& each : findings) {
        list.emplace_back(Dict{{"rule", std::string(each.rule)},
                               {"says", ruleSays(each.rule)},
                               {"finding", each.title},
                               {"explanation", each.explanation},
                               {"share", shareCell(each)},
                               {"weight", weightCell(each)},
                               {"unit", unitCell(each.unit)},
                               {"method", textCell(each.method)},
                               {"instructions", numbersOf(each.instructions)},
                               {"debug_handles", numbersOf(each.handles)}});
    }
    return jsonDocument(findingsSchema, {{"findings", std::move(list)}});
}

std::size_t textWidth(const Style& style) {
    constexpr std::size_t usualWidth = 100;
    constexpr std::size_t minWidth = 40;
    return std::max(style.width == 0 ? usualWidth : style.width, minWidth);
}

/// An entry per rule, for people.
std::string readableRules(std::size_t width) {
    std::string out;
    for (const FindingRuleInfo& rule : inspector::findingRules()) {
        out += fmt::format("{}: {}\n  {}\n  needs: {}; weight: {}\n", rule.id, rule.says,
                           wrapped(rule.condition, width - 2, 2), rule.needs, rule.weight);
    }
    return out;
}

}  // namespace

std::string findingsText(const std::vector<Finding>& findings, Format format, const Style& style) {
    if (format == Format::Json) {
        return json(findings);
    }
    if (format == Format::Tsv) {
        return render(wholeTable(findings), format, style);
    }
    if (findings.empty()) {
        return "no findings\n";
    }
    const std::size_t width = textWidth(style);
    const Style readable = style.withUnits();
    return render(tableOf(findings), format, readable) + explanations(findings, width);
}

std::string rulesText(Format format, const Style& style) {
    if (format == Format::Table) {
        return readableRules(textWidth(style));
    }
    Table table{
        .columns = {textColumn("rule"), textColumn("finds"), textColumn("needs"), textColumn("weight")},
        .indexed = false};
    for (const FindingRuleInfo& rule : inspector::findingRules()) {
        table.rows.push_back({std::string(rule.id), std::string(rule.condition), std::string(rule.needs),
                              std::string(rule.weight)});
    }
    const std::string_view title =
        format == Format::Markdown ? "# Rules of findings\n\nWhich rules does `et-inspect findings` have?\n\n"
                                   : "";
    return std::string(title) + render(table, format, style);
}

}  // namespace et::output
