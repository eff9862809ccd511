#include "app/tasks/debug/timeline.h"

#include "app/tasks/debug/recording_file.h"
#include "app/tasks/debug/value_history.h"
#include "runtime/builder/program_builder.h"
#include "tests/support/error_text.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace et::test {
namespace {

using builder::MethodBuilder;
using builder::ProgramBuilder;
using program::ValueId;
using tasks::Timeline;
using tasks::TimelinePoint;
using testing::ElementsAre;
using testing::HasSubstr;

using Floats = std::vector<float>;

std::unique_ptr<tasks::Model> openModel(ProgramBuilder& program) {
    auto bytes = program.finish();
    EXPECT_EQ(errorText(bytes), "");
    auto model = tasks::Model::prepare(core::MappedFile::fromMemory(*std::move(bytes), "built.pte"), {});
    EXPECT_EQ(errorText(model), "");
    (*model)->module.emplace((*model)->newModule(nullptr));
    auto method = (*model)->module->load((*model)->program->methods.front().name);
    EXPECT_EQ(errorText(method), "");
    (*model)->method = *method;
    return *std::move(model);
}

std::unique_ptr<Timeline> makeTimeline(ProgramBuilder& program, const tasks::TimelineOptions& options = {}) {
    auto timeline = Timeline::make(openModel(program), options);
    EXPECT_EQ(errorText(timeline), "");
    return *std::move(timeline);
}

/// One float tensor that the set owns.
tasks::InputSet inputsOf(const Floats& elements) {
    tasks::InputSet inputs;
    auto& tensor = inputs.owned.emplace_back();
    tensor.sizes = {static_cast<std::int64_t>(elements.size())};
    const auto bytes = std::as_bytes(std::span(elements));
    tensor.data.assign(bytes.begin(), bytes.end());
    inputs.values.emplace_back(
        executor::TensorInput{.dtype = core::ScalarType::Float, .sizes = tensor.sizes, .data = tensor.data});
    inputs.sources.emplace_back("test");
    return inputs;
}

void writeRecording(const Timeline& timeline, const std::filesystem::path& file) {
    const std::vector<std::byte> bytes = tasks::RecordingFile::encode(timeline);
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

executor::InputValue tensorOf(const Floats& elements, const std::vector<std::int64_t>& sizes) {
    return executor::TensorInput{
        .dtype = core::ScalarType::Float, .sizes = sizes, .data = std::as_bytes(std::span(elements))};
}

Floats valueOf(Timeline& timeline, ValueId id) {
    const auto value = timeline.value(id);
    EXPECT_EQ(errorText(value), "");
    const auto* tensor = value->value->as<core::Tensor>();
    const float* first = tensor->data<float>();
    return {first, first + tensor->numel()};
}

/// A sum that the method keeps: y = state + x; state = y; z = y * x.
struct Counter {
    explicit Counter(ProgramBuilder& program) {
        MethodBuilder& forward = program.method("forward");
        x = forward.input({.sizes = {2}});
        const Floats start{100, 200};
        state = forward.state({.sizes = {2}}, std::as_bytes(std::span(start)));
        y = forward.intermediate({.sizes = {2}});
        z = forward.intermediate({.sizes = {2}});
        forward.call("aten::add.out", {state, x, 1}, {y});
        forward.callFunction("aten::copy_", {state, y, false}, state);
        forward.call("aten::mul.out", {y, x}, {z});
        forward.output(z);
    }

    ValueId x, state, y, z;
};

TEST(TimelineTest, GoesForwardsAndBackwardsOverExecutions) {
    ProgramBuilder program;
    const Counter ids(program);
    const auto timeline = makeTimeline(program);
    EXPECT_TRUE(timeline->place().isEnd);
    ASSERT_EQ(errorText(timeline->begin("forward", inputsOf({1, 2}))), "");
    EXPECT_EQ(timeline->place().op, "aten::add.out");
    while (*timeline->step()) {
    }
    EXPECT_THAT(valueOf(*timeline, ids.z), ElementsAre(101, 404));
    ASSERT_EQ(errorText(timeline->begin("forward", inputsOf({10, 20}))), "");
    EXPECT_EQ(timeline->execution(0).steps, 3U);
    EXPECT_THAT(valueOf(*timeline, ids.state), ElementsAre(101, 202));
    ASSERT_EQ(timeline->step(), true);
    EXPECT_THAT(valueOf(*timeline, ids.y), ElementsAre(111, 222));
    ASSERT_EQ(errorText(timeline->jump({.execution = 0, .step = 2})), "");
    EXPECT_THAT(valueOf(*timeline, ids.y), ElementsAre(101, 202));
    EXPECT_EQ(timeline->place().op, "aten::mul.out");
    EXPECT_EQ(timeline->stepBack(), true);
    EXPECT_THAT(valueOf(*timeline, ids.state), ElementsAre(100, 200));
    EXPECT_EQ(timeline->stepBack(), true);
    EXPECT_EQ(timeline->stepBack(), false);
    EXPECT_EQ(timeline->point(), TimelinePoint());
    ASSERT_EQ(errorText(timeline->jump({.execution = 1, .step = UINT64_MAX})), "");
    EXPECT_THAT(valueOf(*timeline, ids.z), ElementsAre(1110, 4440));
    ASSERT_EQ(errorText(timeline->jump({.execution = 1})), "");
    EXPECT_EQ(timeline->stepBack(), true);  // to the end of the execution before
    EXPECT_EQ(timeline->point(), (TimelinePoint{.execution = 0, .step = 3}));
    EXPECT_THAT(errorText(timeline->jump({.execution = 2})), HasSubstr("expected an execution below 2"));
}

TEST(TimelineTest, AWrongInputLeavesTheTimelineAsItWas) {
    ProgramBuilder program;
    const Counter ids(program);
    const auto timeline = makeTimeline(program);
    EXPECT_THAT(errorText(timeline->begin("forward", inputsOf({1, 2, 3}))), HasSubstr("float32 [2]"));
    EXPECT_EQ(timeline->executionCount(), 0U);
    ASSERT_EQ(errorText(timeline->begin("forward", inputsOf({1, 2}))), "");
    ASSERT_EQ(timeline->step(), true);
    EXPECT_THAT(errorText(timeline->begin("forward", inputsOf({1}))), HasSubstr("float32 [2]"));
    EXPECT_THAT(errorText(timeline->begin("backward", inputsOf({1}))), HasSubstr("no method"));
    EXPECT_EQ(timeline->executionCount(), 1U);
    EXPECT_EQ(timeline->point().step, 1U);
    EXPECT_THAT(valueOf(*timeline, ids.y), ElementsAre(101, 202));
}

TEST(TimelineTest, EditsMakeBranches) {
    ProgramBuilder program;
    const Counter ids(program);
    const auto timeline = makeTimeline(program);
    ASSERT_EQ(errorText(timeline->begin("forward", inputsOf({1, 2}))), "");
    ASSERT_EQ(errorText(timeline->begin("forward", inputsOf({1, 1}))), "");
    ASSERT_EQ(errorText(timeline->jump({.execution = 0, .step = 1})), "");
    ASSERT_EQ(errorText(timeline->setValue(ids.y, tensorOf({5, 6}, {2}))), "");
    EXPECT_EQ(timeline->branch(), 1U);
    EXPECT_THAT(valueOf(*timeline, ids.y), ElementsAre(5, 6));
    ASSERT_EQ(errorText(timeline->jump({.execution = 1, .step = 1})), "");
    EXPECT_THAT(valueOf(*timeline, ids.y), ElementsAre(6, 7));
    ASSERT_EQ(errorText(timeline->skip()), "");  // copy_
    EXPECT_EQ(timeline->branches().back().edit, "skip aten::copy_");
    EXPECT_THAT(valueOf(*timeline, ids.state), ElementsAre(5, 6));
    const Floats elements{8, 9};
    const std::vector<std::int64_t> sizes{2};
    const std::array forced{tensorOf(elements, sizes)};
    ASSERT_EQ(errorText(timeline->force(forced)), "");
    EXPECT_THAT(valueOf(*timeline, ids.z), ElementsAre(8, 9));
    EXPECT_EQ(timeline->branch(), 3U);
    ASSERT_EQ(errorText(timeline->switchTo(0)), "");
    EXPECT_THAT(valueOf(*timeline, ids.state), ElementsAre(102, 203));
    EXPECT_THAT(valueOf(*timeline, ids.z), ElementsAre(102, 203));
    ASSERT_EQ(errorText(timeline->switchTo(3)), "");
    EXPECT_THAT(valueOf(*timeline, ids.z), ElementsAre(8, 9));
    EXPECT_THAT(errorText(timeline->setValue(ids.z, std::int64_t{3})), HasSubstr("expected"));
    EXPECT_THAT(errorText(timeline->setValue(ids.z, tensorOf({1}, {1}))), HasSubstr("[2]"));
    EXPECT_EQ(timeline->branch(), 3U);
    EXPECT_THAT(valueOf(*timeline, ids.z), ElementsAre(8, 9));
}

TEST(TimelineTest, FindsReadersAndWriters) {
    ProgramBuilder program;
    const Counter ids(program);
    const auto timeline = makeTimeline(program);
    tasks::ValueHistory history(*timeline);
    ASSERT_EQ(errorText(timeline->begin("forward", inputsOf({1, 2}))), "");
    ASSERT_EQ(errorText(timeline->begin("forward", inputsOf({1, 1}))), "");
    const auto kept = history.lastWrite(ids.state);
    ASSERT_TRUE(kept && *kept);
    EXPECT_EQ((*kept)->point, (TimelinePoint{.execution = 0, .step = 1}));
    const auto input = history.lastWrite(ids.x);
    ASSERT_TRUE(input && *input);
    EXPECT_TRUE((*input)->isInput);
    ASSERT_EQ(timeline->step(), true);
    const auto read = history.nextRead(ids.y);
    ASSERT_TRUE(read && *read);
    EXPECT_EQ((*read)->point, (TimelinePoint{.execution = 1, .step = 1}));
    EXPECT_EQ(timeline->point(), (TimelinePoint{.execution = 1, .step = 1}));
    const auto written = history.previous();
    ASSERT_FALSE(written.empty());
    EXPECT_TRUE(written.back().isWrite);
    EXPECT_EQ(written.back().value, ids.y);
    ASSERT_TRUE(written.back().memory);
    const auto accesses = history.accessesOf(*written.back().memory);
    ASSERT_TRUE(accesses);
    EXPECT_GE(accesses->size(), 3U);
    const auto overwritten = history.overwrittenReads();
    ASSERT_TRUE(overwritten);
    EXPECT_TRUE(overwritten->empty());
}

TEST(TimelineTest, FindsAReadOfOverwrittenBytes) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {4}});
    const auto a = forward.intermediate({.sizes = {4}});
    const auto b = forward.intermediate({.sizes = {4}});
    const auto c = forward.intermediate({.sizes = {4}});
    forward.call("aten::add.out", {x, x, 1}, {a});
    forward.call("aten::mul.out", {x, x}, {b});
    forward.call("aten::add.out", {a, b, 1}, {c});
    forward.output(c);
    forward.place(a, {.arena = program::ArenaId(1), .offset = 256});
    forward.place(b, {.arena = program::ArenaId(1), .offset = 264});
    forward.setArena(program::ArenaId(1), 1024);
    const auto timeline = makeTimeline(program);
    tasks::ValueHistory history(*timeline);
    ASSERT_EQ(errorText(timeline->begin("forward", inputsOf({1, 2, 3, 4}))), "");
    const auto found = history.overwrittenReads();
    ASSERT_EQ(errorText(found), "");
    ASSERT_EQ(found->size(), 1U);
    EXPECT_EQ(found->front().read.access.value, a);
    EXPECT_EQ(found->front().read.point.step, 2U);
    EXPECT_EQ(found->front().overwrite.access.value, b);
    EXPECT_EQ(found->front().overwrite.point.step, 1U);
    EXPECT_EQ(found->front().written.point.step, 0U);
}

