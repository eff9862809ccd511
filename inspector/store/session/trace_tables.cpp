#include "inspector/store/session/table_lists.h"

#include <array>

namespace et::inspector::store {
namespace {

using enum ColumnType;

constexpr std::array runsColumns{
    SessionColumn{"run", Integer, "number of the run"},
    SessionColumn{"trace", Integer, "0: the main trace; others are compared with it"},
    SessionColumn{"block", Integer, "`blocks.block`"},
    SessionColumn{"name", Text, "`Execute`, `Default`, …"},
    SessionColumn{"bundled_input", Integer, "test case of the bundled program it ran, or null"},
    SessionColumn{"events", Integer, "number of event records of all kinds"},
    SessionColumn{"start_tick", Integer, "earliest start of its events, in ticks of the clock"},
    SessionColumn{"end_tick", Integer, "latest end"},
    SessionColumn{
        "phase", Text,
        "its purpose: `load`, `execute`, or `prefill`, `decode`, … of a language model; null if neither", 4},
    SessionColumn{"call", Integer, "number of the call in its phase, from 0", 4},
    SessionColumn{"position", Integer, "position of its first token in the context; null if unknown", 4},
    SessionColumn{"tokens", Integer, "number of tokens; null if unknown", 4},
    SessionColumn{"phase_source", Text,
                  "how the phase was determined: `recorded`; inferred from `method`, `sequence_length` or "
                  "`pattern`; `none`",
                  4},
};

constexpr std::array blocksColumns{
    SessionColumn{"block", Integer, "number of the block"},
    SessionColumn{"trace", Integer, "0: the main trace; others are compared with it"},
    SessionColumn{"name", Text, "`Execute`, `Default`, …"},
    SessionColumn{"method", Text, "method it was matched to; null if unknown"},
    SessionColumn{"runs", Integer, "number of runs"},
    SessionColumn{"events", Integer, "number of events"},
    SessionColumn{"total", Real, "total time of all its runs, in `time_unit`"},
};

constexpr std::array eventsColumns{
    SessionColumn{"event", Integer, "number of the event"},
    SessionColumn{"block", Integer, "`blocks.block`"},
    SessionColumn{"position", Integer, "index in its block, from 0"},
    SessionColumn{"name", Text, "name in the trace"},
    SessionColumn{"kind", Text,
                  "`operator`, `operator_call`, `delegate_call`, `delegated_operator` or `runtime`"},
    SessionColumn{"method", Text, "method; null if unknown"},
    SessionColumn{"chain", Integer, "chain of the instruction, or null"},
    SessionColumn{"instruction", Integer, "`instructions.instruction`, or null"},
    SessionColumn{"backend", Text, "backend of the delegate, or null"},
    SessionColumn{"delegate_id", Text, "the delegate's own id or name for the operator"},
    SessionColumn{"op_types", Text, "Edge operators, separated by commas"},
    SessionColumn{"module", Text, "innermost Python module containing all its nodes"},
    SessionColumn{"source", Text, "Python lines, separated by commas"},
    SessionColumn{"handle_source", Text,
                  "where its debug handles come from: `instruction`, `delegate_map`, `delegate_metadata`, "
                  "`delegate_payload`, `whole_delegate`, `unmapped_delegate` or `none`"},
    SessionColumn{"parent", Integer, "enclosing `events.event`"},
    SessionColumn{"samples", Integer, "number of samples"},
    SessionColumn{"total", Real, "sum of all samples"},
    SessionColumn{"self", Real, "`total` minus that of its direct children"},
    SessionColumn{"average", Real, "mean of the samples"},
    SessionColumn{"p10", Real, "10th percentile, interpolated"},
    SessionColumn{"p50", Real, "median"},
    SessionColumn{"p90", Real, "90th percentile, interpolated"},
    SessionColumn{"minimum", Real, "smallest sample"},
    SessionColumn{"maximum", Real, "largest sample"},
    SessionColumn{"title", Text, "operator and module as et-studio names them: `conv2d · features.0`", 7},
};

constexpr std::array samplesColumns{
    SessionColumn{"event", Integer, "`events.event`"},
    SessionColumn{"sample", Integer, "index among the event's samples"},
    SessionColumn{"run", Integer, "`runs.run`"},
    SessionColumn{"start_tick", Integer, "start, in ticks of the clock"},
    SessionColumn{"duration", Real, "time, in `time_unit`"},
};

constexpr std::array eventCostsColumns{
    SessionColumn{"event", Integer, "`events.event`"},
    SessionColumn{"operations", Real,
                  "additions, multiplications, comparisons and scalar functions in one run; a multiply-add "
                  "counts as two"},
    SessionColumn{"bytes_read", Real, "bytes of the elements that one run reads, each counted once"},
    SessionColumn{"bytes_written", Real, "bytes of the result elements, each counted once"},
    SessionColumn{"arithmetic", Text, "`fp32`, `fp16` or `int8`"},
    SessionColumn{"intensity", Real, "operations per byte; null if no byte is moved"},
};

constexpr std::array eventCountersColumns{
    SessionColumn{"event", Integer, "`events.event`"},
    SessionColumn{"cycles", Real, "CPU cycles in user mode"},
    SessionColumn{"instructions", Real, "instructions retired in user mode"},
    SessionColumn{"cache_misses", Real, "misses of the last-level cache"},
    SessionColumn{"branch_misses", Real, "mispredicted branches"},
    SessionColumn{"page_faults", Real, "page faults, minor and major"},
    SessionColumn{"context_switches", Real, "context switches of its threads"},
    SessionColumn{"migrations", Real, "moves of a thread to another core"},
};

constexpr std::array eventHandlesColumns{
    SessionColumn{"event", Integer, "`events.event`"},
    SessionColumn{"debug_handle", Integer, "debug handle"},
    SessionColumn{"exact", Integer,
                  "0: the event is one of several candidates (an operator of a delegate without a map)"},
};

constexpr std::array eventNodesColumns{
    SessionColumn{"event", Integer, "`events.event`"},
    SessionColumn{"graph", Integer, "`graphs.graph`"},
    SessionColumn{"node", Integer, "`nodes.node`"},
};

constexpr std::array loggedValuesColumns{
    SessionColumn{"run", Integer, "`runs.run`"},
    SessionColumn{"event", Integer, "`events.event`; null for outputs of the method"},
    SessionColumn{"position", Integer, "index in a list of tensors, from 0"},
    SessionColumn{"type", Text, "`Tensor`, `Int`, …"},
    SessionColumn{"dtype", Text, "of a tensor"},
    SessionColumn{"shape", Text, "of a tensor, as JSON"},
    SessionColumn{"elements", Integer, "number of elements"},
    SessionColumn{"nonfinite", Integer, "number of NaN and infinite elements"},
    SessionColumn{"minimum", Real, "of the finite elements"},
    SessionColumn{"maximum", Real, "of the finite elements"},
    SessionColumn{"mean", Real, "of the finite elements"},
    SessionColumn{"text", Text, "value, if not a tensor; for a bad tensor, the error"},
};

constexpr std::array allocationsColumns{
    SessionColumn{"run", Integer, "`runs.run`"},
    SessionColumn{"position", Integer, "index in the run"},
    SessionColumn{
        "allocator", Text,
        "name of the allocator; et-inspect's runtime names the purpose: `forward: workspace of delegate 0`"},
    SessionColumn{"bytes", Integer, "size"},
};

constexpr std::array traceTableList{
    SessionTable{
        .name = "runs", .meaning = "Recorded executions and loads.", .key = "run", .columns = runsColumns},
    SessionTable{.name = "blocks",
                 .meaning = "Event blocks: runs that have the same events.",
                 .key = "block",
                 .columns = blocksColumns},
    SessionTable{.name = "events",
                 .meaning = "Events of each block, with statistics over its runs; times are in `time_unit`.",
                 .key = "event",
                 .columns = eventsColumns},
    SessionTable{.name = "samples",
                 .meaning = "Time of every event in every run.",
                 .key = "event, sample",
                 .columns = samplesColumns},
    SessionTable{.name = "event_costs",
                 .meaning = "Operations and bytes that operators need in one run, computed from their "
                            "shapes. Operators without a rule, or with shapes known only at run time, have "
                            "no row; nor have traces without their program.",
                 .key = "event",
                 .columns = eventCostsColumns,
                 .since = 5},
    SessionTable{.name = "event_counters",
                 .meaning =
                     "Counters of operators and delegate calls (`run --counters`): means per execution, null "
                     "if the machine does not provide the counter. Other traces have no rows.",
                 .key = "event",
                 .columns = eventCountersColumns,
                 .since = 6},
    SessionTable{.name = "event_handles",
                 .meaning = "Debug handles of events.",
                 .key = "",
                 .columns = eventHandlesColumns},
    SessionTable{.name = "event_nodes",
                 .meaning = "Edge nodes computed by each event.",
                 .key = "",
                 .columns = eventNodesColumns},
    SessionTable{.name = "logged_values",
                 .meaning = "Values logged by the runtime (debug events).",
                 .key = "",
                 .columns = loggedValuesColumns},
    SessionTable{
        .name = "allocations", .meaning = "Recorded allocations.", .key = "", .columns = allocationsColumns},
};

}  // namespace

std::span<const SessionTable> traceTables() {
    return traceTableList;
}

}  // namespace et::inspector::store
