#pragma once

#include "etdump/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::visualizers {

/// A range of time in ticks from the start of the timeline.
struct Span {
    std::uint64_t start = 0;
    std::uint64_t end = 0;  ///< at least `start`
    etdump::EventIndex event = 0;
};

/// Consecutive spans without overlap, with a pyramid over them: every level joins `fanOut` nodes of the level
/// below. Drawing visits the nodes of the finest level that the screen can resolve, so its cost depends on
/// the screen's width and not on the number of spans.
class Lane {
  public:
    static constexpr std::size_t fanOut = 8;

    /// `spans` are in time order and do not overlap.
    explicit Lane(std::vector<Span> spans);

    [[nodiscard]] std::span<const Span> spans() const { return all; }

    /// An item to paint: one span, or several that are too short to be distinguishable.
    struct Piece {
        std::uint64_t start = 0;
        std::uint64_t end = 0;
        std::uint64_t busy = 0;   ///< total ticks of its spans
        std::size_t first = 0;    ///< index of its first span
        std::size_t longest = 0;  ///< index of its longest span
        std::uint64_t longestTicks = 0;
        std::size_t count = 1;  ///< number of spans in it
    };
    /// Appends the pieces that overlap [from, to] in time order; those of several spans are at most
    /// `shortest` ticks long.
    void collect(std::uint64_t from, std::uint64_t to, std::uint64_t shortest,
                 std::vector<Piece>& pieces) const;

    /// The span at a time; spans().size() if there is none.
    [[nodiscard]] std::size_t at(std::uint64_t time) const;
    /// Ticks of [from, to] covered by spans, and the number of spans that start there.
    struct Use {
        std::uint64_t busy = 0;
        std::size_t started = 0;
    };
    [[nodiscard]] Use use(std::uint64_t from, std::uint64_t to) const;

  private:
    [[nodiscard]] Piece piece(std::size_t level, std::size_t index) const;
    /// Arguments and output of collect().
    struct Request;
    void visit(std::size_t level, std::size_t index, const Request& request) const;

    std::vector<Span> all;
    std::vector<std::vector<Piece>> levels;  ///< levels[0] joins spans, levels[i] joins levels[i - 1]
};

}  // namespace et::visualizers
