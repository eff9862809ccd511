// Tests that delegates are prepared before the first run of their method, before the tracer sees the run.
#include "tests/executor/run_program.h"

#include <gmock/gmock.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

using builder::MethodBuilder;
using builder::ProgramBuilder;
using testing::ElementsAre;

using Diary = std::vector<std::string>;

/// Records the calls that it receives.
class WritingDelegate final : public executor::LoadedDelegate {
  public:
    WritingDelegate(Diary& into, int failing) : diary(into), failures(failing) {}

    [[nodiscard]] core::Result<> prepare() override {
        diary.emplace_back("prepare");
        if (failures > 0) {
            --failures;
            return core::fail(core::ErrorCode::Limit, "no memory");
        }
        return {};
    }
    [[nodiscard]] core::Result<> execute(const executor::DelegateCallContext&,
                                         std::span<core::Value* const>) override {
        diary.emplace_back("execute");
        return {};
    }

  private:
    Diary& diary;
    int failures;
};

class WritingBackend final : public executor::Backend {
  public:
    explicit WritingBackend(Diary& into, int failing = 0) : diary(into), failures(failing) {}

    [[nodiscard]] std::string_view name() const override { return "WritingBackend"; }
    [[nodiscard]] core::Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource&) const override {
        diary.emplace_back("load");
        return std::make_unique<WritingDelegate>(diary, failures);
    }

  private:
    Diary& diary;
    int failures;
};

/// Records when runs begin.
class WritingTracer final : public core::EventTracer {
  public:
    explicit WritingTracer(Diary& into) : diary(into) {}

    [[nodiscard]] core::TraceName name(std::string_view) override { return core::TraceName{0}; }
    void beginRun(std::string_view run) override { diary.emplace_back(run); }
    void endRun() override {}
    void profile(core::TraceName, const core::TraceIds&, std::uint64_t, std::uint64_t, core::Bytes) override {
    }
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}

  private:
    Diary& diary;
};

class PreparedDelegatesTest : public testing::Test {
  protected:
    /// Returns its input, and calls one delegate `calls` times.
    void build(int calls) {
        MethodBuilder& forward = program.method("forward");
        const auto x = forward.input({.sizes = {2}});
        const std::array payload{std::byte{1}};
        const auto delegate = forward.delegate("WritingBackend", payload);
        for (int call = 0; call < calls; ++call) {
            forward.callDelegate(delegate, {x});
        }
        forward.output(x);
    }
    std::string run(executor::Method& method) {
        const Floats x{1, 2};
        EXPECT_EQ(errorText(method.setInput(0, floats({2}, x))), "");
        return errorText(method.execute());
    }

    ProgramBuilder program;
    Diary diary;
};

TEST_F(PreparedDelegatesTest, OnceAndBeforeTheFirstRunBegins) {
    build(1);
    const WritingBackend backend(diary);
    const std::array<const executor::Backend*, 1> backends{&backend};
    WritingTracer tracer(diary);
    LoadedProgram loaded(program);
    loaded.environment.backends = backends;
    executor::Method& method = loaded.method();
    EXPECT_THAT(diary, ElementsAre("load"));
    method.setTracer(&tracer);
    EXPECT_EQ(run(method), "");
    EXPECT_EQ(run(method), "");
    EXPECT_THAT(diary, ElementsAre("load", "prepare", "Execute", "execute", "Execute", "execute"));
}

TEST_F(PreparedDelegatesTest, PreparesEarlyOnRequest) {
    build(1);
    const WritingBackend backend(diary);
    const std::array<const executor::Backend*, 1> backends{&backend};
    LoadedProgram loaded(program);
    loaded.environment.backends = backends;
    executor::Method& method = loaded.method();
    EXPECT_EQ(errorText(method.prepare()), "");
    EXPECT_THAT(diary, ElementsAre("load", "prepare"));
    EXPECT_EQ(run(method), "");
    EXPECT_THAT(diary, ElementsAre("load", "prepare", "execute"));
}

TEST_F(PreparedDelegatesTest, FailureNamesTheDelegateAndNothingRuns) {
    build(1);
    const WritingBackend backend(diary, 1);
    const std::array<const executor::Backend*, 1> backends{&backend};
    LoadedProgram loaded(program);
    loaded.environment.backends = backends;
    executor::Method& method = loaded.method();
    EXPECT_EQ(run(method), "forward: instructions[0] (WritingBackend): no memory");
    EXPECT_THAT(diary, ElementsAre("load", "prepare"));
    EXPECT_EQ(errorText(method.execute()), "inputs[0]: expected float32 [2], got nothing")
        << "inputs are those of one run";
    diary.clear();
    EXPECT_EQ(run(method), "") << "there is memory now";
    EXPECT_THAT(diary, ElementsAre("prepare", "execute"));
}

TEST_F(PreparedDelegatesTest, SkipsDelegatesThatAreNeverCalled) {
    build(0);
    const WritingBackend backend(diary);
    const std::array<const executor::Backend*, 1> backends{&backend};
    LoadedProgram loaded(program);
    loaded.environment.backends = backends;
    EXPECT_EQ(run(loaded.method()), "");
    EXPECT_THAT(diary, testing::Not(testing::Contains("prepare")));
}

}  // namespace
}  // namespace et::test
