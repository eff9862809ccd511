#pragma once

#include "inspector/graph/diagram.h"
#include "runtime/core/graph.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// What the colours of boxes say.
enum class Overlay : std::uint8_t {
    Kind,   ///< operators: a colour for each of the most frequent
    Dtype,  ///< of the first output
    Bytes,  ///< of all outputs
    Time    ///< of one run
};

/// What instructions took in one run.
struct InstructionTimes {
    std::map<core::InstructionId, double> times{};
    std::string unit{};  ///< "ms"
};

struct LegendEntry {
    std::string colour;  ///< "#a6cee3"
    std::string text;
};

/// Colours of the boxes of a diagram.
struct BoxColours {
    std::vector<std::string> fills;  ///< by box; empty: no colour of its own
    std::vector<std::string> notes;  ///< by box: "0.41 ms, 12.5 %", for labels; mostly empty
    std::string title;               ///< of the legend: "time of one run"
    std::vector<LegendEntry> legend;
};

/// `times` are for Overlay::Time. A box of which only a part of an instruction is (an operator inside of a
/// delegate) has no time: traces do not say it by node.
[[nodiscard]] BoxColours coloursOf(const core::ModelGraph& graph, const Diagram& diagram, Overlay overlay,
                                   const InstructionTimes& times = {});

}  // namespace et::inspector
