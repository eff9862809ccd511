#pragma once

#include "app/tasks/counters/counter_set.h"
#include "runtime/core/event_tracer.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

namespace et::tasks {

/// An instruction of a method.
struct CountedSite {
    std::int64_t chain = 0;
    std::int32_t instruction = 0;

    auto operator<=>(const CountedSite&) const = default;
};

struct CountedInstruction {
    std::uint64_t calls = 0;
    std::uint64_t nanoseconds = 0;  ///< total of all calls
    CounterSet::Readings counted{};
};

/// Counts events of each instruction: from the end of the previous one to its own end, excluding the reading
/// itself. Events traced inside a delegate belong to its call.
class CountingTracer final : public core::EventTracer {
  public:
    /// `counters` must outlive this object.
    explicit CountingTracer(const CounterSet& counters) : set(&counters) {}

    [[nodiscard]] const std::map<CountedSite, CountedInstruction>& instructions() const { return sites; }
    /// Number of finished executions.
    [[nodiscard]] std::size_t runs() const { return ended; }

    /// True if an event is the end of an instruction, not of a part of it; `event` is a name of this tracer.
    [[nodiscard]] static bool endsInstruction(core::TraceName event, const core::TraceIds& ids) {
        const bool isInside = ids.delegateInt >= 0 || !ids.delegateString.empty() || event == kernel;
        return !isInside && ids.chain >= 0 && ids.instruction >= 0;
    }
    /// Excludes everything since the last event from the counts.
    void resume() { last = set->read(); }

    [[nodiscard]] core::TraceName name(std::string_view text) override;
    void beginRun(std::string_view blockName) override;
    void endRun() override { ++ended; }
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata) override;
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}

  private:
    /// Names only distinguish kernel events, which are parts of an instruction, from others.
    static constexpr core::TraceName other{0};
    static constexpr core::TraceName kernel{1};

    const CounterSet* set;
    std::map<CountedSite, CountedInstruction> sites;
    CounterSet::Readings last{};
    std::size_t ended = 0;
};

}  // namespace et::tasks
