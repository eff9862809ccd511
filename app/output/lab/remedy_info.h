#pragma once

#include "app/output/cells.h"
#include "app/tasks/lab/remedies.h"
#include "app/tasks/lab/remedy_trials.h"

#include <string>
#include <vector>

namespace et::output {

/// "remedies: 27.07 dB to 31.20 dB on the calibration inputs", and a line for each remedy that changed
/// something.
[[nodiscard]] std::string remedyText(const tasks::RemedyReport& report);
/// docs/reference/json_quantization.md, quantize.
[[nodiscard]] Dict remedyInfo(const tasks::RemedyReport& report);

/// A table of the gain of each remedy, with a recommendation. Empty without trials.
[[nodiscard]] std::string remedyTrialsText(const std::vector<tasks::RemedyTrial>& trials, Style style);
/// docs/reference/json_quantization.md, sensitivity.
[[nodiscard]] List remedyTrialsInfo(const std::vector<tasks::RemedyTrial>& trials);

}  // namespace et::output
