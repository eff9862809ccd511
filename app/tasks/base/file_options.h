#pragma once

#include "app/tasks/base/option_list.h"
#include "inspector/format/trace_clock.h"

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

// Options for files that many workflows take.
namespace et::tasks {

/// A program, preferably with its test cases.
inline constexpr std::initializer_list<SessionFile> anyProgram{SessionFile::Bundle, SessionFile::Program};

/// Adds MODEL, a program or bundled program, which must be given.
Option& addModelFile(OptionList& options, std::filesystem::path& model);

/// Adds the ETRecord of the model that an argument names; `names`: usually "--etrecord".
Option& addRecordFile(OptionList& options, std::string_view names, std::filesystem::path& record,
                      std::string help);

/// Adds --data, the external weights of the model that an argument names.
void addTensorData(OptionList& options, std::vector<std::filesystem::path>& files);

/// Adds --source-time-scale (with `names` as its names) and --delegate-time-scale.
void addTraceClock(OptionList& options, inspector::TraceClock& clock,
                   std::string_view names = "--source-time-scale");

}  // namespace et::tasks
