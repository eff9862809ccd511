#pragma once

#include "backends/builtin.h"
#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/format/trace_clock.h"
#include "inspector/join/delegate_metadata.h"
#include "inspector/join/instruction_counts.h"
#include "inspector/join/run_phases.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Options of the join of a trace. The defaults suit users; the `reference` switches select the behaviour of
/// the ExecuTorch Inspector where ours differs on purpose (docs/reference/differences.md).
struct JoinOptions {
    TraceClock clock{};
    TimeScale target = TimeScale::Milliseconds;
    /// Method that the trace ran; empty: detected by matching instruction ids and operators to each method.
    std::string method{};
    /// Matches the reference: resolve every block against `forward`, match unmapped delegate ids by
    /// substring, omit nodes of custom operator libraries, and measure a wrapped 32-bit clock one tick short.
    bool referenceQuirks = false;
    /// How to treat an event repeated inside one run (a loop): false keeps its last occurrence, as the
    /// reference does; true makes every occurrence a sample.
    bool everyRepeat = false;
    /// Drop runs that took far longer than the others of their block (outlierFence), such as runs in which
    /// the process was preempted; a warning lists them.
    bool leaveOutOutliers = false;
    /// Split blocks by phase: each block has runs of one phase only, and the work of a generation between
    /// executions becomes one block per phase instead of `Generate`. Blocks are ordered by time.
    bool byPhase = false;
    std::vector<std::string> phases{};  ///< with byPhase: the only phases to keep; empty: all
    /// Counters recorded with the trace; null: none. A warning reports counters that belong to another trace.
    std::shared_ptr<const InstructionCounts> counts{};
    /// Decoders of delegate metadata.
    MetadataDecoders decoders{};
    /// Backends that interpret events of delegates and their payloads.
    std::span<const executor::Backend* const> backends = backends::describable();
};

/// Summary of the samples of one event, in the target unit. Percentiles interpolate linearly between the
/// closest ranks (numpy's default) and the average is numpy's pairwise sum divided by the count, so both
/// equal the reference's bit for bit.
struct Statistics {
    double p10 = 0, p50 = 0, p90 = 0, average = 0, minimum = 0, maximum = 0;
};
/// `samples` must not be empty.
[[nodiscard]] Statistics summarize(std::span<const double> samples);

/// Threshold above which a sample is an outlier (the process was preempted, a page was read from disk): the
/// upper quartile plus three times the interquartile range (Tukey's "far out"), at least 1.5 times the
/// median, and at least p90 if the median is 0. Infinite for fewer than five samples, which are too few to
/// decide.
[[nodiscard]] double outlierFence(std::span<const double> samples);
/// Number of samples above outlierFence().
[[nodiscard]] std::size_t outlierCount(std::span<const double> samples);

/// Total of the samples, with each outlier (outlierFence()) replaced by the median: a single stall does not
/// distort it, and without outliers it is the sum. A median of 0 is below the clock resolution of the trace;
/// the result is then the sum, with each sample capped at p90. `tick` is the clock resolution; infinite: the
/// smallest nonzero sample. `of` are the statistics of `samples`.
[[nodiscard]] double typicalTotal(std::span<const double> samples, const Statistics& of,
                                  double tick = std::numeric_limits<double>::infinity());
/// The smallest nonzero sample; infinite if there is none.
[[nodiscard]] double smallestTick(std::span<const double> samples);

/// Origin of an event's debug handles; shown in the details pane and in JSON.
enum class HandleSource : std::uint8_t {
    None,              ///< no record, or the record does not contain the instruction
    Instruction,       ///< the instruction's entry in the debug handle map
    DelegateMap,       ///< the delegate's own map contains this identifier
    DelegateMetadata,  ///< metadata that the delegate wrote with its first sample
    DelegatePayload,   ///< nodes of the delegate's payload, matched by the names of all its operators
    WholeDelegate,     ///< the record lists no delegate there: the instruction's handles cover the whole
                       ///< delegate
    UnmappedDelegate,  ///< the delegate is listed, but its map lacks this identifier: see
                       ///< Event::regionHandles
};

