#pragma once

#include "etdump/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// How the phases of a trace were told.
enum class PhaseSource : std::uint8_t {
    None,            ///< nothing tells executions apart: loading and executions are all there is
    Recorded,        ///< `et-inspect generate` wrote them down
    MethodName,      ///< inferred: methods that are named after a phase
    SequenceLength,  ///< inferred: the logged results of the embedding
    Pattern,         ///< inferred: executions that take longer than the others by all their operators
};
/// "none", "recorded", "method", "sequence_length", "pattern".
[[nodiscard]] std::string_view phaseSourceName(PhaseSource source);

/// The phases that a trace of any model has.
inline constexpr std::string_view loadPhase = "load";
inline constexpr std::string_view executePhase = "execute";
/// And those of a language model, which is what it takes to have others than these two.
inline constexpr std::string_view prefillPhase = "prefill";
inline constexpr std::string_view decodePhase = "decode";

/// What a run was for.
struct RunPhase {
    std::string_view phase;                 ///< empty: neither loading nor an execution; lives as the trace
    std::optional<std::uint64_t> call;      ///< of this phase, from 0
    std::optional<std::uint64_t> position;  ///< of the first token in the context; nothing: not known
    std::uint64_t tokens = 0;               ///< 0: not known, or no execution

    friend bool operator==(const RunPhase&, const RunPhase&) = default;
};

/// A time that `et-inspect generate` wrote down (PhaseMark).
struct MarkedTime {
    etdump::EventIndex event = 0;
    RunPhase what;
    std::uint64_t executing = 0;  ///< ticks of the executions that lie in it
};

/// What every run of a trace was for.
struct RunPhases {
    std::vector<RunPhase> runs;     ///< one a run of the trace
    std::vector<MarkedTime> marks;  ///< by start; none but in PhaseSource::Recorded
    PhaseSource source = PhaseSource::None;
    std::string inference;  ///< how they were told, for people; empty unless it was inferred

    /// Whether it is known which executions are prefill and which are decode.
    [[nodiscard]] bool known() const { return source != PhaseSource::None; }
    /// Names of all phases, in order of appearance.
    [[nodiscard]] std::vector<std::string_view> names() const;
};

namespace detail {

struct RunGroups;

/// Tells the phases of all runs. `methods`: the method of each group, as far as it is known; may be empty.
[[nodiscard]] RunPhases findPhases(const etdump::Trace& trace, const RunGroups& groups,
                                   std::span<const std::string_view> methods);

}  // namespace detail
}  // namespace et::inspector
