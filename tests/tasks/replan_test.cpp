// Tests that rewritten programs run as before, and that a plan that destroys data is rejected.
#include "app/tasks/base/interruption.h"
#include "app/tasks/rewrite/replan_run.h"
#include "app/tasks/rewrite/shadow_run.h"
#include "bundled_program/bundle.h"
#include "inspector/memory/memory_timeline.h"
#include "runtime/builder/program_builder.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

using program::Program;
using program::ValueId;
using testing::HasSubstr;
using testing::IsEmpty;

/// Builds y = (x + x) * (x + x) + x with its intermediates at the offsets `places` in arena 1.
std::shared_ptr<const Program> chainOf(const std::vector<std::uint64_t>& places) {
    builder::ProgramBuilder program;
    builder::MethodBuilder& forward = program.method("forward");
    const ValueId x = forward.input({.sizes = {4, 4}});
    const ValueId doubled = forward.intermediate({.sizes = {4, 4}});
    const ValueId squared = forward.intermediate({.sizes = {4, 4}});
    const ValueId sum = forward.intermediate({.sizes = {4, 4}});
    forward.call("aten::add.out", {x, x, 1}, {doubled});
    forward.call("aten::mul.out", {doubled, doubled}, {squared});
    forward.call("aten::add.out", {squared, x, 1}, {sum});
    forward.output(sum);
    const std::vector ids{x, doubled, squared, sum};
    for (std::size_t i = 0; i < places.size(); ++i) {
        forward.place(ids[i], {.arena = program::ArenaId(1), .offset = places[i]});
    }
    return test::parseBytes<Program>(program.finish().value()).value();
}

TEST(ShadowRunResult, SeesAPlanThatDestroysData) {
    const auto roomy = chainOf({0, 64, 128, 192});
    const auto tight = chainOf({0, 64, 128, 64});
    const auto wrong = chainOf({0, 64, 0, 128});  // the product overwrites x, which the sum needs
    const auto right = runTwins({.program = roomy}, {.program = tight}, nullptr).value();
    ASSERT_EQ(right.size(), 1U);
    EXPECT_THAT(right[0].difference, IsEmpty());
    EXPECT_THAT(right[0].notRun, IsEmpty());
    EXPECT_EQ(right[0].cases, 1U);
    const auto broken = runTwins({.program = roomy}, {.program = wrong}, nullptr).value();
    EXPECT_THAT(broken[0].difference, HasSubstr("output 0 of input set 0 differs"));
}

/// Result of `work` when it is interrupted from the start.
template <class Work>
auto interrupted(Work work) {
    const InterruptionGuard guard;
    InterruptionGuard::request(Interruption::Interrupt);
    return work();
}

class InterruptedReplan : public testing::Test {
  protected:
    void TearDown() override {
        const InterruptionGuard guard;  // clears the request
    }
};

TEST_F(InterruptedReplan, WritesNothing) {
    const test::ScratchFolder folder;
    const auto program = chainOf({0, 64, 128, 192});
    const auto path = folder.path() / "roomy.pte";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(program->bytes.data()),
               static_cast<std::streamsize>(program->bytes.size()));
    ReplanSettings settings{.model = path, .data = {}, .output = folder.path() / "tight.pte"};
    for (const bool check : {true, false}) {
        settings.check = check;
        const auto result = interrupted([&] { return replanProgram(settings); });
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, core::ErrorCode::Cancelled);
        EXPECT_FALSE(std::filesystem::exists(settings.output));
    }
}

TEST_F(InterruptedReplan, GivesNoVerdict) {
    const auto program = chainOf({0, 64, 128, 192});
    const auto runs =
        interrupted([&] { return runTwins({.program = program}, {.program = program}, nullptr); });
    ASSERT_FALSE(runs);
    EXPECT_EQ(runs.error().code, core::ErrorCode::Cancelled);
}

class Replan : public testing::Test {
  protected:
    [[nodiscard]] std::filesystem::path write(const Program& program, std::string_view name) const {
        const auto path = folder.path() / name;
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(program.bytes.data()),
                   static_cast<std::streamsize>(program.bytes.size()));
        return path;
    }

    test::ScratchFolder folder;
};

