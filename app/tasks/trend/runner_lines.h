#pragma once

#include "inspector/comparison/measurement.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

namespace et::tasks {

/// True if a text, such as the log of a device, contains a line of statistics.
[[nodiscard]] bool hasRunnerLines(core::Bytes bytes);

/// Reads statistics printed by ExecuTorch's LLM runner after each generation, `PyTorchObserver {JSON}`
/// anywhere in a line of a text: the method "load", and per token "prefill" (including tokenization) and
/// "decode", with one time per line. Missing values (nothing was generated) are skipped. Times printed by
/// executor_runner (devices::RunnerLog) become "load" and its method. Errors: Format (invalid JSON, a missing
/// or invalid field; names the line), Limit.
[[nodiscard]] core::Result<inspector::Measurement> readRunnerLines(core::Bytes bytes);

}  // namespace et::tasks