TEST(TimelineTest, RemovesOlderSnapshotsToKeepTheBudget) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {64 * 1024}});
    const auto state = forward.state({.sizes = {64 * 1024}});
    forward.call("aten::add.out", {state, x, 1}, {state});
    forward.output(state);
    constexpr std::uint64_t budget = 2'000'000;
    const auto timeline = makeTimeline(program, {.budgetBytes = budget});
    const Floats ones(64 * 1024, 1);
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(errorText(timeline->begin("forward", inputsOf(ones))), "");
    }
    EXPECT_GT(timeline->usage().removedSnapshots, 5U);
    EXPECT_LE(timeline->usage().snapshotBytes, budget);
    for (const std::size_t execution : {std::size_t{3}, std::size_t{17}, std::size_t{9}}) {
        ASSERT_EQ(errorText(timeline->jump({.execution = execution})), "");
        EXPECT_EQ(valueOf(*timeline, state)[5], static_cast<float>(execution));
    }
}

TEST(TimelineTest, AFailedInstructionIsTheEnd) {
    ProgramBuilder program;
    MethodBuilder& forward = program.method("forward");
    const auto x = forward.input({.sizes = {2}});
    const auto y = forward.intermediate({.sizes = {2}});
    const auto z = forward.intermediate({.sizes = {3}});
    forward.call("aten::add.out", {x, x, 1}, {y});
    forward.call("aten::add.out", {x, y, 1}, {z});
    forward.output(z);
    const auto timeline = makeTimeline(program);
    ASSERT_EQ(errorText(timeline->begin("forward", inputsOf({1, 2}))), "");
    EXPECT_EQ(timeline->step(), true);
    EXPECT_THAT(errorText(timeline->step()), HasSubstr("instructions[1] (aten::add.out)"));
    EXPECT_EQ(timeline->point().step, 1U);
    EXPECT_TRUE(timeline->execution(0).failure);
    EXPECT_EQ(timeline->stepBack(), true);
    EXPECT_EQ(timeline->point().step, 0U);
}

