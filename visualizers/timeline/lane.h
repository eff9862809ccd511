#pragma once

#include "etdump/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::visualizers {

/// A stretch of time, in ticks from the start of the timeline.
struct Span {
    std::uint64_t start = 0;
    std::uint64_t end = 0;  ///< not before start
    etdump::EventIndex event = 0;
};

/// Spans that follow one another without overlap, and a pyramid over them: every level joins `fanOut` nodes
/// of the one below. Drawing visits the nodes of the finest level that a screen can tell apart, so its cost
/// is that of the screen's width, not of the number of spans.
class Lane {
  public:
    static constexpr std::size_t fanOut = 8;

    /// `spans` are in the order of time and do not overlap.
    explicit Lane(std::vector<Span> spans);

    [[nodiscard]] std::span<const Span> spans() const { return all; }

    /// What to paint: one span, or several that are too short to be told apart.
    struct Piece {
        std::uint64_t start = 0;
        std::uint64_t end = 0;
        std::uint64_t busy = 0;   ///< ticks of the spans in it
        std::size_t first = 0;    ///< index of its first span
        std::size_t longest = 0;  ///< index of its longest span
        std::uint64_t longestTicks = 0;
        std::size_t count = 1;  ///< spans in it
    };
    /// The pieces that touch [from, to], in the order of time; those of several spans are no longer than
    /// `shortest` ticks.
    void collect(std::uint64_t from, std::uint64_t to, std::uint64_t shortest,
                 std::vector<Piece>& pieces) const;

    /// The span at a time; spans().size() where there is none.
    [[nodiscard]] std::size_t at(std::uint64_t time) const;
    /// Ticks of [from, to] that are in spans, and how many spans start there.
    struct Use {
        std::uint64_t busy = 0;
        std::size_t started = 0;
    };
    [[nodiscard]] Use use(std::uint64_t from, std::uint64_t to) const;

  private:
    [[nodiscard]] Piece piece(std::size_t level, std::size_t index) const;
    /// What collect() was asked for, and where it puts it.
    struct Request;
    void visit(std::size_t level, std::size_t index, const Request& request) const;

    std::vector<Span> all;
    std::vector<std::vector<Piece>> levels;  ///< levels[0] joins spans, levels[i] joins levels[i - 1]
};

}  // namespace et::visualizers
