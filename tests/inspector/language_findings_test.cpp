// Tests of rules for language models: each on a generation that triggers it, and on one that does not.
#include "inspector/findings/findings.h"
#include "inspector/names/phase_mark.h"
#include "tests/inspector/join_support.h"
#include "tests/support/program_file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <tuple>

namespace et::inspector {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A kernel of each step, and its ticks (nanoseconds) by position.
struct LanguageKernel {
    std::string name;
    std::function<std::uint64_t(std::uint64_t position)> ticks;
    bool delegated = false;
};

LanguageKernel steady(std::string name, std::uint64_t ticks, bool delegated = false) {
    return {std::move(name), [ticks](std::uint64_t) { return ticks; }, delegated};
}

/// Prompt calls, given as numbers of tokens, then decode steps.
class LanguageTrace {
  public:
    explicit LanguageTrace(std::vector<LanguageKernel> each) : kernels(std::move(each)) {}

    LanguageTrace& prompt(const std::vector<std::uint64_t>& calls) {
        for (std::size_t i = 0; i < calls.size(); ++i) {
            step({.phase = "prefill", .call = i, .position = position, .tokens = calls[i]});
        }
        return *this;
    }
    LanguageTrace& answer(std::size_t steps) {
        for (std::size_t i = 0; i < steps; ++i) {
            step({.phase = "decode", .call = i, .position = position, .tokens = 1});
        }
        return *this;
    }
    std::shared_ptr<const etdump::Trace> finish() {
        writer->beginRun(phaseBlockName);
        for (const auto& [name, start, end] : marks) {
            writer->profile(name, {}, start, end);
        }
        return test::traceOf(*writer);
    }

  private:
    void step(const PhaseMark& mark) {
        writer->beginRun("Execute");
        const std::uint64_t start = now;
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            const auto number = static_cast<std::int32_t>(i);
            const std::uint64_t end = now + kernels[i].ticks(position);
            if (kernels[i].delegated) {
                writer->profile(kernels[i].name, test::delegated(number, kernels[i].name), now, end);
                writer->profile("DELEGATE_CALL", test::at(number), now, end);
            } else {
                writer->profile(kernels[i].name, test::at(number), now, end);
            }
            now = end;
        }
        writer->profile("Method::execute", {.instruction = 0, .chain = -1}, start, now);
        marks.emplace_back(phaseMarkName(mark), start, now);
        position += mark.tokens;
        now += 10;
    }

    std::vector<LanguageKernel> kernels;
    std::unique_ptr<etdump::TraceWriter> writer = std::make_unique<etdump::TraceWriter>();
    std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>> marks;
    std::uint64_t now = 0;
    std::uint64_t position = 0;
};

/// forward(tokens, input_pos) with one operator and a delegate with `weightBytes` bytes of weights.
std::shared_ptr<const program::Program> languageProgram(std::size_t weightBytes) {
    test::ProgramSpec spec = test::addProgram();
    test::MethodSpec& method = spec.methods.front();
    const auto input = [](std::vector<std::int32_t> sizes, std::uint64_t offset) {
        std::vector<std::uint8_t> order;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            order.push_back(static_cast<std::uint8_t>(i));
        }
        return test::TensorSpec{.scalarType = 4,
                                .sizes = std::move(sizes),
                                .dimOrder = std::move(order),
                                .allocation = test::AllocationSpec{.arena = 1, .offset = offset}};
    };
    test::TensorSpec logits = input({1, 8}, 32);
    logits.scalarType = 6;
    method.values = {input({1, 1}, 0), input({1}, 16), logits};
    method.inputs = {0, 1};
    method.outputs = {2};
    method.operators = {{"aten::linear", "out"}};
    method.delegates = {{.backend = "DemoBackend"}};
    spec.inlinePayloads = {std::string(weightBytes, 'w')};
    method.instructions = {test::DelegateCallSpec{.delegate = 0, .args = {0, 2}},
                           test::KernelSpec{.op = 0, .args = {0, 2}}};
    return program::Program::parse(core::MappedFile::fromMemory(test::writeProgram(spec))).value();
}

class LanguageFindings : public testing::Test {
  protected:
    [[nodiscard]] const Finding* of(std::string_view rule, LanguageTrace trace) {
        session.trace = trace.finish();
        session.blocks = test::join(session.trace);
        session.files.trace = "model.etdp";
        all = deriveFindings(session);
        const auto found = std::ranges::find(all, rule, &Finding::rule);
        return found == all.end() ? nullptr : &*found;
    }

    Session session;
    std::vector<Finding> all;
};

LanguageTrace talk(std::vector<LanguageKernel> kernels) {
    LanguageTrace trace(std::move(kernels));
    trace.prompt({16}).answer(40);
    return trace;
}

