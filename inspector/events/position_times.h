#pragma once

#include "inspector/join/event_blocks.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Where the time of a generation goes, execution by execution: its trace says which positions of the text
/// each was for (inspector/names/phase_mark.h).
namespace et::inspector::report {

/// An execution of a generation.
struct GenerationCall {
    bool isPrefill = false;      ///< else decode
    std::uint64_t position = 0;  ///< of its first token
    std::uint64_t tokens = 1;
    std::uint64_t first = 0;  ///< ticks of the trace's clock, with the setting of inputs; both ends included
    std::uint64_t last = 0;

    [[nodiscard]] bool covers(std::uint64_t at) const { return at >= position && at - position < tokens; }
};

/// The executions that a trace names, in order of time. None: it is of no generation.
[[nodiscard]] std::vector<GenerationCall> generationCalls(const EventBlocks& blocks);

/// Time by module (or operator, without a record) and execution.
struct PositionTimes {
    struct Row {
        std::string name;
        std::vector<std::pair<std::size_t, std::size_t>> events;  ///< block and event
        double total = 0;                                         ///< in the target unit
    };
    std::vector<GenerationCall> calls;  ///< the columns
    std::vector<Row> rows;              ///< in the order in which they run first
    std::vector<double> times;          ///< rows * calls, row by row; in the target unit
    bool byModule = false;              ///< rows are modules

    [[nodiscard]] double time(std::size_t row, std::size_t call) const {
        return times[(row * calls.size()) + call];
    }
};

/// How many names of a module's path count behind the layer that it is in; nothing: all.
using BelowLayer = std::optional<std::size_t>;

/// What of each execution's time each module took by itself: no time is counted twice, and a column adds up
/// to the execution. Modules further below their layer count for the one around them. More rows than a
/// picture can have are one, "(other)".
[[nodiscard]] PositionTimes positionTimes(const EventBlocks& blocks, BelowLayer depth);

/// A module's path to its layer, the first name that is a number, and `depth` names further: of
/// "m.layers.0.attention.wq" and 1, "m.layers.0.attention". A path without a number stays.
[[nodiscard]] std::string moduleBelowLayer(const std::string& module, BelowLayer depth);

}  // namespace et::inspector::report
