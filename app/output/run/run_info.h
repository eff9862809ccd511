#pragma once

#include "app/output/cells.h"
#include "app/tasks/model/emulation.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/model/measure.h"
#include "app/tasks/model/model.h"
#include "etdump/recorder.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

/// Report of a run, as values that print as text and as JSON (docs/reference/json.md). Keys are snake_case
/// and stable; sizes are in bytes and times in milliseconds.
namespace et::output {

/// Names of the emulated backends.
[[nodiscard]] List emulatedInfo(const tasks::Emulation& emulation);
[[nodiscard]] List inputInfo(const tasks::InputSet& inputs);
/// The method's current outputs.
[[nodiscard]] List outputInfo(executor::Method& method);
/// "load", "first", "p50", "p90", "avg", "min", "max"; null if not measured.
[[nodiscard]] Dict timeInfo(const tasks::Timings& timings);
/// Instructions per second in the average execution; null if not measured.
[[nodiscard]] Cell instructionRate(const tasks::Timings& timings);
[[nodiscard]] Dict memoryInfo(const executor::Method& method);
[[nodiscard]] Dict traceInfo(const etdump::RecorderOptions& options, const etdump::RecordingInfo& recorded);
/// Results of the taps, one per delegate call of the program.
[[nodiscard]] List tapInfo(std::span<const etdump::TapInfo> taps);

}  // namespace et::output
