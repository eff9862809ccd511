#include "app/serve/functions.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/compare/comparison_run.h"
#include "app/tasks/gap/gap_run.h"
#include "app/tasks/generate/conversation.h"
#include "app/tasks/run/run_settings.h"
#include "app/tasks/verify/verify_settings.h"
#include "inspector/format/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace et::serve {
namespace {

using inspector::format::Cell;
using Fields = inspector::format::Dict;
using Cells = inspector::format::List;

Cell limitCell(double number) {
    return std::isfinite(number) ? Cell(number) : Cell();
}

Cells textCells(const std::vector<std::string>& all) {
    return {all.begin(), all.end()};
}

/// Describes what `declare` adds.
template <class Settings>
Cells described(void (*declare)(tasks::OptionList&, Settings&)) {
    Settings settings;
    tasks::OptionList options;
    declare(options, settings);
    Cells all;
    for (const tasks::Option& option : options.all()) {
        if (!option.positional) {
            all.emplace_back(Fields{{"name", option.name()},
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
    Cells (*describe)();
};
constexpr std::array workflows{
    Workflow{"bench", [] { return described(&tasks::addBenchOptions); }},
    Workflow{"compare", [] { return described(&tasks::addCompareOptions); }},
    Workflow{"gap", [] { return described(&tasks::addGapOptions); }},
    Workflow{"generate", [] { return described(&addAllGenerateOptions); }},
    Workflow{"verify", [] { return described(&tasks::addVerifyOptions); }},
};

Value optionsOf(const std::string& workflow) {
    const auto* const found = std::ranges::find(workflows, workflow, &Workflow::name);
    return cellValue(Cell(found == workflows.end() ? Cells() : found->describe()));
}

constexpr std::array optionTable{function<&optionsOf>("options")};

}  // namespace

std::span<const Function> optionFunctions() {
    return optionTable;
}

}  // namespace et::serve
