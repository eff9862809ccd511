#include "inspector/findings/findings.h"

#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/output_options.h"
#include "app/cli/session/session_input.h"
#include "app/pages/wrapped_text.h"
#include "inspector/format/json_text.h"
#include "inspector/format/table.h"
#include "inspector/format/text_cell.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::Finding;
using inspector::FindingRuleFacts;
using inspector::FindingUnit;
using inspector::report::Cell;
using inspector::report::Column;
using inspector::report::Dict;
using inspector::report::Format;
using inspector::report::List;
using inspector::report::Table;
using inspector::report::textCell;

constexpr std::array formats{Word{"table", Format::Table}, Word{"json", Format::Json},
                             Word{"tsv", Format::Tsv}};

constexpr std::int64_t schema = 1;

struct UnitInfo {
    FindingUnit unit;
    std::string_view name;
};
constexpr std::array units{UnitInfo{FindingUnit::Nanoseconds, "ns"}, UnitInfo{FindingUnit::Bytes, "bytes"},
                           UnitInfo{FindingUnit::Cycles, "cycles"}};

/// The unit as JSON and TSV name it; no value for a finding without a measure.
Cell unitCell(FindingUnit unit) {
    const auto* const found = std::ranges::find(units, unit, &UnitInfo::unit);
    return found == units.end() ? Cell() : Cell(std::string(found->name));
}

Cell weightCell(const Finding& finding) {
    return finding.unit == FindingUnit::None ? Cell() : Cell(finding.weight);
}

std::string ruleSays(std::string_view id) {
    const auto rules = inspector::findingRules();
    const auto found = std::ranges::find(rules, id, &FindingRuleFacts::id);
    return found == rules.end() ? std::string() : std::string(found->says);
}

template <class Ids>
std::vector<std::int64_t> numbersOf(const Ids& ids) {
    std::vector<std::int64_t> numbers;
    std::ranges::transform(ids, std::back_inserter(numbers),
                           [](auto id) { return static_cast<std::int64_t>(id.value); });
    return numbers;
}

Cell shareCell(const Finding& finding) {
    const auto share = inspector::measuredShare(finding);
    return share ? Cell(*share) : Cell();
}

Cell percentCell(const Finding& finding) {
    const auto share = inspector::measuredShare(finding);
    return share ? Cell(100 * *share) : Cell();
}

Column column(const char* id, const char* header, bool numeric = false) {
    return {.id = id, .header = header, .numeric = numeric};
}

/// One row a finding, as it is read.
Table tableOf(const std::vector<Finding>& findings) {
    Table table{.columns = {column("rule", "rule"),
                            {.id = "share",
                             .header = "share",
                             .numeric = true,
                             .measure = inspector::report::Measure::Percent},
                            column("weight", "weight"),
                            column("method", "method"),
                            column("finding", "finding")},
                .rows = {},
                .indexed = false,
                .heat = {}};
    for (const Finding& each : findings) {
        table.rows.push_back({std::string(each.rule), percentCell(each), inspector::weightText(each),
                              textCell(each.method), each.title});
    }
    return table;
}

/// One row a finding, for programs.
Table wholeTable(const std::vector<Finding>& findings) {
    Table table{
        .columns = {column("rule", "rule"), column("share", "share", true), column("weight", "weight", true),
                    column("unit", "unit"), column("method", "method"),
                    column("instructions", "instructions"), column("debug_handles", "debug_handles"),
                    column("finding", "finding"), column("explanation", "explanation")},
        .rows = {},
        .indexed = false,
        .heat = {}};
    for (const Finding& each : findings) {
        table.rows.push_back({std::string(each.rule), shareCell(each), weightCell(each), unitCell(each.unit),
                              textCell(each.method), numbersOf(each.instructions), numbersOf(each.handles),
                              each.title, each.explanation});
    }
    return table;
}

