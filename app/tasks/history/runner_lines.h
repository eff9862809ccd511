#pragma once

#include "inspector/comparison/measurement.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

namespace et::app {

/// Whether a text, such as the log of a device, has a line of statistics.
[[nodiscard]] bool hasRunnerLines(core::Bytes bytes);

/// What ExecuTorch's LLM runner says after each generation, `PyTorchObserver {JSON}` anywhere in a line of a
/// text: the method "load", and, of each token, "prefill" (with tokenizing) and "decode", each with a time
/// for each line. What a line has none of (nothing was generated) is left out. What executor_runner says of
/// its times (devices::RunnerLog) is "load" and its method. Errors: Format (no JSON, a
/// field that is missing or wrong; names the line), Limit.
[[nodiscard]] core::Result<inspector::Measurement> readRunnerLines(core::Bytes bytes);

}  // namespace et::app
