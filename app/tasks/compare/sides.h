#pragma once

#include "inspector/comparison/measurement.h"
#include "inspector/format/trace_clock.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {

class OptionList;

/// Path of the baseline store; `asked`: a path, or empty for the default. Errors: NotFound (no home
/// directory).
[[nodiscard]] core::Result<std::filesystem::path> baselineFile(const std::filesystem::path& asked);
/// Adds --store, the database of baselines and histories.
void addStoreOption(OptionList& options, std::filesystem::path& store);

enum class SideKind : std::uint8_t { Trace, Program, Baseline };

/// A side of a comparison: a file, or a baseline.
struct Side {
    SideKind kind = SideKind::Trace;
    std::string name;              ///< a path, or the name of a baseline
    std::filesystem::path record;  ///< its ETRecord; empty: none
};

/// Returns sides in the given order. An ETRecord among the arguments is assigned to the preceding sides that
/// have none. An argument that is not a file is the name of a baseline. Errors: Io, Format (a file of another
/// kind), InvalidArgument (a record before all sides).
[[nodiscard]] core::Result<std::vector<Side>> findSides(std::span<const std::string> arguments);

/// Returns the measurement of a trace. Errors: those of the readers.
[[nodiscard]] core::Result<inspector::Measurement> openTrace(const Side& side,
                                                             const inspector::TraceClock& clock,
                                                             const std::string& method);
/// Measurement of a trace as a whole, and by phase (prefill, decode) if its phases are known.
struct TraceTimes {
    inspector::Measurement whole;
    std::optional<inspector::Measurement> byPhase;
};
/// Errors: as openTrace().
[[nodiscard]] core::Result<TraceTimes> openTraceTimes(const Side& side, const inspector::TraceClock& clock,
                                                      const std::string& method);
/// Returns the baseline from the store at baselineFile(store). Errors: NotFound (neither a file nor a
/// baseline), those of the store.
[[nodiscard]] core::Result<inspector::Measurement> openBaseline(const Side& side,
                                                                const std::filesystem::path& store);

}  // namespace et::tasks
