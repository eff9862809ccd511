#pragma once

#include "backends/builtin.h"
#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/format/time_scale.h"
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

/// How a trace is turned into blocks. The defaults are what a user wants; the `reference` switches give what
/// the ExecuTorch Inspector does where we differ on purpose (docs/differences.md).
struct JoinOptions {
    TimeScale source = TimeScale::Nanoseconds;
    TimeScale target = TimeScale::Milliseconds;
    /// Method that the trace ran; empty: found by matching instruction ids and operators to each method.
    std::string method{};
    /// Resolve every block against `forward`, match unmapped delegate ids by substring, leave out nodes of
    /// custom operator libraries, and measure a wrapped 32-bit clock one tick short, as the reference does.
    bool referenceQuirks = false;
    /// An event repeated inside one run (a loop): false keeps its last occurrence, as the reference does;
    /// true counts every occurrence as a sample.
    bool everyRepeat = false;
    /// Leave out runs that took far longer than the others of their block (outlierFence), as those in which
    /// the process was preempted; a warning names them.
    bool leaveOutOutliers = false;
    /// A block has runs of one phase only, and what a generation did between executions is a block for each
    /// phase in place of `Generate`. Blocks are in the order of time.
    bool byPhase = false;
    std::vector<std::string> phases{};  ///< with byPhase: the only phases to keep; empty: all
    /// What was counted while the trace was recorded; null: nothing. A warning says where it is of another
    /// trace.
    std::shared_ptr<const InstructionCounts> counts{};
    /// Who is asked what delegate metadata say.
    MetadataDecoders decoders{};
    /// Who is asked what events of delegates and their payloads say.
    std::span<const executor::Backend* const> backends = backends::describable();
};

/// Summary of the samples of one event, in the target unit. Percentiles interpolate linearly between the
/// closest ranks (numpy's default), the average is numpy's pairwise sum over the count, so that both equal
/// the reference's bit for bit.
struct Statistics {
    double p10 = 0, p50 = 0, p90 = 0, average = 0, minimum = 0, maximum = 0;
};
/// `samples` must not be empty.
[[nodiscard]] Statistics summarize(std::span<const double> samples);

/// A sample above this is an outlier: the process was preempted, a page came from disk. It is the upper
/// quartile and three times the distance of the quartiles (what Tukey calls far out), and at least 1.5 times
/// the median. Infinite for fewer than five samples, which cannot tell; p90 at least where the median is 0.
[[nodiscard]] double outlierFence(std::span<const double> samples);
/// Samples above outlierFence().
[[nodiscard]] std::size_t outlierCount(std::span<const double> samples);

/// What samples would add up to were each the median: one stall does not move it, as it moves their sum. A
/// median of 0 is below what the clock of the trace resolves; then it is their sum, with none larger than p90
/// `tick`, what the clock resolves; infinite: the smallest of them that is not 0. `of` are the statistics of
/// `samples`.
[[nodiscard]] double typicalTotal(std::span<const double> samples, const Statistics& of,
                                  double tick = std::numeric_limits<double>::infinity());
/// The smallest sample that is not 0; infinite without one.
[[nodiscard]] double smallestTick(std::span<const double> samples);

/// Where the debug handles of an event come from; the details pane and JSON say it.
enum class HandleSource : std::uint8_t {
    None,              ///< no record, or the record does not know the instruction
    Instruction,       ///< the debug handle map's entry of the instruction
    DelegateMap,       ///< the delegate's own map names this identifier
    DelegateMetadata,  ///< what the delegate wrote beside its first sample names them
    DelegatePayload,   ///< nodes of the delegate's payload, told apart by the names of all its operators
    WholeDelegate,     ///< the record lists no delegate there: the instruction's handles stand for all of it
    UnmappedDelegate,  ///< the delegate is listed, but does not name this identifier: see
                       ///< Event::regionHandles
};

/// One row: an operator (or framework step) of a block with its samples over all runs of the block.
struct Event {
    std::string_view name;  ///< as shown: the delegate identifier for delegated events; lives in the blocks
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
    bool handlesAreList = false;  ///< one number or a list in the record (JSON output keeps it)
    HandleSource handleSource = HandleSource::None;
    /// Handles of the event's whole instruction. For UnmappedDelegate: the event is somewhere among these,
    /// while `handles` and `nodes` are empty.
    std::span<const core::DebugHandle> regionHandles;
    std::span<const etrecord::NodeIndex> nodes;  ///< Edge nodes in handle order, into Block::graph
    std::optional<std::int64_t> outputCount;     ///< num_outputs, from the record
    /// The trace event of each sample, for metadata (Trace::metadata).
    std::span<const etdump::EventIndex> profileEvents;
    /// Debug events (not program outputs) in run order. The first `firstRunDebugEvents` of them are of one
    /// run, the first that has any: what the reference shows as debug_data.
    std::span<const etdump::EventIndex> debugEvents;
    std::size_t firstRunDebugEvents = 0;
    std::uint32_t droppedRepeats = 0;  ///< occurrences not counted because of !everyRepeat
    bool debugDiffers = false;         ///< the logged values are not the same in all runs
    /// What was counted while its instruction ran, of kernels and of calls of delegates; null: nothing.
    const CountsOfInstruction* counts = nullptr;

