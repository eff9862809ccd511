#pragma once

#include "inspector/comparison/measurement.h"
#include "inspector/format/time_scale.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace et::app {

/// Where baselines are; `asked`: a path, or empty for the default. Errors: NotFound (no home).
[[nodiscard]] core::Result<std::filesystem::path> baselineFile(const std::filesystem::path& asked);

enum class SideKind : std::uint8_t { Trace, Program, Baseline };

/// What is compared: a file, or a baseline.
struct Side {
    SideKind kind = SideKind::Trace;
    std::string name;              ///< a path, or the name of a baseline
    std::filesystem::path record;  ///< an ETRecord that goes with it; empty: none
};

/// Sides in the order given, and ETRecords among them: a record is of the sides before it that have none yet.
/// What is no file is the name of a baseline. Errors: Io, Format (a file of another kind), InvalidArgument (a
/// record before all sides).
[[nodiscard]] core::Result<std::vector<Side>> findSides(std::span<const std::string> arguments);

/// What a trace measured. Errors: those of the readers.
[[nodiscard]] core::Result<inspector::Measurement> openTrace(const Side& side, inspector::TimeScale scale,
                                                             const std::string& method);
/// The baseline in the file that baselineFile() gives for `store`. Errors: NotFound (neither a file nor a
/// baseline), those of the store.
[[nodiscard]] core::Result<inspector::Measurement> openBaseline(const Side& side,
                                                                const std::filesystem::path& store);

}  // namespace et::app
