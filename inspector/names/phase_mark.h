#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace et::inspector {

/// The block of a trace in which generations write down what they did when: an event each for every execution
/// and for what is between them. Their times are of the clock of the other blocks, so an execution belongs to
/// the event that it lies in. docs/formats.md has the grammar of the names.
inline constexpr std::string_view phaseBlockName = "Generate";

/// An event of that block: an execution of a phase, or work between executions.
struct PhaseMark {
    std::string_view phase;      ///< "prefill", "decode", "tokenize", "sample"
    std::uint64_t call = 0;      ///< of this phase, from 0
    std::uint64_t position = 0;  ///< of the first token
    std::uint64_t tokens = 0;    ///< 0: no execution

    friend bool operator==(const PhaseMark&, const PhaseMark&) = default;
};

/// "prefill 0: position 0, 12 tokens"; "decode 7: position 19, 1 token"; "sample 7: position 20".
[[nodiscard]] std::string phaseMarkName(const PhaseMark& mark);
/// Undoes it; the phase borrows `name`. Nothing for any other text.
[[nodiscard]] std::optional<PhaseMark> phaseMarkOf(std::string_view name);

}  // namespace et::inspector
