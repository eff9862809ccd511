#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace et::inspector {

/// Name of the trace block in which generations record their phases: one event per execution, and events for
/// the work between executions. Their times use the clock of the other blocks, so an execution belongs to the
/// event that contains it. docs/reference/formats.md has the grammar of the names.
inline constexpr std::string_view phaseBlockName = "Generate";

/// An event of that block: an execution of a phase, or work between executions.
struct PhaseMark {
    std::string_view phase;      ///< "prefill", "decode", "tokenize", "sample"
    std::uint64_t call = 0;      ///< index within this phase, from 0
    std::uint64_t position = 0;  ///< position of the first token
    std::uint64_t tokens = 0;    ///< 0: not an execution

    friend bool operator==(const PhaseMark&, const PhaseMark&) = default;
};

/// "prefill 0: position 0, 12 tokens"; "decode 7: position 19, 1 token"; "sample 7: position 20".
[[nodiscard]] std::string phaseMarkName(const PhaseMark& mark);
/// Inverse of phaseMarkName(); the phase borrows `name`. Nothing for any other text.
[[nodiscard]] std::optional<PhaseMark> parsePhaseMark(std::string_view name);

}  // namespace et::inspector