TEST_F(LanguageFindings, DecodeThatWaitsForItsWeights) {
    session.program = languageProgram(16 << 20);
    // 16 MiB in 2 ms are 8.4 GB/s.
    const Finding* const bound =
        of("weight-bound-decode",
           talk({steady("native_call_linear.out", 2'000'000), steady("native_call_add.out", 500'000)}));
    ASSERT_NE(bound, nullptr);
    EXPECT_THAT(bound->title,
                HasSubstr("16.0 MiB of weights per token, at 8.4 GB/s: 2.000 ms of a decode step "
                          "(80.0 %)"));
    EXPECT_NEAR(bound->share, 0.8, 1e-9);
    // Kernels that are slow for other reasons.
    EXPECT_EQ(of("weight-bound-decode", talk({steady("native_call_linear.out", 20'000'000)})), nullptr);
    // Most of the time is spent elsewhere.
    EXPECT_EQ(of("weight-bound-decode", talk({steady("native_call_linear.out", 2'000'000),
                                              steady("native_call_add.out", 3'000'000)})),
              nullptr);
    session.program = languageProgram(1 << 20);  // fits in the cache
    EXPECT_EQ(of("weight-bound-decode", talk({steady("native_call_linear.out", 100'000)})), nullptr);
}

TEST_F(LanguageFindings, AttentionThatGrowsPastTheRest) {
    const auto attention = [](std::uint64_t each) {
        return LanguageKernel{"llama::custom_sdpa.out",
                              [each](std::uint64_t at) { return 1'000 + each * at; }};
    };
    const Finding* const grows =
        of("attention-growth", talk({attention(100), steady("native_call_linear.out", 11'000)}));
    ASSERT_NE(grows, nullptr);
    EXPECT_THAT(grows->title,
                HasSubstr("at least half of a decode step from position 100 on: 6.500 µs at position 55 "
                          "(37.1 %), 100.0 µs more per 1,000 positions"));
    EXPECT_EQ(of("attention-growth", talk({attention(1), steady("native_call_linear.out", 11'000)})), nullptr)
        << "position 10,000 is far off";
    EXPECT_EQ(of("attention-growth", talk({attention(0), steady("native_call_linear.out", 100)})), nullptr)
        << "it is much, but does not grow";
}

TEST_F(LanguageFindings, LogitsWithALargePart) {
    const auto model = [](std::uint64_t last) {
        return talk({steady("native_call_linear.out", 3'000), steady("native_call_linear.out", 3'000),
                     steady("native_call_linear.out", last)});
    };
    const Finding* const logits = of("costly-logits", model(2'000));
    ASSERT_NE(logits, nullptr);
    EXPECT_THAT(logits->title,
                HasSubstr("the logits (`linear.out`, the last of 3 matrix products) take 2.000 µs of a "
                          "prefill call (25.0 %)"));
    EXPECT_THAT(logits->instructions, testing::ElementsAre(core::InstructionId(2)));
    EXPECT_EQ(std::ranges::count(all, "costly-logits", &Finding::rule), 2) << "prefill and decode";
    EXPECT_EQ(of("costly-logits", model(1'000)), nullptr);
}

TEST_F(LanguageFindings, CachesThatAreCopied) {
    const auto model = [](std::uint64_t copy) {
        return talk({steady("native_call_linear.out", 9'000), steady("native_call_copy_.out", copy)});
    };
    const Finding* const copies = of("cache-copies", model(1'000));
    ASSERT_NE(copies, nullptr);
    EXPECT_EQ(copies->title, "writing the KV cache takes 1.000 µs of a decode step (10.0 %)");
    EXPECT_EQ(of("cache-copies", model(100)), nullptr);
}

TEST_F(LanguageFindings, APromptTokenByToken) {
    const auto model = [](const std::vector<std::uint64_t>& calls) {
        LanguageTrace trace({steady("native_call_linear.out", 9'000)});
        trace.prompt(calls).answer(10);
        return trace;
    };
    const Finding* const slow = of("prefill-by-token", model({1, 1, 1, 1, 1, 1}));
    ASSERT_NE(slow, nullptr);
    EXPECT_EQ(slow->title, "the prompt is processed token by token: 6 calls, 54.00 µs (37.5 % of the time)");
    EXPECT_EQ(of("prefill-by-token", model({6})), nullptr);
    EXPECT_EQ(of("prefill-by-token", model({4, 4, 4, 4})), nullptr);
    EXPECT_EQ(of("prefill-by-token", model({1})), nullptr);
}

TEST_F(LanguageFindings, APhaseOutsideOfDelegates) {
    const auto model = [](std::uint64_t outside, bool delegated) {
        return talk({steady("Fully Connected", 7'000, delegated), steady("native_call_mul.out", outside)});
    };
    const Finding* const much = of("undelegated-phase", model(3'000, true));
    ASSERT_NE(much, nullptr);
    // Both phases have this share.
    EXPECT_THAT(much->title, AllOf(HasSubstr("operators outside delegates take 3.000 µs of a "),
                                   HasSubstr("(30.0 %), most of it `mul.out` (30.0 %)")));
    EXPECT_EQ(of("undelegated-phase", model(1'000, true)), nullptr);
    EXPECT_EQ(of("undelegated-phase", model(3'000, false)), nullptr) << "nothing is delegated";
}

TEST_F(LanguageFindings, OtherModelsHaveNone) {
    etdump::TraceWriter writer;
    for (int i = 0; i < 10; ++i) {
        writer.beginRun("Execute");
        writer.profile("native_call_copy_.out", test::at(0), 0, 1'000);
        writer.profile("Method::execute", {.instruction = 0, .chain = -1}, 0, 1'000);
    }
    session.trace = test::traceOf(writer);
    session.blocks = test::join(session.trace);
    for (const Finding& finding : deriveFindings(session)) {
        EXPECT_NE(finding.rule, "cache-copies");
    }
}

}  // namespace
}  // namespace et::inspector
