#pragma once

#include "inspector/join/event_blocks.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The time of a generation by execution; its trace records the text positions of each
/// (inspector/names/phase_mark.h).
namespace et::inspector::events {

/// One execution of a generation.
struct GenerationCall {
    bool isPrefill = false;      ///< else decode
    std::uint64_t position = 0;  ///< of its first token
    std::uint64_t tokens = 1;
    std::uint64_t first = 0;  ///< ticks of the trace's clock, including setting the inputs; inclusive range
    std::uint64_t last = 0;

    [[nodiscard]] bool covers(std::uint64_t at) const { return at >= position && at - position < tokens; }
};

/// The executions recorded in a trace, in chronological order. Empty if it is not a generation.
[[nodiscard]] std::vector<GenerationCall> generationCalls(const EventBlocks& blocks);

/// Time by module (or operator, without a record) and execution.
struct PositionTimes {
    struct Row {
        std::string name;
        std::vector<std::pair<std::size_t, std::size_t>> events;  ///< block and event
        double total = 0;                                         ///< in the target unit
    };
    std::vector<GenerationCall> calls;  ///< the columns
    std::vector<Row> rows;              ///< in order of first execution
    std::vector<double> times;          ///< rows * calls, row-major; in the target unit
    bool byModule = false;              ///< rows are modules

    [[nodiscard]] double time(std::size_t row, std::size_t call) const {
        return times[(row * calls.size()) + call];
    }
};

/// Number of components of a module's path to keep below its layer; empty: all.
using BelowLayer = std::optional<std::size_t>;

/// Self time of each module per execution: no time counts twice, and a column sums to the execution. Modules
/// nested deeper below their layer are merged into their parent. Rows beyond the maximum of a chart are
/// merged into "(other)".
[[nodiscard]] PositionTimes positionTimes(const EventBlocks& blocks, BelowLayer depth);

/// A module's path up to its layer, the first component that is a number, and `depth` components further: for
/// "m.layers.0.attention.wq" and 1, "m.layers.0.attention". A path without a number is returned unchanged.
[[nodiscard]] std::string moduleBelowLayer(const std::string& module, BelowLayer depth);

}  // namespace et::inspector::events
