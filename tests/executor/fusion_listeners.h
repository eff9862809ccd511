#pragma once

#include "runtime/builder/method_builder.h"
#include "runtime/core/event_names.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/fused_events.h"
#include "tests/executor/run_program.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// Helpers for tests of fused instructions.
namespace et::test {

inline Floats randomFloats(std::size_t count, unsigned seed, float low = -2, float high = 2) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> numbers(low, high);
    Floats out(count);
    std::ranges::generate(out, [&] { return numbers(generator); });
    return out;
}

inline std::size_t elementsOf(const builder::Ints& sizes) {
    std::size_t count = 1;
    for (const std::int64_t size : sizes) {
        count *= static_cast<std::size_t>(size);
    }
    return count;
}

inline program::ValueId constantOf(builder::MethodBuilder& method, const builder::Ints& sizes,
                                   const Floats& numbers) {
    return method.constant<float>({.sizes = sizes}, numbers);
}

/// Receives an event for every instruction as soon as it is done.
class Listener : public core::EventTracer {
  public:
    explicit Listener(core::DebugLevel wanted = core::DebugLevel::None) : level(wanted) {}
    struct Event {
        std::string name;
        std::int32_t instruction;
        std::uint64_t start;
        std::uint64_t end;
    };

    [[nodiscard]] core::TraceName name(std::string_view text) override {
        names.emplace_back(text);
        return core::TraceName(static_cast<std::uint32_t>(names.size() - 1));
    }
    void beginRun(std::string_view) override { events.clear(); }
    void endRun() override {}
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes) override {
        events.push_back(
            {.name = names[event.value], .instruction = ids.instruction, .start = start, .end = end});
    }
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}
    [[nodiscard]] core::DebugLevel debugLevel() const override { return level; }

    /// Number of fused instructions: one ends exactly when the next one begins; otherwise the clock is read
    /// twice.
    [[nodiscard]] std::uint64_t fused() const {
        std::vector<const Event*> calls;
        for (const Event& event : events) {
            if (event.name == core::event_name::operatorCall) {
                calls.push_back(&event);
            }
        }
        const auto meet = [&](std::size_t i) {
            return i > 0 && i < calls.size() && calls[i - 1]->end == calls[i]->start;
        };
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            count += meet(i) || meet(i + 1) ? 1 : 0;
        }
        return count;
    }

    std::vector<Event> events;

  private:
    std::vector<std::string> names;
    core::DebugLevel level;
};

class FusedListener final : public Listener, public core::TakesFusedEvents {
  public:
    using Listener::Listener;
};

inline Floats runOnce(executor::Method& method, const builder::Ints& sizes, const Floats& input) {
    EXPECT_EQ(errorText(method.setInput(0, floats(sizes, input))), "");
    EXPECT_EQ(errorText(method.execute()), "");
    return outputFloats(method);
}

inline bool sameBits(const Floats& left, const Floats& right) {
    return left.size() == right.size() &&
           std::memcmp(left.data(), right.data(), left.size() * sizeof(float)) == 0;
}

}  // namespace et::test
