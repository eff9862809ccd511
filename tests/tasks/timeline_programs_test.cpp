// Every real program, stepped to its end and back to its start, has the values of a plain run.

#include "app/tasks/base/program_file.h"
#include "app/tasks/debug/debug_settings.h"
#include "app/tasks/debug/timeline.h"
#include "app/tasks/debug/timeline_reference.h"
#include "app/tasks/model/model.h"
#include "etrecord/record.h"
#include "runtime/core/event_names.h"
#include "runtime/core/event_tracer.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <string>
#include <vector>

namespace et::test {
namespace {

using tasks::Model;
using tasks::Timeline;
using tasks::TimelinePoint;

std::size_t hashOf(const core::Value& value) {
    std::string text(value.kindName());
    if (const auto* tensor = value.as<core::Tensor>()) {
        const auto bytes = tensor->rawBytes();
        text += core::describe(*tensor);
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    } else if (const auto* number = value.as<std::int64_t>()) {
        text += fmt::format("{}", *number);
    } else if (const auto* real = value.as<double>()) {
        text += fmt::format("{}", std::bit_cast<std::uint64_t>(*real));
    } else if (const auto* truth = value.as<bool>()) {
        text += *truth ? "1" : "0";
    }
    return std::hash<std::string>{}(text);
}

/// The results of an instruction, as Method::execute() reports them.
struct RunInstruction {
    std::int64_t chain = -1;
    std::int32_t instruction = -1;
    std::vector<std::size_t> results;
};

/// Collects the results of every instruction of a plain run.
class ResultTracer final : public core::EventTracer {
  public:
    [[nodiscard]] core::TraceName name(std::string_view text) override {
        names.emplace_back(text);
        return core::TraceName(static_cast<std::uint32_t>(names.size() - 1));
    }
    void beginRun(std::string_view) override { run.clear(); }
    void endRun() override {}
    void profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t, std::uint64_t,
                 core::Bytes) override {
        using namespace core::event_name;  // NOLINT(google-build-using-namespace)
        constexpr std::array instructions{operatorCall, delegateCall, moveCall, jumpCall, freeCall};
        if (std::ranges::contains(instructions, names[event.value]) && ids.delegateInt == -1 &&
            ids.delegateString.empty()) {
            run.push_back({.chain = ids.chain, .instruction = ids.instruction, .results = {}});
            run.back().results.swap(results);
        }
    }
    [[nodiscard]] std::uint32_t allocator(std::string_view) override { return 0; }
    void allocation(std::uint32_t, std::uint64_t) override {}
    [[nodiscard]] core::DebugLevel debugLevel() const override { return core::DebugLevel::Intermediates; }
    void debug(core::TraceName, const core::TraceIds&, core::Value& value, bool isOutput) override {
        if (!isOutput) {
            results.push_back(hashOf(value));
        }
    }

    std::vector<RunInstruction> run;

  private:
    std::vector<std::string> names;
    std::vector<std::size_t> results;
};

/// Ids of the values whose results ResultTracer receives.
std::vector<program::ValueId> resultsOf(const Model& model, const program::Method& method,
                                        const program::Instruction& instruction) {
    std::vector<program::ValueId> ids;
    if (const auto* call = std::get_if<program::DelegateCall>(&instruction)) {
        return call->args;
    }
    if (const auto* call = std::get_if<program::KernelCall>(&instruction)) {
        const auto* entry =
            kernels::versionFor(model.kernels.find(method.op(call->op).fullName()), call->args.size());
        for (std::size_t i = 0; i < std::min<std::size_t>(call->args.size(), 64); ++i) {
            if (((entry->kernel.written >> i) & 1U) != 0) {
                ids.push_back(call->args[i]);
            }
        }
    }
    return ids;
}

struct PlainExecution {
    std::vector<RunInstruction> instructions;
    std::vector<std::size_t> outputs;  ///< of a run without tracer
};

std::vector<std::size_t> outputsOf(executor::Method& method) {
    std::vector<std::size_t> outputs;
    for (std::size_t i = 0; i < method.outputCount(); ++i) {
        outputs.push_back(hashOf(method.output(i)));
    }
    return outputs;
}

constexpr std::size_t executions = 2;

/// Runs the method in modules of its own: with a tracer, and as users run it.
core::Result<std::vector<PlainExecution>> runPlain(const Model& model, const tasks::InputSet& inputs) {
    ResultTracer tracer;
    executor::Module traced = model.newModule(&tracer);
    executor::Module fast = model.newModule(nullptr);
    ET_ASSIGN(executor::Method * first, traced.load(model.method->description().name));
    ET_ASSIGN(executor::Method * second, fast.load(model.method->description().name));
    std::vector<PlainExecution> all;
    for (std::size_t i = 0; i < executions; ++i) {
        ET_TRY(inputs.give(*first));
        ET_TRY(first->execute());
        ET_TRY(inputs.give(*second));
        ET_TRY(second->execute());
        all.push_back({.instructions = tracer.run, .outputs = outputsOf(*second)});
    }
    return all;
}

class ProgramWalk {
  public:
    ProgramWalk(Timeline& walked, const std::vector<PlainExecution>& expected)
        : timeline(walked), plain(expected) {}

