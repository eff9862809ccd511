#pragma once

#include "inspector/join/counter_kinds.h"
#include "runtime/core/descriptor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

using inspector::Counter;
using inspector::CounterInfo;
using inspector::counterInfos;
using inspector::counterKinds;
using inspector::infoOf;

/// Value of a counter. If the processor has fewer hardware counters than requested, they are multiplexed:
/// `running` is then less than `enabled`, and the value is too low in proportion.
struct CounterReading {
    std::uint64_t value = 0;
    std::uint64_t enabled = 0;  ///< nanoseconds during which it was enabled
    std::uint64_t running = 0;  ///< nanoseconds of these during which it was counting

    CounterReading& operator+=(const CounterReading& more);
    /// Since `before`.
    [[nodiscard]] CounterReading since(const CounterReading& before) const;
    /// The value extrapolated to the whole time; nothing if it never counted.
    [[nodiscard]] std::optional<double> scaled() const;
};

/// Interface to the system's counters, replaced in tests.
class CounterSystem {
  public:
    CounterSystem() = default;
    virtual ~CounterSystem() = default;
    CounterSystem(const CounterSystem&) = delete;
    CounterSystem& operator=(const CounterSystem&) = delete;

    /// Returns a descriptor of a counter that starts now, for this thread and threads that it creates;
    /// negative: the error (errno).
    [[nodiscard]] virtual int open(Counter counter) = 0;
    /// Returns nothing if it cannot be read.
    [[nodiscard]] virtual std::optional<CounterReading> read(int descriptor) = 0;
    /// Returns kernel.perf_event_paranoid, the kernel's restriction level; nothing if unknown.
    [[nodiscard]] virtual std::optional<int> strictness() = 0;
};

/// The Linux implementation, perf_event_open().
[[nodiscard]] CounterSystem& linuxCounters();

/// The available counters, with the reasons why others are missing.
class CounterSet {
  public:
    /// One value per counter; missing ones are 0.
    using Readings = std::array<CounterReading, counterKinds>;

    /// Opens all counters. Must be called before the threads to count are created.
    explicit CounterSet(CounterSystem& system);

    [[nodiscard]] bool has(Counter counter) const { return bool(open[static_cast<std::size_t>(counter)]); }
    /// One line per reason why counters are missing, with a remedy.
    [[nodiscard]] const std::vector<std::string>& refusals() const { return reasons; }

    [[nodiscard]] Readings read() const;

  private:
    void explain(const std::array<int, counterKinds>& errors);

    CounterSystem* system;
    std::array<core::Descriptor, counterKinds> open;
    std::vector<std::string> reasons;
};

}  // namespace et::tasks