TEST_F(Replan, WritesASmallerPlanThatIsProvenToBeTheSmallest) {
    const auto path = write(*chainOf({0, 64, 128, 192}), "roomy.pte");
    const auto result =
        replanProgram({.model = path, .data = {}, .output = folder.path() / "tight.pte"}).value();
    ASSERT_EQ(result.plans.size(), 1U);
    const auto& arena = result.plans[0].arenas.at(0);
    EXPECT_EQ(arena.before, 256U);
    EXPECT_EQ(arena.after, 192U);
    EXPECT_TRUE(arena.smallest);
    const auto again = Program::open(folder.path() / "tight.pte").value();
    EXPECT_EQ(again->methods[0].plannedBytes(), 192U);
}

TEST_F(Replan, WorksInPlaceWhereOperatorsGoByElement) {
    const auto path = write(*chainOf({0, 64, 128, 192}), "roomy.pte");
    ReplanSettings settings{.model = path, .data = {}, .output = folder.path() / "tight.pte"};
    settings.plan.inPlace = true;
    const auto result = replanProgram(settings).value();
    const auto& arena = result.plans[0].arenas.at(0);
    EXPECT_EQ(arena.after, 128U) << "x, and what is made of it three times over";
    EXPECT_EQ(arena.inPlace, 2U);
    EXPECT_TRUE(arena.smallest);
    ASSERT_EQ(result.runs.size(), 1U) << "it ran beside the original";
    EXPECT_THAT(result.runs[0].notRun, IsEmpty());
    const auto tight = Program::open(settings.output).value();
    const auto timeline = inspector::MemoryTimeline::build(tight->methods[0]).value();
    EXPECT_THAT(timeline.overlaps, IsEmpty());
    EXPECT_EQ(timeline.peakBytes(), 128U);
    // Without the option, operators that already work in place stay in place.
    const auto again = replanProgram({.model = settings.output, .data = {}, .output = {}}).value();
    EXPECT_EQ(again.plans[0].after(), 128U);
}

/// Builds z = f(x + x) * w + x, where f also reads other elements, or w is its input.
std::uint64_t bytesInPlace(std::string_view reader, bool isNeededAgain) {
    builder::ProgramBuilder program;
    builder::MethodBuilder& forward = program.method("forward");
    const ValueId x = forward.input({.sizes = {4, 4}});
    const ValueId doubled = forward.intermediate({.sizes = {4, 4}});
    const ValueId read = forward.intermediate({.sizes = {4, 4}});
    const ValueId product = forward.intermediate({.sizes = {4, 4}});
    const ValueId sum = forward.intermediate({.sizes = {4, 4}});
    forward.call("aten::add.out", {x, x, 1}, {doubled});
    if (reader == "aten::mm.out") {
        forward.call(reader, {doubled, doubled}, {read});
    } else {
        forward.call(reader, {doubled}, {read});
    }
    forward.call("aten::mul.out", {read, isNeededAgain ? doubled : x}, {product});
    forward.call("aten::add.out", {product, x, 1}, {sum});
    forward.output(sum);
    const std::vector ids{x, doubled, read, product, sum};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        forward.place(ids[i], {.arena = program::ArenaId(1), .offset = 64 * i});
    }
    const auto parsed = test::parseBytes<Program>(program.finish().value()).value();
    std::vector<program::Method> methods = parsed->methods;
    return inspector::replan(methods, {.inPlace = true}).value()[0].after();
}

TEST(ReplanInPlace, NeedsAnOperatorByElementAndTheLastReader) {
    EXPECT_EQ(bytesInPlace("aten::sigmoid.out", false), 128U);
    EXPECT_EQ(bytesInPlace("aten::sigmoid.out", true), 192U);
    EXPECT_EQ(bytesInPlace("aten::mm.out", false), 192U);
}

TEST_F(Replan, KeepsAPlanWithOverlaps) {
    const auto path = write(*chainOf({0, 64, 0, 128}), "wrong.pte");
    const auto result = replanProgram({.model = path, .data = {}, .output = {}}).value();
    EXPECT_THAT(result.plans[0].arenas.at(0).kept, HasSubstr("overlap in arena 1"));
}

TEST_F(Replan, NaiveIsLargerWhereAskedFor) {
    const auto path = write(*chainOf({0, 64, 128, 64}), "tight.pte");
    ReplanSettings settings{.model = path, .data = {}, .output = {}};
    settings.plan = {.algorithm = inspector::ReplanAlgorithm::Naive, .larger = true};
    EXPECT_EQ(replanProgram(settings).value().plans[0].after(), 256U);
}