/// One row: an operator (or framework step) of a block, with its samples from all runs of the block.
struct Event {
    std::string_view name;  ///< display name: the delegate identifier for delegated events; owned by the
                            ///< blocks
    core::InstructionId instruction{-1};
    std::int64_t chain = -1;
    std::optional<std::int32_t> delegateInt;  ///< the delegate's identifier, int or string
    std::optional<std::string_view> delegateString;
    bool delegated = false;                     ///< is_delegated_op
    std::string_view backend;                   ///< delegate_backend_name; empty: unknown or none
    std::span<const double> samples;            ///< one per run in the target unit; empty: no profile event
    std::span<const std::uint64_t> startTicks;  ///< one per sample, in source ticks
    Statistics statistics{};                    ///< zero where there are no samples
    std::span<const core::DebugHandle> handles;
    bool handlesAreList = false;  ///< whether the record has one number or a list (JSON output preserves it)
    HandleSource handleSource = HandleSource::None;
    /// Handles of the event's whole instruction. For UnmappedDelegate, the event is somewhere among these,
    /// and `handles` and `nodes` are empty.
    std::span<const core::DebugHandle> regionHandles;
    std::span<const etrecord::NodeIndex> nodes;  ///< Edge nodes in handle order, into Block::graph
    std::optional<std::int64_t> outputCount;     ///< num_outputs, from the record
    /// The trace event of each sample, for looking up metadata (Trace::metadata).
    std::span<const etdump::EventIndex> profileEvents;
    /// Debug events (not program outputs) in run order. The first `firstRunDebugEvents` of them belong to the
    /// first run that has any; the reference shows these as debug_data.
    std::span<const etdump::EventIndex> debugEvents;
    std::size_t firstRunDebugEvents = 0;
    std::uint32_t droppedRepeats = 0;  ///< occurrences not counted because of !everyRepeat
    bool debugDiffers = false;         ///< the logged values differ between runs
    /// Counters of its instruction, for kernels and delegate calls; null: none.
    const CountsOfInstruction* counts = nullptr;

    [[nodiscard]] double typical(double tick = std::numeric_limits<double>::infinity()) const {
        return typicalTotal(samples, statistics, tick);
    }
};

/// Event of the time that a phase's calls spend outside their executions (inputs, outputs, bookkeeping), in
/// blocks by phase.
inline constexpr std::string_view aroundExecution = "around the execution";

/// A group of runs that have the same events.
struct Block {
    std::string_view name;  ///< "Default", "Execute"
    std::int32_t bundledInputIndex = -1;
    std::vector<std::uint32_t> runs;                 ///< indices into Trace::runs()
    std::vector<Event> events;                       ///< in order of first appearance
    std::string method;                              ///< the matched method; empty: none or unknown
    const etrecord::ExportedGraph* graph = nullptr;  ///< Edge graph that `nodes` index; null without a record
    std::vector<etdump::EventIndex> programOutputs;  ///< debug events marked as outputs, over all runs
    std::size_t firstRunOutputs = 0;  ///< number of them that belong to the first run that has any
    std::vector<etdump::EventIndex> allocations;  ///< allocation events, over all runs
    bool outputsDiffer = false;                   ///< the program outputs differ between runs
    std::string_view phase{};  ///< phase of all its runs; empty: not split by phase, or none
};

/// The join of a trace with an optional record and debug buffer. Immutable; owns the data its views refer to.
class EventBlocks {
  public:
    /// `program`: the program that ran, or null if unavailable. Its payloads identify the nodes of delegated
    /// operators where neither the trace nor the record does, except with referenceQuirks. Errors:
    /// InvalidArgument (cycles mixed with time), NotFound (options.method is not in the record), Format
    /// (an event ends before it starts and its clock is not 32 bits wide), Limit (a damaged file repeats
    /// debug events or handles excessively).
    [[nodiscard]] static core::Result<std::shared_ptr<const EventBlocks>> build(
        std::shared_ptr<const etdump::Trace> trace, std::shared_ptr<const etrecord::Record> record = nullptr,
        std::shared_ptr<const core::MappedFile> debugBuffer = nullptr, JoinOptions options = {},
        const program::Program* program = nullptr);

    ~EventBlocks();
    EventBlocks(const EventBlocks&) = delete;
    EventBlocks& operator=(const EventBlocks&) = delete;

    [[nodiscard]] std::span<const Block> blocks() const;
    [[nodiscard]] const JoinOptions& options() const;
    /// The trace, with the times of delegate events in the time of their calls (except with referenceQuirks).
    [[nodiscard]] const etdump::Trace& trace() const;
    [[nodiscard]] const etrecord::Record* record() const;
    [[nodiscard]] const core::MappedFile* debugBuffer() const;
    /// The phase of each run, however the blocks are split.
    [[nodiscard]] const RunPhases& phases() const;
    /// The phase of an event's run; for a time recorded by a generation, the phase of that mark.
    [[nodiscard]] RunPhase phaseOf(etdump::EventIndex event) const;

    /// Reasons to distrust the table, one line each: a record that does not belong to the trace (with the
    /// first contradiction), an ambiguous method, dropped repeats, debug values that differ, delegates with a
    /// clock of their own.
    [[nodiscard]] const std::vector<std::string>& warnings() const;
    /// The warning that explains why the record does not belong to the trace; empty if it may belong. If set,
    /// events contain nothing from the record (except with referenceQuirks).
    [[nodiscard]] const std::optional<std::string>& recordContradiction() const;

  private:
    struct Impl;
    explicit EventBlocks(std::unique_ptr<Impl> data);
    std::unique_ptr<Impl> impl;
};

/// Operator types of an event ("aten.addmm.default"), in handle order; none for framework events. `Reference`
/// omits operators of custom libraries that the reference does not load and therefore cannot show, so the
/// default table matches the reference's.
enum class OpTypes : std::uint8_t { Reference, All };
[[nodiscard]] std::vector<std::string_view> opTypes(const Block& block, const Event& event,
                                                    OpTypes which = OpTypes::Reference);

}  // namespace et::inspector