TEST(RecordingFileTest, KeepsExecutionsEditsAndBranches) {
    const ScratchFolder folder;
    ProgramBuilder program;
    const Counter ids(program);
    ProgramBuilder same;
    static_cast<void>(Counter(same));
    ProgramBuilder other;
    MethodBuilder& forward = other.method("forward");
    forward.output(forward.integer(1));
    const auto file = folder.path() / "run.recording";
    {
        const auto timeline = makeTimeline(program);
        ASSERT_EQ(errorText(timeline->begin("forward", inputsOf({1, 2}))), "");
        ASSERT_EQ(errorText(timeline->begin("forward", inputsOf({3, 4}))), "");
        ASSERT_EQ(errorText(timeline->jump({.execution = 0, .step = 1})), "");
        ASSERT_EQ(errorText(timeline->setValue(ids.y, tensorOf({5, 6}, {2}))), "");
        writeRecording(*timeline, file);
    }
    const auto opened = tasks::RecordingFile::open(file, openModel(same), {});
    ASSERT_EQ(errorText(opened), "");
    Timeline& timeline = **opened;
    EXPECT_EQ(timeline.executionCount(), 2U);
    EXPECT_EQ(timeline.execution(1).inputSources, std::vector<std::string>{"test"});
    ASSERT_EQ(errorText(timeline.jump({.execution = 1, .step = UINT64_MAX})), "");
    EXPECT_THAT(valueOf(timeline, ids.y), ElementsAre(104, 206));
    ASSERT_EQ(errorText(timeline.switchTo(1)), "");
    EXPECT_THAT(valueOf(timeline, ids.y), ElementsAre(8, 10));
    const tasks::BranchInfo branch = timeline.branches().at(1);
    EXPECT_EQ(branch.parent, 0U);
    EXPECT_EQ(branch.from, (TimelinePoint{.execution = 0, .step = 1}));
    EXPECT_EQ(branch.edit, fmt::format("set %{}", ids.y.value));
    EXPECT_TRUE(tasks::RecordingFile::limitations(timeline).empty());
    EXPECT_THAT(errorText(tasks::RecordingFile::open(file, openModel(other), {})),
                HasSubstr("a recording of another program"));
}

TEST(RecordingFileTest, ReportsDamage) {
    const ScratchFolder folder;
    ProgramBuilder program;
    static_cast<void>(Counter(program));
    const auto file = folder.path() / "run.recording";
    const auto timeline = makeTimeline(program);
    ASSERT_EQ(errorText(timeline->begin("forward", inputsOf({1, 2}))), "");
    const std::vector<std::byte> whole = tasks::RecordingFile::encode(*timeline);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(whole.data()), static_cast<std::streamsize>(size));
        ProgramBuilder same;
        static_cast<void>(Counter(same));
        const auto opened = tasks::RecordingFile::open(file, openModel(same), {});
        ASSERT_FALSE(opened) << size;
        EXPECT_EQ(errorText(opened).find('\n'), std::string::npos);
    }
}

}  // namespace
}  // namespace et::test
