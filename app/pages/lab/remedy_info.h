#pragma once

#include "app/tasks/lab/remedies.h"
#include "app/tasks/lab/remedy_trials.h"
#include "inspector/format/table.h"

#include <string>
#include <vector>

namespace et::app {

/// "remedies: 27.07 dB to 31.20 dB on the calibration inputs", and a line for each remedy that changed
/// something.
[[nodiscard]] std::string remedyText(const RemedyReport& report);
/// docs/reference/json_quantization.md, quantize.
[[nodiscard]] inspector::report::Dict remedyInfo(const RemedyReport& report);

/// A table of the gain of each remedy, with a recommendation. Empty without trials.
[[nodiscard]] std::string remedyTrialsText(const std::vector<RemedyTrial>& trials,
                                           inspector::report::Style style);
/// docs/reference/json_quantization.md, sensitivity.
[[nodiscard]] inspector::report::List remedyTrialsInfo(const std::vector<RemedyTrial>& trials);

}  // namespace et::app
