#pragma once

#include "app/tasks/run/emulation.h"
#include "app/tasks/run/inputs.h"
#include "app/tasks/run/measure.h"
#include "app/tasks/run/model.h"
#include "etdump/recorder.h"
#include "inspector/format/table.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

/// Report of a run, as values that print as text and as JSON (docs/reference/json.md). Keys are snake_case
/// and stable; sizes are in bytes and times in milliseconds.
namespace et::app {

/// Names of the emulated backends.
[[nodiscard]] inspector::report::List emulatedInfo(const Emulation& emulation);
[[nodiscard]] inspector::report::List inputInfo(const InputSet& inputs);
/// The method's current outputs.
[[nodiscard]] inspector::report::List outputInfo(executor::Method& method);
/// "load", "first", "p50", "p90", "avg", "min", "max"; null if not measured.
[[nodiscard]] inspector::report::Dict timeInfo(const Timings& timings);
/// Instructions per second in the average execution; null if not measured.
[[nodiscard]] inspector::report::Cell instructionRate(const Timings& timings);
[[nodiscard]] inspector::report::Dict memoryInfo(const executor::Method& method);
[[nodiscard]] inspector::report::Dict traceInfo(const etdump::RecorderOptions& options,
                                                const etdump::RecordingInfo& recorded);
/// Results of the taps, one per delegate call of the program.
[[nodiscard]] inspector::report::List tapInfo(std::span<const etdump::TapInfo> taps);

}  // namespace et::app