/// Why each costs and what to do about it, once where several findings of a rule say the same.
std::string explanations(const std::vector<Finding>& findings, std::size_t width) {
    std::set<std::pair<std::string_view, std::string_view>> said;
    std::string out;
    for (const Finding& each : findings) {
        if (said.emplace(each.rule, each.explanation).second) {
            out += fmt::format("\n{}: {}\n  {}\n", each.rule, ruleSays(each.rule),
                               wrapped(terminalSafe(each.explanation), width - 2, 2));
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
    std::string text;
    inspector::report::appendJson(text, Cell(Dict{{"schema", schema}, {"findings", std::move(list)}}));
    return text + "\n";
}

/// The rules, whatever is open.
std::string rulesText(Format format, inspector::report::Style style) {
    Table table{.columns = {column("rule", "rule"), column("says", "finds")},
                .rows = {},
                .indexed = false,
                .heat = {}};
    for (const FindingRuleFacts& rule : inspector::findingRules()) {
        table.rows.push_back({std::string(rule.id), std::string(rule.says)});
    }
    return inspector::report::render(table, format, style);
}

/// Says what a person would look at first.
class FindingsVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "findings"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Say what to look at first: what costs time or memory, by rules";
    }
    [[nodiscard]] std::string details() const override {
        return "FILE is a session that 'et-inspect session save' wrote, or programs, records, traces, debug "
               "buffers and bundled programs in any order. Each finding names its rule, what it costs and "
               "why; the one with the largest share of a run's time, or of the memory, comes first. Rules "
               "whose files are not there find nothing, and finding nothing is no error.";
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect findings trace.etdp model.pte model.etrecord",
             "Where time and memory go needlessly"},
            {"et-inspect findings model.pte --format json", "What the program alone tells, for scripts"},
            {"et-inspect findings session.db --format tsv -o findings.tsv",
             "Of a session, for a spreadsheet"},
            {"et-inspect findings --rules", "What is looked for"},
        };
    }
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] std::string render(const std::vector<Finding>& findings, const Console& console) const;

    SessionInput input;
    bool listRules = false;
    Format format = Format::Table;
    OutputOptions output;
};

void FindingsVerb::addOptions(CLI::App& app) {
    app.option_defaults()->group("Input");
    app.add_option("FILE", input.files, "Session, or files of any mix that belong together")
        ->type_name(fileValue);
    addJoinOptions(app, input);
    app.option_defaults()->group("Output");
    app.add_flag("--rules", listRules, "List the rules");
    addChoice(app, "--format", format, formats, "How to print (default: table)");
    addOutputOptions(app, output);
}

std::string FindingsVerb::render(const std::vector<Finding>& findings, const Console& console) const {
    if (format == Format::Json) {
        return json(findings);
    }
    const inspector::report::Style style = output.style(console);
    if (format == Format::Tsv) {
        return inspector::report::render(wholeTable(findings), format, style);
    }
    if (findings.empty()) {
        return "nothing to look at first\n";
    }
    constexpr std::size_t usual = 100;
    constexpr std::size_t least = 40;
    const std::size_t width = std::max(style.width == 0 ? usual : style.width, least);
    inspector::report::Style readable = style;
    readable.adaptUnits = true;
    return inspector::report::render(tableOf(findings), format, readable) + explanations(findings, width);
}

Result<ExitCode> FindingsVerb::run(const Invocation& invocation) {
    if (listRules) {
        ET_TRY(deliver(invocation.console, output,
                       producerOf(rulesText(format, output.style(invocation.console))), {}));
        return ExitCode::Fine;
    }
    if (input.files.empty()) {
        return fail(ErrorCode::InvalidArgument, "expected a session or other files");
    }
    ET_ASSIGN(const auto store, findStore(input.files));
    ET_ASSIGN(const auto session, openInput(input, store, invocation.console));
    const std::vector<Finding> found = inspector::findings(*session);
    ET_TRY(deliver(invocation.console, output, producerOf(render(found, invocation.console)), input.files));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeFindingsVerb() {
    return std::make_unique<FindingsVerb>();
}

}  // namespace et::cli
