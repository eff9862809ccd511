#pragma once

#include "etdump/trace.h"

#include <cstdint>
#include <utility>
#include <vector>

/// Events of a trace as timeline slices, with absolute times and nesting.
namespace et::inspector::events {

struct Slice {
    etdump::EventIndex event = 0;
    std::uint64_t start = 0;  ///< ticks, with 32-bit clock wraps undone
    std::uint64_t end = 0;    ///< at least `start`
    bool delegated = false;
    bool overlaps = false;        ///< partially overlaps another slice of its track
    bool syntheticStart = false;  ///< the backend did not measure the start
};

/// An allocation event, which has no time: placed at the end of the previous event.
struct AllocationMark {
    etdump::EventIndex event = 0;
    std::uint64_t at = 0;
};

struct RunSlices {
    std::vector<Slice> slices;  ///< by start, longer ones first; parents precede their children
    std::vector<AllocationMark> allocations;
};

/// Converts the runs of a trace, in order, to slices.
class SliceReader {
  public:
    explicit SliceReader(const etdump::Trace& source) : trace(source) {}
    [[nodiscard]] RunSlices next(const etdump::Run& run);

  private:
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> unwrapped(std::uint64_t start, std::uint64_t end);

    const etdump::Trace& trace;
    std::uint64_t epoch = 0;  ///< ticks added for 32-bit clock wraps so far
    std::uint64_t lastEnd = 0;
};

}  // namespace et::inspector::events
