#pragma once

#include "inspector/memory/memory_timeline.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace et::tasks {

/// Overwrites planned memory that the plan marks as free: after the last instruction that uses a tensor, and
/// before an execution. For one method and one thread.
class MemoryPoison final : public core::EventTracer {
  public:
    /// In most dtypes the default pattern is a conspicuous number; as an index it is always out of range.
    explicit MemoryPoison(std::byte fill = std::byte{0xa5}) : pattern(fill) {}

    /// Sets the method to trace; before that, it does nothing. `loaded` must outlive it. Errors: those of
    /// MemoryTimeline::build().
    [[nodiscard]] core::Result<> watch(executor::Method& loaded);

    /// Call before the inputs of an execution are set.
    void beforeInputs();

    [[nodiscard]] core::TraceName name(std::string_view text) override;
    void beginRun(std::string_view) override {}
    void endRun() override {}
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata) override;
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}

  private:
    void overwrite(std::span<std::byte> memory) const;

    std::byte pattern;
    std::vector<bool> ends;  ///< by name: it is the event of a whole instruction
    /// Memory keyed by the instruction after which it is free.
    std::map<std::pair<std::int64_t, std::int32_t>, std::vector<std::span<std::byte>>> freedAfter;
    std::vector<std::span<std::byte>> betweenExecutions;
};

}  // namespace et::tasks
