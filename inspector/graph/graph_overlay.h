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

/// What the colours of boxes say.
enum class Overlay : std::uint8_t {
    Kind,        ///< operators: a colour for each of the most frequent
    Dtype,       ///< of the first output
    Bytes,       ///< of all outputs
    Time,        ///< of one run
    Error,       ///< how far the runtime is off the reference
    Partition,   ///< which delegate runs it
    Quantized,   ///< clusters of dequantize, compute, quantize
    Sensitivity  ///< what quantizing a site alone does to the outputs
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

/// Colours that are told apart by people who see colours differently, too; there are notes where they say
/// numbers. `numbers` are for Overlay::Time, Error and Sensitivity. A box has the numbers of the parts that
/// are in it; one that holds only some nodes of a part says that it is "part of" that number.
[[nodiscard]] BoxColours coloursOf(const core::ModelGraph& graph, const Diagram& diagram, Overlay overlay,
                                   const GraphNumbers& numbers = {});

/// The colours of words, most frequent first.
[[nodiscard]] std::span<const std::string_view> wordColours();

}  // namespace et::inspector
