// Tests that events recorded on a device reach the host's tracer unchanged, and that damaged tapes are
// errors.
#include "app/wire/tape.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace et::wire {
namespace {

/// Records all events that it receives.
class Listener final : public core::EventTracer {
  public:
    core::TraceName name(std::string_view text) override {
        names.emplace_back(text);
        return core::TraceName(static_cast<std::uint32_t>(names.size() - 1));
    }
    void beginRun(std::string_view block) override { heard.push_back(fmt::format("begin {}", block)); }
    void endRun() override { heard.emplace_back("end"); }
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start, std::uint64_t end,
                 core::Bytes metadata) override {
        heard.push_back(fmt::format("{} {}/{} '{}' {}-{} {}", names[event.value], ids.chain, ids.instruction,
                                    ids.delegateString, start, end, metadata.size()));
    }
    std::uint32_t allocator(std::string_view text) override {
        heard.push_back(fmt::format("allocator {}", text));
        return 7;
    }
    void allocation(std::uint32_t id, std::uint64_t bytes) override {
        heard.push_back(fmt::format("allocation {} {}", id, bytes));
    }
    core::DebugLevel debugLevel() const override { return core::DebugLevel::Intermediates; }
    bool wantsDebug(core::TraceName event, const core::TraceIds& ids) override {
        return names[event.value] == "conv" && ids.instruction == 3;
    }
    void debug(core::TraceName event, const core::TraceIds&, core::Value& value, bool output) override {
        const auto* tensor = value.as<core::Tensor>();
        heard.push_back(fmt::format("debug {} {} {}", names[event.value],
                                    tensor != nullptr ? tensor->data<float>()[1] : 0.0F, output));
    }

    std::vector<std::string> names;
    std::vector<std::string> heard;
};

std::vector<std::byte> record(TapeRecorder& tape) {
    const core::TraceName conv = tape.name("conv");
    tape.beginRun("Execute");
    const std::array metadata{std::byte{1}, std::byte{2}};
    tape.profile(conv, {.chain = 0, .instruction = 3, .delegateString = "d"}, 10, 20, metadata);
    tape.allocation(tape.allocator("arena"), 64);
    std::array numbers{1.5F, 2.5F};
    const std::array<std::int64_t, 1> sizes{2};
    core::Value value(core::Tensor::over(numbers.data(), sizes));
    tape.debug(conv, {.chain = 0, .instruction = 3}, value, true);
    tape.endRun();
    return tape.take();
}

TEST(Tape, ReplaysEvents) {
    TapeRecorder tape({.isOn = true, .debugLevel = core::DebugLevel::Intermediates},
                      [](const Query&) { return true; });
    const auto bytes = record(tape);
    TapePlayer player;
    player.addNames(tape.takeNames());
    Listener listener;
    ASSERT_TRUE(player.play(bytes, listener));
    EXPECT_EQ(listener.heard,
              (std::vector<std::string>{"begin Execute", "conv 0/3 'd' 10-20 2", "allocator arena",
                                        "allocation 7 64", "debug conv 2.5 true", "end"}));
}

TEST(Tape, QueriesTheTracerOncePerValue) {
    Listener listener;
    int asked = 0;
    TapeRecorder tape({.isOn = true}, [&](const Query& query) {
        ++asked;
        return TapePlayer::answer(query, listener);
    });
    const core::TraceName conv = tape.name("conv");
    for (int round = 0; round < 3; ++round) {
        EXPECT_TRUE(tape.wantsDebug(conv, {.chain = 0, .instruction = 3}));
        EXPECT_FALSE(tape.wantsDebug(conv, {.chain = 0, .instruction = 4}));
    }
    EXPECT_EQ(asked, 2);
}

TEST(Tape, CutOffAnywhereOrWithoutItsNamesIsAnError) {
    TapeRecorder tape({.isOn = true, .debugLevel = core::DebugLevel::Intermediates},
                      [](const Query&) { return true; });
    const auto bytes = record(tape);
    TapePlayer nameless;
    Listener listener;
    EXPECT_EQ(nameless.play(bytes, listener).error().code, core::ErrorCode::Format);
    TapePlayer player;
    player.addNames(tape.takeNames());
    std::size_t whole = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        whole += player.play(std::span(bytes).first(size), listener) ? 1 : 0;
    }
    EXPECT_EQ(whole, 5U) << "between two events only";
}

}  // namespace
}  // namespace et::wire