/// Programs like those of users, without single-operator cases.
std::vector<std::filesystem::path> realPrograms() {
    std::vector<std::filesystem::path> all;
    for (const char* const folder : {"programs", "programs2", "quant", "llm"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(test::sharedData() / folder)) {
            if (entry.path().extension() == ".pte") {
                all.push_back(entry.path());
            }
        }
    }
    std::ranges::sort(all);
    return all;
}

TEST(ReplanConformance, RealProgramsRunInPlaceAsBefore) {
    ET_NEEDS_SHARED_DATA();
    std::size_t inPlace = 0;
    for (const auto& path : realPrograms()) {
        SCOPED_TRACE(path);
        ReplanSettings settings{.model = path, .data = {}, .output = {}};
        settings.plan.inPlace = true;
        const auto result = replanProgram(settings);
        ASSERT_TRUE(result) << result.error().toString();
        for (const auto& method : result->plans) {
            for (const auto& arena : method.arenas) {
                EXPECT_LE(arena.after, arena.before);
                inPlace += arena.inPlace;
            }
        }
    }
    EXPECT_GT(inPlace, 20U);
}

TEST(ReplanConformance, RealProgramsShrinkToTheirBoundsAndKeepOutputs) {
    ET_NEEDS_SHARED_DATA();
    const auto programs = realPrograms();
    ASSERT_GT(programs.size(), 50U);
    std::size_t arenas = 0;
    std::size_t smallest = 0;
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    for (const auto& path : programs) {
        SCOPED_TRACE(path);
        const auto result = replanProgram({.model = path, .data = {}, .output = {}});
        ASSERT_TRUE(result) << result.error().toString();
        for (const auto& method : result->plans) {
            for (const auto& arena : method.arenas) {
                EXPECT_LE(arena.after, arena.before);
                ++arenas;
                smallest += arena.smallest ? 1 : 0;
            }
            before += method.before();
            after += method.after();
        }
    }
    EXPECT_GE(static_cast<double>(smallest), 0.9 * static_cast<double>(arenas));
    RecordProperty("bytes_before", std::to_string(before));
    RecordProperty("bytes_after", std::to_string(after));
}

TEST(ReplanConformance, ExternalizingAndInliningWeightsKeepsOutputs) {
    ET_NEEDS_SHARED_DATA();
    const test::ScratchFolder folder;
    for (const char* const name :
         {"mlp/xnnpack_8da8w.pte", "simple/portable.pte", "simple/xnnpack.pte", "multi_method/mixed.pte"}) {
        SCOPED_TRACE(name);
        ReplanSettings out{.model = test::sharedData() / "programs" / name,
                           .data = {},
                           .output = folder.path() / "program.pte",
                           .weights = folder.path() / "weights.ptd",
                           .strip = true};
        const auto moved = replanProgram(out);
        ASSERT_TRUE(moved) << moved.error().toString();
        EXPECT_GT(moved->weightsAfter, 0U);
        ReplanSettings back{.model = out.output,
                            .data = {out.weights},
                            .output = folder.path() / "whole.pte",
                            .takeIn = true};
        const auto whole = replanProgram(back);
        ASSERT_TRUE(whole) << whole.error().toString();
        const auto same = runTwins({.program = Program::open(out.model).value()},
                                   {.program = Program::open(back.output).value()}, nullptr)
                              .value();
        for (const ShadowRunResult& run : same) {
            EXPECT_THAT(run.difference, IsEmpty());
            EXPECT_THAT(run.notRun, IsEmpty());
        }
    }
}

TEST(ReplanProgram, ABundleKeepsTheCasesOfTheMethodsThatStay) {
    ET_NEEDS_SHARED_DATA();
    const test::ScratchFolder folder;
    const ReplanSettings settings{.model = test::sharedData() / "programs/multi_method/mixed.bpte",
                                  .data = {},
                                  .output = folder.path() / "encode.bpte",
                                  .methods = {"encode"}};
    ASSERT_TRUE(replanProgram(settings));
    const auto bundle = bundled_program::Bundle::open(settings.output).value();
    ASSERT_EQ(bundle->suites.size(), 1U);
    EXPECT_EQ(bundle->suites[0].method, "encode");
    EXPECT_EQ(bundle->suites[0].cases.size(), 2U);
}

}  // namespace
}  // namespace et::tasks