    /// typicalTotal() of its samples.
    [[nodiscard]] double typical(double tick = std::numeric_limits<double>::infinity()) const {
        return typicalTotal(samples, statistics, tick);
    }
};

/// The event of a phase's calls beside their executions, in blocks by phase: inputs, outputs, bookkeeping.
inline constexpr std::string_view aroundExecution = "around the execution";

/// Runs that have the same events.
struct Block {
    std::string_view name;  ///< "Default", "Execute"
    std::int32_t bundledInputIndex = -1;
    std::vector<std::uint32_t> runs;                 ///< indices into Trace::runs()
    std::vector<Event> events;                       ///< in order of first appearance
    std::string method;                              ///< the method it was matched to; empty: none or unknown
    const etrecord::ExportedGraph* graph = nullptr;  ///< Edge graph that `nodes` index; null without a record
    std::vector<etdump::EventIndex> programOutputs;  ///< debug events marked as outputs, over all runs
    std::size_t firstRunOutputs = 0;                 ///< how many of them are of the first run that has any
    std::vector<etdump::EventIndex> allocations;     ///< allocation events, over all runs
    bool outputsDiffer = false;                      ///< the program outputs are not the same in all runs
    std::string_view phase{};                        ///< of all its runs; empty: not split by phase, or none
};

/// The join of a trace with (optionally) a record and a debug buffer. Immutable; owns what its views show.
class EventBlocks {
  public:
    /// `program`: what ran; its payloads tell what operators of delegates compute where neither the trace nor
    /// the record does, except with referenceQuirks. Null: not at hand.
    /// Errors: InvalidArgument (cycles mixed with time), NotFound (options.method is no method of the
    /// record), Format (an event ends before it starts and its clock is not 32 bits wide), Limit (debug
    /// events or handles that a damaged file repeats beyond all measure).
    [[nodiscard]] static core::Result<std::shared_ptr<const EventBlocks>> build(
        std::shared_ptr<const etdump::Trace> trace, std::shared_ptr<const etrecord::Record> record = nullptr,
        std::shared_ptr<const core::MappedFile> debugBuffer = nullptr, JoinOptions options = {},
        const program::Program* program = nullptr);

    ~EventBlocks();
    EventBlocks(const EventBlocks&) = delete;
    EventBlocks& operator=(const EventBlocks&) = delete;

    [[nodiscard]] std::span<const Block> blocks() const;
    [[nodiscard]] const JoinOptions& options() const;
    [[nodiscard]] const etdump::Trace& trace() const;
    [[nodiscard]] const etrecord::Record* record() const;
    [[nodiscard]] const core::MappedFile* debugBuffer() const;
    /// What each run was for, however the blocks are split.
    [[nodiscard]] const RunPhases& phases() const;
    /// What the run of an event was for; of a time that a generation wrote down, what that is.
    [[nodiscard]] RunPhase phaseOf(etdump::EventIndex event) const;

    /// Things a user must know before trusting the table, one line each: a record that does not belong to the
    /// trace (names the first contradiction), an ambiguous method, repeats left out, debug values that
    /// differ.
    [[nodiscard]] const std::vector<std::string>& warnings() const;
    /// The one of the warnings that says why the record is not of this trace; nothing: it may be. Events then
    /// have nothing from the record (but with referenceQuirks).
    [[nodiscard]] const std::optional<std::string>& recordContradiction() const;

  private:
    struct Impl;
    explicit EventBlocks(std::unique_ptr<Impl> data);
    std::unique_ptr<Impl> impl;
};

/// Op types of an event ("aten.addmm.default"), in handle order; none for framework events. `Reference`
/// leaves out operators of custom libraries that the reference does not load, and so cannot show: the default
/// table prints what the reference prints.
enum class OpTypes : std::uint8_t { Reference, All };
[[nodiscard]] std::vector<std::string_view> opTypes(const Block& block, const Event& event,
                                                    OpTypes which = OpTypes::Reference);

}  // namespace et::inspector
