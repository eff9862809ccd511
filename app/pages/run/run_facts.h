#pragma once

#include "app/tasks/run/emulation.h"
#include "app/tasks/run/inputs.h"
#include "app/tasks/run/model.h"
#include "etdump/recorder.h"
#include "inspector/format/table.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

/// What a run says of itself, as values that print as text and as JSON (docs/json.md). Keys are snake_case
/// and stay; sizes are in bytes and times in milliseconds.
namespace et::cli {

/// How long the executions took, in nanoseconds.
struct Timings {
    std::uint64_t load = 0;
    std::uint64_t first = 0;              ///< of all, warm-up included; 0: none ended
    std::vector<std::uint64_t> measured;  ///< behind the warm-up
    std::uint64_t instructions = 0;       ///< of one execution
};

/// The names of the backends.
[[nodiscard]] inspector::report::List emulatedFacts(const Emulation& emulation);
[[nodiscard]] inspector::report::List inputFacts(const InputSet& inputs);
/// The method's outputs as they are now.
[[nodiscard]] inspector::report::List outputFacts(executor::Method& method);
/// "load", "first", "p50", "p90", "avg", "min", "max"; null where nothing was measured.
[[nodiscard]] inspector::report::Dict timeFacts(const Timings& timings);
/// Instructions in a second of the average execution; null where nothing was measured.
[[nodiscard]] inspector::report::Cell instructionRate(const Timings& timings);
[[nodiscard]] inspector::report::Dict memoryFacts(const executor::Method& method);
[[nodiscard]] inspector::report::Dict traceFacts(const etdump::RecorderOptions& options,
                                                 const etdump::RecordingFacts& recorded);
/// What taps did, one a delegate call of the program.
[[nodiscard]] inspector::report::List tapFacts(std::span<const etdump::TapFacts> taps);

}  // namespace et::cli
