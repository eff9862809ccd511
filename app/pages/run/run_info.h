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

/// What a run says of itself, as values that print as text and as JSON (docs/json.md). Keys are snake_case
/// and stay; sizes are in bytes and times in milliseconds.
namespace et::app {

/// The names of the backends.
[[nodiscard]] inspector::report::List emulatedInfo(const Emulation& emulation);
[[nodiscard]] inspector::report::List inputInfo(const InputSet& inputs);
/// The method's outputs as they are now.
[[nodiscard]] inspector::report::List outputInfo(executor::Method& method);
/// "load", "first", "p50", "p90", "avg", "min", "max"; null where nothing was measured.
[[nodiscard]] inspector::report::Dict timeInfo(const Timings& timings);
/// Instructions in a second of the average execution; null where nothing was measured.
[[nodiscard]] inspector::report::Cell instructionRate(const Timings& timings);
[[nodiscard]] inspector::report::Dict memoryInfo(const executor::Method& method);
[[nodiscard]] inspector::report::Dict traceInfo(const etdump::RecorderOptions& options,
                                                const etdump::RecordingInfo& recorded);
/// What taps did, one a delegate call of the program.
[[nodiscard]] inspector::report::List tapInfo(std::span<const etdump::TapInfo> taps);

}  // namespace et::app
