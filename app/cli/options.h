#pragma once

#include "app/tasks/base/option_list.h"
#include "inspector/format/time_scale.h"

#include <array>
#include <cstddef>

// Commands declare their options with the list that workflows use.
namespace et::cli {

using tasks::Choice;
using tasks::choiceValue;
using tasks::fileValue;
using tasks::folderValue;
using tasks::Option;
using tasks::OptionKind;
using tasks::OptionList;

/// Time units accepted by --source-time-scale and --target-time-scale.
inline constexpr auto timeScaleChoices = [] {
    std::array<Choice<inspector::TimeScale>, inspector::timeScales.size()> choices{};
    for (std::size_t i = 0; i < choices.size(); ++i) {
        choices[i] = {inspector::timeScales[i].name, inspector::timeScales[i].scale};
    }
    return choices;
}();

}  // namespace et::cli
