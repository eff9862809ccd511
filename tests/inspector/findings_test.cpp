// Tests each rule on a minimal session that triggers it, and that no rule triggers without a problem.
#include "inspector/findings/findings.h"

#include "inspector/findings/answers.h"
#include "inspector/findings/summary.h"
#include "tests/inspector/join_support.h"
#include "tests/support/program_file.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <vector>

namespace et::inspector {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t runTicks = 1'000'000;

/// delegate, view_copy, delegate, add: one partition split by a copying view.
test::ProgramSpec splitProgram() {
    test::ProgramSpec spec = test::addProgram();
    test::MethodSpec& method = spec.methods.front();
    method.operators = {{"aten::view_copy", "out"}, {"aten::add", "out"}};
    method.delegates = {{.backend = "DemoBackend"}, {.backend = "DemoBackend"}};
    spec.inlinePayloads = {"one", "two"};
    method.instructions = {
        test::DelegateCallSpec{.delegate = 0, .args = {0, 1}}, test::KernelSpec{.op = 0, .args = {0, 1}},
        test::DelegateCallSpec{.delegate = 1, .args = {0, 1}}, test::KernelSpec{.op = 1, .args = {0, 1}}};
    return spec;
}

struct Part {
    std::string_view kernel;  ///< empty for a delegate
    std::uint64_t ticks;
};

/// Returns runs of these parts in sequence; the first run takes `first` times as long.
std::shared_ptr<const etdump::Trace> traceOf(const std::vector<Part>& parts, std::uint64_t runs = 6,
                                             std::uint64_t first = 1) {
    etdump::TraceWriter writer;
    for (std::uint64_t run = 0; run < runs; ++run) {
        writer.beginRun("Execute");
        const std::uint64_t start = run * 100 * runTicks;
        std::uint64_t now = start;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::uint64_t end = now + parts[i].ticks * (run == 0 ? first : 1);
            const auto at = test::at(static_cast<std::int32_t>(i));
            if (parts[i].kernel.empty()) {
                writer.profile("DELEGATE_CALL", at, now, end);
            } else {
                writer.profile(std::string("native_call_") + std::string(parts[i].kernel), at, now, end);
            }
            now = end;
        }
        writer.profile("Method::execute", {.instruction = 0, .chain = -1}, start, now);
    }
    return test::traceOf(writer);
}

class FindingsTest : public testing::Test {
  protected:
    void useProgram(const test::ProgramSpec& spec) {
        session.program =
            program::Program::parse(core::MappedFile::fromMemory(test::writeProgram(spec))).value();
        session.files.program = "model.pte";
    }
    void useTrace(std::shared_ptr<const etdump::Trace> trace) {
        session.trace = std::move(trace);
        session.blocks = test::join(session.trace, session.record);
        session.files.trace = "model.etdp";
    }
    /// Returns the finding of a rule; null if there is none.
    [[nodiscard]] const Finding* of(std::string_view rule) {
        all = deriveFindings(session);
        const auto found = std::ranges::find(all, rule, &Finding::rule);
        return found == all.end() ? nullptr : &*found;
    }

    Session session;
    std::vector<Finding> all;
};

TEST_F(FindingsTest, RulesHaveNamesOfTheirOwn) {
    std::set<std::string_view> ids;
    for (const FindingRuleInfo& rule : findingRules()) {
        EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
        EXPECT_FALSE(rule.says.empty());
    }
    EXPECT_TRUE(deriveFindings(session).empty()) << "nothing is open";
}

TEST_F(FindingsTest, RemaindersOfSignedIntegersDifferOnADevice) {
    test::ProgramSpec spec = test::addProgram();
    test::MethodSpec& method = spec.methods.front();
    method.operators = {{"aten::remainder", "Tensor_out"}};
    method.instructions = {test::KernelSpec{.op = 0, .args = {0, 1, 2, 2}}};
    useProgram(spec);
    EXPECT_EQ(of("integer-remainder"), nullptr) << "of floating-point numbers";
    for (test::ValueSpec& value : method.values) {
        if (auto* const tensor = std::get_if<test::TensorSpec>(&value)) {
            tensor->scalarType = static_cast<std::int8_t>(core::ScalarType::Int);
        }
    }
    useProgram(spec);
    const Finding* const found = of("integer-remainder");
    ASSERT_NE(found, nullptr);
    EXPECT_THAT(found->instructions, testing::ElementsAre(core::InstructionId(0)));
}

