#pragma once

#include "etdump/trace.h"

#include <cstdint>
#include <utility>
#include <vector>

/// The events of a trace as slices of a timeline: absolute times, and what nests in what.
namespace et::inspector::report {

struct Slice {
    etdump::EventIndex event = 0;
    std::uint64_t start = 0;  ///< ticks, with the wraps of a 32-bit clock undone
    std::uint64_t end = 0;    ///< at least `start`
    bool delegated = false;
    bool overlaps = false;        ///< lies partly within another slice of its track
    bool syntheticStart = false;  ///< the backend did not measure when it started
};

/// An allocation event, which has no time of its own: it stands where the event before it ended.
struct AllocationMark {
    etdump::EventIndex event = 0;
    std::uint64_t at = 0;
};

struct RunSlices {
    std::vector<Slice> slices;  ///< by start, the longer first; parents come before what lies in them
    std::vector<AllocationMark> allocations;
};

/// Turns the runs of a trace, in their order, into slices.
class SliceReader {
  public:
    explicit SliceReader(const etdump::Trace& source) : trace(source) {}
    [[nodiscard]] RunSlices next(const etdump::Run& run);

  private:
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> unwrapped(std::uint64_t start, std::uint64_t end);

    const etdump::Trace& trace;
    std::uint64_t epoch = 0;  ///< ticks that a 32-bit clock lost by wrapping so far
    std::uint64_t lastEnd = 0;
};

}  // namespace et::inspector::report
