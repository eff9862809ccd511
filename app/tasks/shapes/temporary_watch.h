#pragma once

#include "runtime/core/event_tracer.h"
#include "runtime/executor/method.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Finds the instruction that needs the most temporary memory. For one execution of a method loaded with this
/// tracer.
class TemporaryWatch final : public core::EventTracer {
  public:
    /// Sets the method to watch; it must outlive the execution.
    void watch(const executor::Method& loaded) { method = &loaded; }
    /// "convolution.out (instruction 1)"; empty: no instruction needs temporary memory.
    [[nodiscard]] const std::string& largest() const { return owner; }

    [[nodiscard]] core::TraceName name(std::string_view text) override;
    void beginRun(std::string_view) override {}
    void endRun() override {}
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata) override;
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}

  private:
    const executor::Method* method = nullptr;
    std::vector<std::string> names;
    std::uint64_t peak = 0;
    std::string owner;
};

}  // namespace et::tasks