TEST_F(FindingsTest, SchemaThatExecuTorchRejectsIsReported) {
    useProgram(test::addProgram());
    EXPECT_EQ(of("newer-schema"), nullptr);
    program::Program newer = *session.program;
    newer.version = 1;
    session.program = std::make_shared<const program::Program>(std::move(newer));
    const Finding* const found = of("newer-schema");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->title, "schema version 1 is newer than the highest (0) that ExecuTorch reads");
}

TEST_F(FindingsTest, AnOperatorSplitsAPartition) {
    useProgram(splitProgram());
    useTrace(traceOf({{"", 500'000}, {"view_copy.out", 400'000}, {"", 90'000}, {"add.out", 10'000}}));
    const Finding* const split = of("split-partition");
    ASSERT_NE(split, nullptr);
    EXPECT_EQ(split->title, "`view_copy` splits the partition: 2 delegates, 400.0 µs between them");
    EXPECT_DOUBLE_EQ(split->weight, 400'000);
    EXPECT_EQ(split->unit, FindingUnit::Nanoseconds);
    EXPECT_NEAR(split->share, 0.4, 1e-9);
    EXPECT_THAT(split->instructions, testing::ElementsAre(core::InstructionId(1)));
    EXPECT_EQ(split->method, "forward");
    EXPECT_EQ(all.front().share, std::ranges::max(all, {}, &Finding::share).share) << "largest first";
}

TEST_F(FindingsTest, OperatorsFarFromTheLimitOfTheMachine) {
    useProgram(splitProgram());
    useTrace(traceOf({{"", 500'000}, {"view_copy.out", 400'000}, {"", 90'000}, {"add.out", 10'000}}));
    events::EventLimits limits;
    for (const Event& event : session.blocks->blocks().front().events) {
        if (event.name == "native_call_view_copy.out") {
            const double least = event.statistics.p50 / 10;
            limits[&event] = {.operations = 0, .bytes = 4096, .attainable = least, .boundBy = "L2"};
        } else if (event.name == "native_call_add.out") {
            limits[&event] = {
                .operations = 1, .bytes = 1, .attainable = event.statistics.p50 / 10, .boundBy = "L1"};
        }
    }
    EXPECT_EQ(of("below-limit"), nullptr) << "no machine is known";
    all = deriveFindings(session, &limits);
    ASSERT_EQ(std::ranges::count(all, "below-limit", &Finding::rule), 1) << "the add is too short to matter";
    const Finding& found = *std::ranges::find(all, "below-limit", &Finding::rule);
    EXPECT_EQ(found.title,
              "`view` reaches 10.0 % of this machine's limit: 400.0 µs instead of "
              "40.00 µs");
    EXPECT_DOUBLE_EQ(found.weight, 360'000);
    EXPECT_NEAR(found.share, 0.36, 1e-9);
    EXPECT_THAT(found.explanation, testing::HasSubstr("L2 cache"));
    EXPECT_THAT(found.instructions, testing::ElementsAre(core::InstructionId(1)));
}

TEST_F(FindingsTest, WithoutATraceTheSplitIsCounted) {
    useProgram(splitProgram());
    const Finding* const split = of("split-partition");
    ASSERT_NE(split, nullptr);
    EXPECT_EQ(split->title, "`view_copy` splits the partition: 2 delegates, 1 operator between them");
    EXPECT_EQ(split->unit, FindingUnit::None);
}

TEST_F(FindingsTest, FindsUndelegatedAndDataMovementOperators) {
    useProgram(splitProgram());
    useTrace(traceOf({{"", 500'000}, {"view_copy.out", 200'000}, {"", 100'000}, {"add.out", 200'000}}));
    const Finding* const outside = of("undelegated-operator");
    ASSERT_NE(outside, nullptr);
    EXPECT_THAT(outside->title, HasSubstr("runs outside delegates: 1 call, 200.0 µs of a run (20.0 %)"));
    const Finding* const moves = of("data-movement");
    ASSERT_NE(moves, nullptr);
    EXPECT_THAT(moves->title, HasSubstr("1 operator that only moves data"));
    EXPECT_EQ(of("no-delegate"), nullptr);
}

TEST_F(FindingsTest, AMethodWithoutADelegate) {
    test::ProgramSpec spec = test::addProgram();
    spec.methods.front().operators = {{"aten::addmm", "out"}};
    useProgram(spec);
    const Finding* const none = of("no-delegate");
    ASSERT_NE(none, nullptr);
    EXPECT_THAT(none->title, HasSubstr("`forward` has no delegate: 1 matrix product"));
    useProgram(test::addProgram());
    EXPECT_EQ(of("no-delegate"), nullptr) << "no delegate would make an addition faster";
}

TEST_F(FindingsTest, TheFirstRunAndTheHotOperator) {
    useTrace(traceOf({{"add.out", 900'000}, {"mul.out", 100'000}}, 6, 4));
    const Finding* const first = of("slow-first-run");
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->title,
              "the first run takes 4.0 times as long as the others: 4.000 ms instead of 1.000 ms");
    EXPECT_NEAR(first->share, 3.0 / 9.0, 1e-9);
    const Finding* const hot = of("hot-operator");
    ASSERT_NE(hot, nullptr);
    EXPECT_THAT(hot->title, HasSubstr("`add` takes 90.0 % of a run"));
    useTrace(traceOf({{"add.out", 900'000}, {"mul.out", 100'000}}, 6, 1));
    EXPECT_EQ(of("slow-first-run"), nullptr);
}

TEST_F(FindingsTest, OneTensorMakesThePeak) {
    useProgram(test::addProgram());
    EXPECT_EQ(of("peak-tensor"), nullptr) << "72 bytes concern nobody";
    test::ProgramSpec spec = test::addProgram();
    for (test::ValueSpec& value : spec.methods.front().values) {
        if (auto* const tensor = std::get_if<test::TensorSpec>(&value)) {
            tensor->sizes = {64, 64};
            if (tensor->allocation) {
                tensor->allocation->offset *= 1024;
            }
        }
    }
    spec.methods.front().arenas = {0, 1 << 20};
    useProgram(spec);
    const Finding* const peak = of("peak-tensor");
    ASSERT_NE(peak, nullptr);
    EXPECT_EQ(peak->unit, FindingUnit::Bytes);
    EXPECT_DOUBLE_EQ(peak->weight, 64.0 * 64 * 4);
    const Finding* const gaps = of("fragmented-plan");
    ASSERT_NE(gaps, nullptr);
    EXPECT_THAT(gaps->title, HasSubstr("more than its peak needs"));
}

TEST_F(FindingsTest, PeakTensorIsNoInput) {
    ET_NEEDS_SHARED_DATA();
    std::vector<std::filesystem::path> files = test::sharedFiles("programs/mobilenet_v2", ".bpte");
    std::ranges::copy(test::sharedFiles("programs/mobilenet_v2_small", ".bpte"), std::back_inserter(files));
    ASSERT_GE(files.size(), 5U);
    for (const std::filesystem::path& file : files) {
        const auto opened = Session::open({.bundle = file}, {});
        ASSERT_TRUE(opened) << opened.error().toString();
        for (const Finding& each : deriveFindings(**opened)) {
            EXPECT_TRUE(each.rule != "peak-tensor" || !each.instructions.empty())
                << file << ": " << each.title;
        }
    }
}

TEST_F(FindingsTest, AContradictionComesFirst) {
    useProgram(test::addProgram());
    useTrace(traceOf({{"mm.out", 10}}));
    ASSERT_NE(of("contradiction"), nullptr);
    EXPECT_EQ(all.front().rule, "contradiction");
    EXPECT_THAT(all.front().title, HasSubstr("aten::add.out"));
}

TEST_F(FindingsTest, WeightsAreReadable) {
    const auto text = [](double weight, FindingUnit unit) {
        Finding finding;
        finding.weight = weight;
        finding.unit = unit;
        return weightText(finding);
    };
    EXPECT_EQ(text(12, FindingUnit::Nanoseconds), "12 ns");
    EXPECT_EQ(text(1'234'567, FindingUnit::Nanoseconds), "1.235 ms");
    EXPECT_EQ(text(2e9, FindingUnit::Nanoseconds), "2.000 s");
    EXPECT_EQ(text(2048, FindingUnit::Bytes), "2.00 KiB");
    EXPECT_EQ(text(0, FindingUnit::None), "");
}

TEST_F(FindingsTest, UnmeasuredOperatorsHaveNoShare) {
    Finding finding;
    finding.share = 0.15;  // default share of a rule without a measurement
    EXPECT_EQ(measuredShare(finding), std::nullopt);
    finding.unit = FindingUnit::Nanoseconds;
    EXPECT_EQ(measuredShare(finding), 0.15);
}

TEST_F(FindingsTest, SummaryShowsKeyFigures) {
    useProgram(splitProgram());
    useTrace(traceOf({{"", 500'000}, {"view_copy.out", 400'000}, {"", 90'000}, {"add.out", 10'000}}));
    const Summary summary = summarize(session);
    const auto figure = [&](std::string_view label) {
        const auto found = std::ranges::find(summary.figures, label, &KeyFigure::label);
        return found == summary.figures.end() ? std::string("none") : found->text;
    };
    EXPECT_EQ(figure("Run"), "p50 1.000 ms, p90 1.000 ms, first 1.000 ms, 6 times");
    EXPECT_THAT(figure("Delegated"),
                HasSubstr("59.0 % of the time, 41.0 % in other operators (40.0 % in copies)"));
    EXPECT_THAT(figure("Method forward"), HasSubstr("4 instructions: 2 of operators, 2 of delegates"));
    EXPECT_THAT(figure("Memory"), HasSubstr("planned"));
}

TEST_F(FindingsTest, AnswersNameTheSlowestOperator) {
    useProgram(splitProgram());
    useTrace(traceOf({{"", 90'000}, {"view_copy.out", 400'000}, {"", 500'000}, {"add.out", 10'000}}));
    const Answers all = answers(session, summarize(session), {});
    ASSERT_EQ(all.tiles.size(), 4U);
    EXPECT_EQ(all.tiles[0].value, "1.000 ms");
    EXPECT_THAT(all.tiles[0].detail, HasSubstr("slowest: "));
    ASSERT_EQ(all.slowest.size(), 4U);
    EXPECT_EQ(all.tiles[0].operatorAt, 0U);
    EXPECT_NEAR(all.slowest[0].share, 0.5, 0.001);
    EXPECT_NEAR(all.slowest[1].share, 0.4, 0.001);
    EXPECT_NEAR(all.slowest[1].time, 0.4, 0.001);
}

TEST_F(FindingsTest, AnswersCountFailedTests) {
    useProgram(splitProgram());
    const std::vector<bundled_program::CaseReport> verdicts{{.method = "forward", .index = 0},
                                                            {.method = "forward",
                                                             .index = 1,
                                                             .verdict = bundled_program::Verdict::Fail,
                                                             .message = "output 0 differs"},
                                                            {.method = "forward", .index = 2}};
    const Answer tests = answers(session, summarize(session), verdicts).tiles[1];
    EXPECT_EQ(tests.value, "✗ 1 of 3 failed");
    EXPECT_EQ(tests.detail, "forward case 1: output 0 differs");
    EXPECT_EQ(tests.mood, Answer::Mood::Bad);
}

TEST_F(FindingsTest, AnswersCompareTheSecondTrace) {
    useTrace(traceOf({{"add.out", 500'000}}, 20));
    const auto slower = traceOf({{"add.out", 1'035'000}}, 20);
    session.others.push_back(
        {.files = {.trace = "b.etdp"}, .trace = slower, .blocks = test::join(slower, nullptr)});
    const Answer change = answers(session, summarize(session), {}).tiles[3];
    EXPECT_EQ(change.value, "+107.0 %");
    EXPECT_THAT(change.detail, HasSubstr("B is 2.1 times slower"));
    EXPECT_EQ(change.mood, Answer::Mood::Bad);
}

TEST_F(FindingsTest, ADelegateWithoutItsProgramAsksForIt) {
    useTrace(traceOf({{"", 500'000}, {"add.out", 100'000}}));
    EXPECT_EQ(missingProgramHint(session), "") << "without a record, that is missing first";
    session.record = test::recordFor({"aten.add.Tensor"});
    EXPECT_THAT(missingProgramHint(session), HasSubstr("add the program (.pte)"));
    useProgram(splitProgram());
    EXPECT_EQ(missingProgramHint(session), "");
}

TEST_F(FindingsTest, SummarySplitsTheTimeOfARun) {
    const std::vector<Part> parts{
        {"", 500'000}, {"view_copy.out", 300'000}, {"", 90'000}, {"add.out", 110'000}};
    useTrace(traceOf(parts));
    const Dashboard alone = summarize(session).dashboard;
    ASSERT_EQ(alone.runs.size(), 1U);
    const RunSplit& split = alone.runs.front();
    const double unit = split.total / 1'000'000;
    const auto part = [&](RunPart which) { return split.parts[static_cast<std::size_t>(which)] / unit; };
    EXPECT_NEAR(part(RunPart::Delegated), 590'000, 1);
    EXPECT_NEAR(part(RunPart::Copies), 300'000, 1);
    EXPECT_NEAR(part(RunPart::Kernels), 110'000, 1);
    EXPECT_NEAR(part(RunPart::Overhead), 0, 1);
    EXPECT_EQ(split.samples.size(), 6U);
    EXPECT_EQ(describe(split), "59.0 % delegated, 11.0 % kernels, 30.0 % copies");
    ASSERT_EQ(alone.methods.size(), 1U);
    EXPECT_EQ(alone.methods.front().steps.size(), 4U) << "what the trace has";
    EXPECT_TRUE(alone.memory.empty()) << "no program";

    useProgram(splitProgram());
    const Dashboard both = summarize(session).dashboard;
    ASSERT_EQ(both.methods.size(), 1U);
    const std::vector<RunStep>& steps = both.methods.front().steps;
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_EQ(steps[1].part, RunPart::Copies);
    EXPECT_EQ(steps[1].name, "view_copy");
    EXPECT_NEAR(steps[1].time / unit, 300'000, 1);
    EXPECT_EQ(steps[2].part, RunPart::Delegated);
    ASSERT_EQ(both.memory.size(), 1U);
    EXPECT_GT(both.memory.front().parts.size(), 0U);
}

TEST_F(FindingsTest, TimeBetweenInstructionsIsOverhead) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("native_call_add.out", test::at(0), 100'000, 400'000);
    writer.profile("Method::execute", {.instruction = 0, .chain = -1}, 0, 1'000'000);
    useTrace(test::traceOf(writer));
    const Dashboard figures = summarize(session).dashboard;
    ASSERT_EQ(figures.runs.size(), 1U);
    EXPECT_EQ(describe(figures.runs.front()), "30.0 % kernels, 70.0 % overhead");
}

TEST_F(FindingsTest, RealModelsHaveFindings) {
    ET_NEEDS_SHARED_DATA();
    SessionFiles files;
    files.trace = test::sharedData() / "traces/mobilenet_v2_small_portable/trace.etdp";
    files.bundle = test::sharedData() / "programs/mobilenet_v2_small/portable.bpte";
    files.record = test::sharedData() / "programs/mobilenet_v2_small/portable.etrecord";
    session = **Session::open(files);
    const Finding* const none = of("no-delegate");
    ASSERT_NE(none, nullptr);
    EXPECT_GT(none->share, 0.5);
    EXPECT_FALSE(none->handles.empty()) << "a click leads to the graph";
    EXPECT_EQ(of("contradiction"), nullptr);
}

}  // namespace
}  // namespace et::inspector
