#pragma once

#include "inspector/join/event_blocks.h"
#include "visualizers/selection.h"
#include "visualizers/timeline/lane.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::visualizers {

/// A single event outside of runs: loading a program, initializing a method.
struct TimelineMarker {
    std::uint64_t start = 0;  ///< ticks from the timeline's origin
    std::uint64_t end = 0;
    std::string name;  ///< "Initialize"
};

/// Kind of the spans of a lane. Lanes of one kind, and of one delegate, are adjacent.
enum class LaneKind : std::uint8_t {
    Generation,  ///< execution for each position of a text
    Phases,      ///< loading, initializing, inference
    Steps,       ///< steps of a method: kernels and delegate calls
    Delegate,    ///< operators inside a delegate
    Other,       ///< other events recorded by the program
};

/// Label of a lane.
struct LaneLabel {
    LaneKind kind = LaneKind::Other;
    std::string title{};  ///< for the first lane of its kind or delegate; empty: continues the lane above
};

/// Display name of a span.
struct SpanName {
    std::string text;             ///< "conv2d · features.2.conv.1.0"
    std::size_t operatorEnd = 0;  ///< length of the operator's name: 6 in this example
    std::string module{};         ///< empty: none
    std::string file{};           ///< name in the trace, if different

    [[nodiscard]] std::string_view operatorText() const {
        return std::string_view(text).substr(0, operatorEnd);
    }
};

/// Names and rows of a trace's events. `rows` ({noBlock, 0} without a row) and `nameIds` are indexed by trace
/// event.
struct TimelineNames {
    std::vector<SpanName> names;  ///< each once
    std::vector<std::uint32_t> nameIds;
    std::vector<EventRef> rows;

    static constexpr std::size_t noBlock = ~std::size_t{0};
    [[nodiscard]] static std::shared_ptr<const TimelineNames> build(const inspector::EventBlocks& joined);
};

/// The profile events of a trace in lanes: phases, the method's steps, then the operators inside each
/// delegate. An OPERATOR_CALL that wraps a kernel is dropped in favour of the kernel. Span times start at
/// `origin`. Immutable; keeps its blocks alive.
struct Timeline {
    std::shared_ptr<const inspector::EventBlocks> blocks;
    std::uint64_t origin = 0;  ///< in ticks of the trace's clock
    std::uint64_t length = 1;  ///< in ticks, at least 1
    double ticksPerUnit = 1;   ///< in the blocks' target unit
    std::vector<Lane> lanes;
    std::vector<LaneLabel> labels;  ///< one per lane
    std::shared_ptr<const TimelineNames> naming;
    Lane runs{{}};  ///< executions in order; Span::event is an index into Trace::runs()
    /// The execution that views show first: the first one, or if that is unusually long or short, the first
    /// of about median length.
    std::size_t typicalRun = 0;
    std::vector<TimelineMarker> markers;
    std::size_t folded = 0;   ///< number of runs folded into this one; 0: none
    std::size_t stacked = 0;  ///< number of stacked runs, one lane each; 0: not a stack

    /// Takes a moment for a trace of hundreds of thousands of events.
    [[nodiscard]] static std::shared_ptr<const Timeline> build(
        std::shared_ptr<const inspector::EventBlocks> joined);
    /// The runs of a block folded into the typical run, which starts at 0. Names, rows and blocks are those
    /// of `all`. Null if the block has no times or is not one of the blocks.
    [[nodiscard]] static std::shared_ptr<const Timeline> typical(const Timeline& all, std::size_t block);

    /// The first maxStacked runs of the trace, stacked, each starting at 0, with the innermost spans of each
    /// run in one lane. Names, rows and blocks are those of `all`. Null if the trace has no executions.
    [[nodiscard]] static std::shared_ptr<const Timeline> stack(const Timeline& all);
    static constexpr std::size_t maxStacked = 100;

    /// True if it starts at 0 and has the length of a run instead of representing the whole trace.
    [[nodiscard]] bool isOneRun() const { return folded > 0 || stacked > 0; }
    [[nodiscard]] std::span<const SpanName> names() const { return naming->names; }
    /// Index of a span's name in names().
    [[nodiscard]] std::uint32_t nameIdOf(const Span& span) const { return naming->nameIds[span.event]; }
    [[nodiscard]] const SpanName& spanName(const Span& span) const { return names()[nameIdOf(span)]; }
    [[nodiscard]] std::string_view nameOf(const Span& span) const { return spanName(span).text; }
    [[nodiscard]] std::optional<EventRef> rowOf(const Span& span) const;
    /// The event of a span; null if it has no row.
    [[nodiscard]] const inspector::Event* eventOf(const Span& span) const;
    /// The span of a row in the typical run, or its first one; nothing if it has no samples or is in no lane.
    [[nodiscard]] std::optional<Span> spanOf(EventRef row) const;
    /// The execution at a time, or the last one before it; 0 if there is none.
    [[nodiscard]] std::size_t runAt(std::uint64_t time) const;
};

}  // namespace et::visualizers
