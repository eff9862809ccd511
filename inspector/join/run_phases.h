#pragma once

#include "etdump/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// How the phases of a trace were determined.
enum class PhaseSource : std::uint8_t {
    None,            ///< not determined: only loading and executions are distinguished
    Recorded,        ///< recorded by `et-inspect generate`
    MethodName,      ///< inferred from methods named after a phase
    SequenceLength,  ///< inferred from the logged results of the embedding
    Pattern,         ///< inferred from executions in which all operators take longer than in the others
};
/// "none", "recorded", "method", "sequence_length", "pattern".
[[nodiscard]] std::string_view phaseSourceName(PhaseSource source);

/// Phases of a trace of any model.
inline constexpr std::string_view loadPhase = "load";
inline constexpr std::string_view executePhase = "execute";
/// Additional phases, which only language models have.
inline constexpr std::string_view prefillPhase = "prefill";
inline constexpr std::string_view decodePhase = "decode";

/// The phase of a run and its position in the generation.
struct RunPhase {
    std::string_view phase;  ///< empty: neither loading nor an execution; lives as long as the trace
    std::optional<std::uint64_t> call;      ///< index within this phase, from 0
    std::optional<std::uint64_t> position;  ///< position of the first token in the context; empty: unknown
    std::uint64_t tokens = 0;               ///< 0: unknown, or not an execution

    friend bool operator==(const RunPhase&, const RunPhase&) = default;
};

/// A time recorded by `et-inspect generate` (PhaseMark).
struct MarkedTime {
    etdump::EventIndex event = 0;
    RunPhase what;
    std::uint64_t executing = 0;  ///< ticks of the executions inside it
};

/// The phase of every run of a trace.
struct RunPhases {
    std::vector<RunPhase> runs;     ///< one per run of the trace
    std::vector<MarkedTime> marks;  ///< sorted by start; empty except in PhaseSource::Recorded
    PhaseSource source = PhaseSource::None;
    std::string inference;  ///< how they were inferred, for messages; empty if not inferred

    /// Whether prefill and decode executions are known.
    [[nodiscard]] bool known() const { return source != PhaseSource::None; }
    /// Names of all phases, in order of appearance.
    [[nodiscard]] std::vector<std::string_view> names() const;
};

namespace join::detail {

struct RunGroups;

/// Determines the phase of all runs. `methods`: the method of each group, as far as known; may be empty.
[[nodiscard]] RunPhases findPhases(const etdump::Trace& trace, const RunGroups& groups,
                                   std::span<const std::string_view> methods);

}  // namespace join::detail
}  // namespace et::inspector
