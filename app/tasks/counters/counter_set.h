#pragma once

#include "app/tasks/counters/counter_kinds.h"
#include "runtime/core/descriptor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// What a counter has counted. Where there are more counters than the processor has places, they take turns:
/// then `running` is less than `enabled`, and so is what was counted.
struct CounterReading {
    std::uint64_t value = 0;
    std::uint64_t enabled = 0;  ///< nanoseconds that it was there to count
    std::uint64_t running = 0;  ///< of these, those in which it did

    CounterReading& operator+=(const CounterReading& more);
    /// Since `before`.
    [[nodiscard]] CounterReading since(const CounterReading& before) const;
    /// What it would have counted in all of the time; nothing: it never had its turn.
    [[nodiscard]] std::optional<double> scaled() const;
};

/// What counters ask of the system. Tests answer in its place.
class CounterSystem {
  public:
    CounterSystem() = default;
    virtual ~CounterSystem() = default;
    CounterSystem(const CounterSystem&) = delete;
    CounterSystem& operator=(const CounterSystem&) = delete;

    /// A descriptor of a counter that counts from now on, in this thread and in those that it makes; a
    /// negative number is the error (errno).
    [[nodiscard]] virtual int open(Counter counter) = 0;
    /// Nothing where it cannot be read.
    [[nodiscard]] virtual std::optional<CounterReading> read(int descriptor) = 0;
    /// What the kernel allows at most: kernel.perf_event_paranoid; nothing where it does not say.
    [[nodiscard]] virtual std::optional<int> strictness() = 0;
};

/// That of Linux: perf_event_open().
[[nodiscard]] CounterSystem& linuxCounters();

/// The counters that the system gave, and why it did not give the others.
class CounterSet {
  public:
    /// A value for each counter; those that are not there stay 0.
    using Readings = std::array<CounterReading, counterKinds>;

    /// Asks for all. Threads that are to be counted are made later.
    explicit CounterSet(CounterSystem& system);

    [[nodiscard]] bool has(Counter counter) const { return bool(open[static_cast<std::size_t>(counter)]); }
    /// A line for each reason why counters are missing, with what to do about it.
    [[nodiscard]] const std::vector<std::string>& refusals() const { return reasons; }

    [[nodiscard]] Readings read() const;

  private:
    void explain(const std::array<int, counterKinds>& errors);

    CounterSystem* system;
    std::array<core::Descriptor, counterKinds> open;
    std::vector<std::string> reasons;
};

}  // namespace et::app
