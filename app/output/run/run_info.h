#pragma once

#include "app/tasks/model/emulation.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/model/measure.h"
#include "app/tasks/model/model.h"
#include "etdump/recorder.h"
#include "inspector/format/table.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

/// Report of a run, as values that print as text and as JSON (docs/reference/json.md). Keys are snake_case
/// and stable; sizes are in bytes and times in milliseconds.
namespace et::output {

/// Names of the emulated backends.
[[nodiscard]] inspector::format::List emulatedInfo(const tasks::Emulation& emulation);
[[nodiscard]] inspector::format::List inputInfo(const tasks::InputSet& inputs);
/// The method's current outputs.
[[nodiscard]] inspector::format::List outputInfo(executor::Method& method);
/// "load", "first", "p50", "p90", "avg", "min", "max"; null if not measured.
[[nodiscard]] inspector::format::Dict timeInfo(const tasks::Timings& timings);
/// Instructions per second in the average execution; null if not measured.
[[nodiscard]] inspector::format::Cell instructionRate(const tasks::Timings& timings);
[[nodiscard]] inspector::format::Dict memoryInfo(const executor::Method& method);
[[nodiscard]] inspector::format::Dict traceInfo(const etdump::RecorderOptions& options,
                                                const etdump::RecordingInfo& recorded);
/// Results of the taps, one per delegate call of the program.
[[nodiscard]] inspector::format::List tapInfo(std::span<const etdump::TapInfo> taps);

}  // namespace et::output