    void forwards(std::size_t execution) {
        const auto& run = plain[execution].instructions;
        for (std::size_t i = 0; i < run.size(); ++i) {
            const tasks::TimelinePlace place = timeline.place();
            ASSERT_EQ(place.chain, run[i].chain);
            ASSERT_EQ(place.instruction, run[i].instruction);
            const auto done = timeline.step();
            ASSERT_TRUE(done) << done.error().toString();
            ASSERT_TRUE(*done);
            check();
        }
        EXPECT_TRUE(timeline.place().isEnd);
        checkEnd();
    }

    /// The points from the last to the first, a sample of long executions.
    void backwards() {
        std::size_t count = 0;
        const std::size_t stride = plain.front().instructions.size() * executions / 40 + 1;
        for (bool more = true; more; ++count) {
            check();
            TimelinePoint to = timeline.point();
            if (count % 8 == 7 && to.step > stride) {
                to.step -= stride;
                ASSERT_TRUE(timeline.jump(to));
                continue;
            }
            const auto moved = timeline.stepBack();
            ASSERT_TRUE(moved) << moved.error().toString();
            more = *moved;
            if (more && to.step > stride * 2 && count % 4 == 3) {
                to.step -= stride + 1;
                ASSERT_TRUE(timeline.jump(to));
            }
        }
        EXPECT_EQ(timeline.point(), TimelinePoint());
        EXPECT_GT(count, 0U);
    }

    void checkEnd() {
        executor::Method& method = *timeline.model().method;
        EXPECT_EQ(outputsOf(method), plain[timeline.point().execution].outputs);
    }

  private:
    /// Compares the results of the instruction before the point.
    void check() {
        const TimelinePoint point = timeline.point();
        if (point.step == 0) {
            return;
        }
        const RunInstruction& expected = plain[point.execution].instructions[point.step - 1];
        const program::Method& method = *timeline.place().method;
        const auto& instruction = method.chains[static_cast<std::size_t>(expected.chain)]
                                      .instructions[static_cast<std::size_t>(expected.instruction)];
        std::vector<std::size_t> results;
        for (const program::ValueId id : resultsOf(timeline.model(), method, instruction)) {
            results.push_back(hashOf(*timeline.value(id)->value));
        }
        EXPECT_EQ(results, expected.results)
            << "execution " << point.execution << ", step " << point.step << ", " << timeline.place().op;
    }

