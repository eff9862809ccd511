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

/// Something that happened once and is no part of a run: loading a program, initializing a method.
struct TimelineMarker {
    std::uint64_t start = 0;  ///< ticks from the timeline's origin
    std::uint64_t end = 0;
    std::string name;  ///< "Initialize"
};

/// Whose spans a lane has. Lanes of one kind, and of one delegate, follow one another.
enum class LaneKind : std::uint8_t {
    Generation,  ///< which execution was for which position of a text
    Phases,      ///< loading, initializing, inference
    Steps,       ///< what a method does: kernels and calls of delegates
    Delegate,    ///< what runs inside of a delegate
    Other,       ///< what else the program wrote down
};

/// What is beside a lane.
struct LaneLabel {
    LaneKind kind = LaneKind::Other;
    std::string title{};  ///< of the first lane of its kind or delegate; empty: it goes on with the one above
};

/// The name of a span as people say it.
struct SpanName {
    std::string text;             ///< "conv2d · features.2.conv.1.0"
    std::size_t operatorEnd = 0;  ///< where the operator ends: 6 of the above
    std::string module{};         ///< empty: none
    std::string file{};           ///< the name in the trace, where it is another

    [[nodiscard]] std::string_view operatorText() const {
        return std::string_view(text).substr(0, operatorEnd);
    }
};

/// What the events of a trace are called, and which rows they are of. By trace event: `rows` ({noBlock, 0}
/// for those without one) and `nameIds`.
struct TimelineNames {
    std::vector<SpanName> names;  ///< each once
    std::vector<std::uint32_t> nameIds;
    std::vector<EventRef> rows;

    static constexpr std::size_t noBlock = ~std::size_t{0};
    [[nodiscard]] static std::shared_ptr<const TimelineNames> build(const inspector::EventBlocks& joined);
};

/// The profile events of a trace over its clock, in lanes: phases, the method's steps, then what ran inside
/// of each delegate. Of an OPERATOR_CALL that wraps a kernel only the kernel is there. Times of spans count
/// from `origin`. Immutable; holds the blocks it comes from.
struct Timeline {
    std::shared_ptr<const inspector::EventBlocks> blocks;
    std::uint64_t origin = 0;  ///< ticks of the trace's clock
    std::uint64_t length = 1;  ///< ticks, at least 1
    double ticksPerUnit = 1;   ///< of the blocks' target unit
    std::vector<Lane> lanes;
    std::vector<LaneLabel> labels;  ///< one a lane
    std::shared_ptr<const TimelineNames> naming;
    Lane runs{{}};  ///< executions, in order; Span::event is the place among Trace::runs()
    std::vector<TimelineMarker> markers;
    std::size_t folded = 0;   ///< runs that are folded into this one; 0: none are
    std::size_t stacked = 0;  ///< runs below one another, a lane each; 0: it is no such stack

    /// Of a trace of hundreds of thousands of events it takes a moment.
    [[nodiscard]] static std::shared_ptr<const Timeline> build(
        std::shared_ptr<const inspector::EventBlocks> joined);
    /// The runs of a block folded into the typical one, which begins at 0. Names, rows and blocks are those
    /// of `all`. Null: the block has no times, or is none of the blocks.
    [[nodiscard]] static std::shared_ptr<const Timeline> typical(const Timeline& all, std::size_t block);

    /// The first maxStacked runs of the trace below one another, each from 0: of every run what it did
    /// without what that was part of, in one lane. Names, rows and blocks are those of `all`. Null: the trace
    /// has no executions.
    [[nodiscard]] static std::shared_ptr<const Timeline> stack(const Timeline& all);
    static constexpr std::size_t maxStacked = 100;

    /// Begins at 0 and is as long as a run, instead of being the trace itself.
    [[nodiscard]] bool isOneRun() const { return folded > 0 || stacked > 0; }
    [[nodiscard]] std::span<const SpanName> names() const { return naming->names; }
    /// Which of the names a span has.
    [[nodiscard]] std::uint32_t nameIdOf(const Span& span) const { return naming->nameIds[span.event]; }
    [[nodiscard]] const SpanName& spanName(const Span& span) const { return names()[nameIdOf(span)]; }
    [[nodiscard]] std::string_view nameOf(const Span& span) const { return spanName(span).text; }
    [[nodiscard]] std::optional<EventRef> rowOf(const Span& span) const;
    /// The event that a span is of; null where it has no row.
    [[nodiscard]] const inspector::Event* eventOf(const Span& span) const;
    /// The first span of a row; nothing where it has no samples, or no lane has it.
    [[nodiscard]] std::optional<Span> spanOf(EventRef row) const;
    /// The execution that runs at a time, or the last before it; 0 where there is none.
    [[nodiscard]] std::size_t runAt(std::uint64_t time) const;
};

}  // namespace et::visualizers
