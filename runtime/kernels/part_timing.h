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

    /// For the next part, of so many elements. One in eight parts has each of the turns First and Second.
    [[nodiscard]] Turn next(std::size_t elements) {
        constexpr std::uint64_t period = 8;
        allElements.fetch_add(elements, std::memory_order_relaxed);
        const std::uint64_t place = parts.fetch_add(1, std::memory_order_relaxed) % period;
        return place == 0 ? Turn::First : (place == period / 2 ? Turn::Second : Turn::None);
    }

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
    std::atomic<std::uint64_t> parts{0};
    std::atomic<std::uint64_t> allElements{0};
    std::array<Series, maxSeries> all;
};

}  // namespace et::kernels
