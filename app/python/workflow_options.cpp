#include "app/python/cells.h"
#include "app/python/workflows.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/compare/comparison_run.h"
#include "app/tasks/gap/gap_run.h"
#include "app/tasks/generate/conversation.h"
#include "app/tasks/run/run_settings.h"
#include "app/tasks/verify/verify_settings.h"
#include "inspector/format/table.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;
using inspector::format::Cell;
using inspector::format::Dict;
using inspector::format::List;

Cell limitCell(double number) {
    return std::isfinite(number) ? Cell(number) : Cell();
}

List textCells(const std::vector<std::string>& all) {
    return {all.begin(), all.end()};
}

/// Describes what `declare` adds.
template <class Settings>
List described(void (*declare)(tasks::OptionList&, Settings&)) {
    Settings settings;
    tasks::OptionList options;
    declare(options, settings);
    List all;
    for (const tasks::Option& option : options.all()) {
        if (!option.positional) {
            all.emplace_back(Dict{{"name", option.name()},
                                  {"help", option.help},
                                  {"flag", option.kind == tasks::OptionKind::Flag},
                                  {"repeatable", option.repeatable},
                                  {"default", textCells(option.values())},
                                  {"choices", textCells(option.choices)},
                                  {"least", limitCell(option.range.least)},
                                  {"most", limitCell(option.range.most)}});
        }
    }
    return all;
}

void addAllGenerateOptions(tasks::OptionList& options, tasks::GenerateSettings& settings) {
    tasks::addGenerateOptions(options, settings);
    tasks::addSurpriseOption(options, settings);
}

struct Workflow {
    std::string_view name;
    List (*describe)();
};
constexpr std::array workflows{
    Workflow{"bench", [] { return described(&tasks::addBenchOptions); }},
    Workflow{"compare", [] { return described(&tasks::addCompareOptions); }},
    Workflow{"gap", [] { return described(&tasks::addGapOptions); }},
    Workflow{"generate", [] { return described(&addAllGenerateOptions); }},
    Workflow{"verify", [] { return described(&tasks::addVerifyOptions); }},
};

nb::object optionsOf(const std::string& workflow) {
    const auto* const found = std::ranges::find(workflows, workflow, &Workflow::name);
    return value(Cell(found == workflows.end() ? List() : found->describe()));
}

}  // namespace

void bindWorkflowOptions(nb::module_& module) {
    module.def(
        "options", &optionsOf, "workflow"_a, nb::sig("def options(workflow: str) -> list[dict[str, object]]"),
        "The options of bench, compare, gap, generate or verify, as the command line declares them: name, "
        "help, flag, repeatable, default (texts), choices, least and most. Empty for other workflows.");
}

}  // namespace et::python
