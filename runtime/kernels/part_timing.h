#pragma once

#include "runtime/core/event_tracer.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace et::kernels {

/// Some of the parts of a result are timed, for an estimate of what each instruction that had to do with them
/// took. Any thread may call it.
class PartTiming {
  public:
    /// What is measured of a part.
    enum class Turn : std::uint8_t { None, First, Second };
    static constexpr std::size_t maxSeries = 6;

    /// For the next part, of so many elements. Of the largest parts (what lies at an edge takes longer for
    /// each element), one in eight has the turn First, another one Second.
    [[nodiscard]] Turn next(std::size_t elements);

    /// Does `work` on so many elements, and notes in a series how long it took.
    template <class Work>
    void measure(std::size_t series, std::size_t elements, const Work& work) {
        const std::uint64_t start = core::EventTracer::now();
        work();
        note(series, elements, core::EventTracer::now() - start);
    }

    /// Nanoseconds for each element: the median of a series, so that who was interrupted once does not count
    /// for all. 0: nothing was measured.
    [[nodiscard]] double median(std::size_t series) const;
    /// Of all parts.
    [[nodiscard]] std::uint64_t elements() const { return allElements.load(); }

  private:
    void note(std::size_t series, std::size_t elements, std::uint64_t nanoseconds);

    static constexpr std::size_t maxKept = 64;
    struct Series {
        std::atomic<std::uint64_t> count{0};
        std::array<std::atomic<float>, maxKept> nanosecondsPerElement{};  ///< the last ones
    };
    std::atomic<std::uint64_t> largest{0};       ///< elements of a part
    std::atomic<std::uint64_t> largestParts{0};  ///< parts of that size
    std::atomic<std::uint64_t> allElements{0};
    std::array<Series, maxSeries> all;
};

}  // namespace et::kernels
