#pragma once

#include "app/tasks/base/option_list.h"

// Commands declare their options with the list that workflows use.
namespace et::cli {

using tasks::Choice;
using tasks::choiceValue;
using tasks::fileValue;
using tasks::folderValue;
using tasks::Option;
using tasks::OptionKind;
using tasks::OptionList;
using tasks::SessionFile;
using tasks::timeScaleChoices;

}  // namespace et::cli
