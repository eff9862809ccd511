#include "inspector/store/session/table_lists.h"

#include <array>

namespace et::inspector::store {
namespace {

using enum ColumnType;

constexpr std::array runsColumns{
    SessionColumn{"run", Integer, "number of the run"},
    SessionColumn{"trace", Integer, "0: the main trace; others stand beside it"},
    SessionColumn{"block", Integer, "`blocks.block`"},
    SessionColumn{"name", Text, "`Execute`, `Default`, …"},
    SessionColumn{"bundled_input", Integer, "case of the bundled program that it ran; null: none"},
    SessionColumn{"events", Integer, "records in the trace, of all kinds"},
    SessionColumn{"start_tick", Integer, "earliest start of its events, in ticks of the clock"},
    SessionColumn{"end_tick", Integer, "latest end"},
};

constexpr std::array blocksColumns{
    SessionColumn{"block", Integer, "number of the block"},
    SessionColumn{"trace", Integer, "0: the main trace; others stand beside it"},
    SessionColumn{"name", Text, "`Execute`, `Default`, …"},
    SessionColumn{"method", Text, "method that it was matched to; null: unknown"},
    SessionColumn{"runs", Integer, "number of runs"},
    SessionColumn{"events", Integer, "number of events"},
    SessionColumn{"total", Real, "time of all its runs, in `time_unit`"},
};

constexpr std::array eventsColumns{
    SessionColumn{"event", Integer, "number of the event"},
    SessionColumn{"block", Integer, "`blocks.block`"},
    SessionColumn{"position", Integer, "place in its block, from 0"},
    SessionColumn{"name", Text, "as the table shows it"},
    SessionColumn{"kind", Text,
                  "`operator`, `operator_call`, `delegate_call`, `delegated_operator` or `runtime`"},
    SessionColumn{"method", Text, "method; null: unknown"},
    SessionColumn{"chain", Integer, "chain of the instruction; null: none"},
    SessionColumn{"instruction", Integer, "`instructions.instruction`; null: none"},
    SessionColumn{"backend", Text, "of a delegate; null: none"},
    SessionColumn{"delegate_id", Text, "the delegate's own number or name of the operator"},
    SessionColumn{"op_types", Text, "Edge operators, separated by commas"},
    SessionColumn{"module", Text, "Python module that has all of its nodes"},
    SessionColumn{"source", Text, "Python lines, separated by commas"},
    SessionColumn{"handle_source", Text,
                  "how its debug handles were found: `instruction`, `delegate_map`, `delegate_metadata`, "
                  "`delegate_payload`, `whole_delegate`, `unmapped_delegate` or `none`"},
    SessionColumn{"parent", Integer, "`events.event` that it lies within"},
    SessionColumn{"samples", Integer, "number of samples"},
    SessionColumn{"total", Real, "sum of all samples"},
    SessionColumn{"self", Real, "`total` less that of the events directly within it"},
    SessionColumn{"average", Real, "mean of the samples"},
    SessionColumn{"p10", Real, "10th percentile, interpolated"},
    SessionColumn{"p50", Real, "median"},
    SessionColumn{"p90", Real, "90th percentile, interpolated"},
    SessionColumn{"minimum", Real, "smallest sample"},
    SessionColumn{"maximum", Real, "largest sample"},
};

constexpr std::array samplesColumns{
    SessionColumn{"event", Integer, "`events.event`"},
    SessionColumn{"sample", Integer, "position among the event's samples"},
    SessionColumn{"run", Integer, "`runs.run`"},
    SessionColumn{"start_tick", Integer, "start, in ticks of the clock"},
    SessionColumn{"duration", Real, "time, in `time_unit`"},
};

constexpr std::array eventHandlesColumns{
    SessionColumn{"event", Integer, "`events.event`"},
    SessionColumn{"debug_handle", Integer, "the handle"},
    SessionColumn{"exact", Integer,
                  "0: the event is somewhere among these (an operator of a delegate without a map)"},
};

constexpr std::array eventNodesColumns{
    SessionColumn{"event", Integer, "`events.event`"},
    SessionColumn{"graph", Integer, "`graphs.graph`"},
    SessionColumn{"node", Integer, "`nodes.node`"},
};

constexpr std::array loggedValuesColumns{
    SessionColumn{"run", Integer, "`runs.run`"},
    SessionColumn{"event", Integer, "`events.event`; null for an output of the method"},
    SessionColumn{"position", Integer, "place in a list of tensors, from 0"},
    SessionColumn{"type", Text, "`Tensor`, `Int`, …"},
    SessionColumn{"dtype", Text, "of a tensor"},
    SessionColumn{"shape", Text, "of a tensor, as JSON"},
    SessionColumn{"elements", Integer, "number of elements"},
    SessionColumn{"nonfinite", Integer, "NaN and infinities"},
    SessionColumn{"minimum", Real, "of the finite elements"},
    SessionColumn{"maximum", Real, "of the finite elements"},
    SessionColumn{"mean", Real, "of the finite elements"},
    SessionColumn{"text", Text, "the value of what is no tensor; what is wrong with a tensor"},
};

constexpr std::array allocationsColumns{
    SessionColumn{"run", Integer, "`runs.run`"},
    SessionColumn{"position", Integer, "place in the run"},
    SessionColumn{
        "allocator", Text,
        "name of the allocator; of our runtime what the memory is for: `forward: workspace of delegate 0`"},
    SessionColumn{"bytes", Integer, "size"},
};

constexpr std::array traceTableList{
    SessionTable{.name = "runs",
                 .meaning = "What the trace recorded, one row an execution (or load).",
                 .key = "run",
                 .columns = runsColumns},
    SessionTable{.name = "blocks",
                 .meaning = "Runs that have the same events.",
                 .key = "block",
                 .columns = blocksColumns},
    SessionTable{
        .name = "events",
        .meaning = "Operators and steps of a block, with statistics over its runs; times are in `time_unit`.",
        .key = "event",
        .columns = eventsColumns},
    SessionTable{.name = "samples",
                 .meaning = "The time of every event in every run.",
                 .key = "event, sample",
                 .columns = samplesColumns},
    SessionTable{.name = "event_handles",
                 .meaning = "The debug handles of events.",
                 .key = "",
                 .columns = eventHandlesColumns},
    SessionTable{.name = "event_nodes",
                 .meaning = "The Edge nodes that an event computes.",
                 .key = "",
                 .columns = eventNodesColumns},
    SessionTable{.name = "logged_values",
                 .meaning = "Values that the runtime logged (debug events), one row each.",
                 .key = "",
                 .columns = loggedValuesColumns},
    SessionTable{.name = "allocations",
                 .meaning = "Allocations that the trace recorded.",
                 .key = "",
                 .columns = allocationsColumns},
};

}  // namespace

std::span<const SessionTable> traceTables() {
    return traceTableList;
}

}  // namespace et::inspector::store