    Timeline& timeline;
    const std::vector<PlainExecution>& plain;
};

/// Nodes inside of delegates, sampled: going in and out changes nothing.
void walkInside(Timeline& timeline) {
    for (std::size_t calls = 0; calls < 2 && !timeline.place().isEnd;) {
        if (!timeline.place().delegate) {
            ASSERT_TRUE(timeline.step());
            continue;
        }
        ++calls;
        const std::uint64_t step = timeline.point().step;
        const auto isInside = timeline.stepInto();
        ASSERT_TRUE(isInside) << isInside.error().toString();
        const auto view = timeline.delegate();
        ASSERT_TRUE(view);
        EXPECT_EQ(*isInside, (*view)->nodes > 0);
        for (std::size_t node = 0; *isInside && node < (*view)->nodes; ++node) {
            EXPECT_EQ(timeline.point().node, node);
            EXPECT_EQ(timeline.place().op, (*view)->values[node].site.nodeKind);
            ASSERT_TRUE(timeline.step());
        }
        if (!*isInside) {
            ASSERT_TRUE(timeline.step());
        }
        EXPECT_EQ(timeline.point().step, step + 1);
        EXPECT_EQ(timeline.point().node, std::nullopt);
    }
}

/// Programs that were walked, and why others were not.
struct Walked {
    std::size_t count = 0;
    std::string others{};
};

void walkMethod(const std::filesystem::path& path, const std::string& method, Walked& walked) {
    const std::string name = path.string() + ": " + method;
    SCOPED_TRACE(name);
    const tasks::ModelOptions options{.method = method, .emulateFromAdjacentRecord = true};
    auto model = Model::open(path, options, nullptr);
    if (!model) {  // needs files or backends that do not exist
        walked.others += fmt::format("{}: {}\n", name, model.error().toString());
        return;
    }
    const auto inputs =
        tasks::debugInputs(**model, (*model)->method->description(), {.options = options}, {});
    const auto plain = inputs ? runPlain(**model, *inputs) : std::unexpected(inputs.error());
    if (!plain) {  // does not run on these inputs
        walked.others += fmt::format("{}: {}\n", name, plain.error().toString());
        return;
    }
    // Half of the programs also with snapshots inside executions.
    auto timeline = Timeline::make(*std::move(model), {.replaySeconds = walked.count % 2 == 0 ? 0.4 : 0.0});
    ASSERT_TRUE(timeline) << timeline.error().toString();
    ProgramWalk walk(**timeline, *plain);
    for (std::size_t i = 0; i < executions; ++i) {
        const auto begun = (*timeline)->begin(method, {.values = inputs->values});
        ASSERT_TRUE(begun) << begun.error().toString();
        walk.forwards(i);
        if (testing::Test::HasFatalFailure()) {
            return;
        }
    }
    walk.backwards();
    ASSERT_TRUE((*timeline)->jump({.execution = 0, .step = 0}));
    walkInside(**timeline);
    ASSERT_TRUE((*timeline)->jump({.execution = executions - 1, .step = UINT64_MAX}));
    walk.checkEnd();
    ++walked.count;
}

void walkFolder(const std::string& folder, std::size_t least) {
    ET_NEEDS_SHARED_DATA();
    Walked walked;
    for (const char* extension : {".pte", ".bpte", ".ptn"}) {
        for (const auto& path : sharedFiles(folder, extension)) {
            const auto file = tasks::ProgramFile::open(path);
            if (!file) {
                continue;
            }
            for (const program::Method& method : file->program->methods) {
                walkMethod(path, std::string(method.name), walked);
            }
        }
    }
    EXPECT_GE(walked.count, least) << walked.others;
}

TEST(TimelineProgramsTest, ProgramsHaveTheValuesOfAPlainRun) {
    walkFolder("programs", 200);
}

TEST(TimelineProgramsTest, MoreProgramsHaveTheValuesOfAPlainRun) {
    walkFolder("programs2", 7);
}

TEST(TimelineProgramsTest, LanguageModelsHaveTheValuesOfAPlainRun) {
    walkFolder("llm", 60);
}

TEST(TimelineProgramsTest, NativePackagesHaveTheValuesOfAPlainRun) {
    walkFolder("ptn", 30);
}

/// The reference starts each execution with the program's own state.
TEST(TimelineProgramsTest, TheReferenceFollowsStateFromExecutionToExecution) {
    ET_NEEDS_SHARED_DATA();
    for (const std::string name : {"counter/initialized", "kvcache/portable", "kvcache/xnnpack"}) {
        SCOPED_TRACE(name);
        const auto path = sharedData() / "programs" / (name + ".pte");
        auto record = etrecord::Record::open(sharedData() / "programs" / (name + ".etrecord"));
        ASSERT_TRUE(record);
        auto model = Model::open(path, {}, nullptr);
        ASSERT_TRUE(model);
        const auto inputs = (*model)->inputs({}, [](std::string_view) {});
        ASSERT_TRUE(inputs);
        auto timeline = Timeline::make(*std::move(model), {.record = *record});
        ASSERT_TRUE(timeline);
        tasks::TimelineReference reference(**timeline, *record);
        for (int execution = 0; execution < 3; ++execution) {
            ASSERT_TRUE((*timeline)->begin("forward", {.values = inputs->values}));
            while (*(*timeline)->step()) {
            }
            const auto gap = reference.gap();
            ASSERT_TRUE(gap) << gap.error().toString();
            EXPECT_FALSE((*gap)->rows.empty());
            EXPECT_EQ((*gap)->firstDivergence, std::nullopt);
            for (const inspector::GapRow& row : (*gap)->rows) {
                EXPECT_LT(row.own ? row.own->total : 0, 1e-4) << execution << " " << row.instruction;
            }
            EXPECT_TRUE((*timeline)->place().isEnd);
        }
    }
}

}  // namespace
}  // namespace et::test
