#pragma once

#include "inspector/graph/diagram.h"
#include "inspector/graph/graph_numbers.h"
#include "runtime/core/graph.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Meaning of the boxes' colours.
enum class Overlay : std::uint8_t {
    Kind,        ///< operator: a colour for each of the most frequent
    Dtype,       ///< of the first output
    Bytes,       ///< of all outputs
    Time,        ///< of one run
    Error,       ///< error of the runtime relative to the reference
    Partition,   ///< delegate that runs it
    Quantized,   ///< clusters of dequantize, compute, quantize
    Sensitivity  ///< error in the outputs from quantizing only this site
};

/// Time of instructions in one run.
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
    std::vector<std::string> fills;  ///< by box; empty: no colour
    std::vector<std::string> notes;  ///< by box: "0.41 ms, 12.5 %", for labels; mostly empty
    std::string title;               ///< legend title: "time of one run"
    std::vector<LegendEntry> legend;
};

/// Colours distinguishable with any kind of colour vision; notes contain numbers where colours show them.
/// `numbers` are for Overlay::Time, Error and Sensitivity. A box shows the numbers of the parts that it
/// contains; one with only some nodes of a part shows "part of" that number.
[[nodiscard]] BoxColours coloursOf(const core::ModelGraph& graph, const Diagram& diagram, Overlay overlay,
                                   const GraphNumbers& numbers = {});

/// Colours of words, most frequent first.
[[nodiscard]] std::span<const std::string_view> wordColours();
/// Colours of amounts, from low to high.
[[nodiscard]] std::span<const std::string_view> amountColours();

}  // namespace et::inspector
