// Tests the twelve user tasks: each goes from opened files to the answer on screen in at most three actions,
// using only keys and clicks on visible items. docs/how_to/use_studio.md shows their pictures.
#include "app/samples/sample_set.h"
#include "app/studio/gap/gap_panel.h"
#include "app/studio/inspector/inspector_panel.h"
#include "app/studio/panel_area.h"
#include "etdump/writer.h"
#include "inspector/events/event_fields.h"
#include "inspector/events/flame_tree.h"
#include "inspector/events/typical_run.h"
#include "inspector/findings/findings.h"
#include "inspector/format/quantities.h"
#include "inspector/memory/memory_timeline.h"
#include "tests/studio/bundles.h"
#include "tests/studio/person.h"
#include "tests/studio/pictures.h"
#include "tests/studio/tasks_fixture.h"
#include "tests/support/shared_data.h"
#include "visualizers/toolkit/prose.h"

#include <QStringList>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace et::test {

namespace {

// --- 1: which module is slowest, and which line is it? -----------------------------------------------------

/// The slowest operator of a typical run, found by always following the child with the most time.
struct Slowest {
    QStringList way;   ///< modules, innermost last
    std::string line;  ///< "conv_net.py:31"
};

Slowest slowestOf(const inspector::EventBlocks& blocks) {
    const auto rows = inspector::events::eventRows(blocks);
    const auto tree = inspector::events::flameTree(
        blocks, rows, inspector::events::busiestBlock(rows).value(), inspector::events::FlameBy::Module);
    std::size_t at = 0;
    Slowest slowest;
    while (!tree.nodes[at].children.empty()) {
        at = *std::ranges::max_element(tree.nodes[at].children, {},
                                       [&](std::size_t child) { return tree.nodes[child].total; });
        if (!tree.nodes[at].isOperator) {
            slowest.way.append(QString::fromStdString(tree.nodes[at].name));
        }
    }
    const inspector::Block& block = blocks.blocks()[tree.block];
    const auto lines = inspector::events::sourceLines(block, block.events[tree.nodes[at].events.front()]);
    const std::string line = lines.empty() ? std::string() : std::get<std::string>(lines.front());
    slowest.line = line.substr(line.rfind('/') + 1);
    return slowest;
}

class SlowestModule : public TasksTest {
  protected:
    void doTask(const Paths& files) {
        open(files);
        const Slowest slowest = slowestOf(*session().blocks);
        ASSERT_FALSE(slowest.line.empty());
        person.click(slowest.way, panel("outline"));
        EXPECT_ANSWER(slowest.line);
        EXPECT_FEW_ACTIONS();
    }
};

TEST_F(SlowestModule, OfTheSample) {
    doTask(samplePaths());
    takePictures(driver, "task_slowest_module");
}
TEST_F(SlowestModule, OfRealModels) {
    ET_NEEDS_SHARED_DATA();
    doTask(taskFiles(realCnn));
}
TEST_F(SlowestModule, OfARealTransformer) {
    ET_NEEDS_SHARED_DATA();
    doTask(taskFiles(realTransformer));
}

// --- 2: which operator splits the partition? ---------------------------------------------------------------

class SplitPartition : public TasksTest {
  protected:
    [[nodiscard]] std::string findingOf(std::string_view rule) {
        const auto all = inspector::deriveFindings(session());
        const auto found = std::ranges::find(all, rule, &inspector::Finding::rule);
        return found == all.end() ? std::string() : found->title;
    }
};

TEST_F(SplitPartition, TheSampleHasNothingToSplit) {
    open(runSamplePaths());
    person.press(Qt::Key_0, Qt::ControlModifier);
    EXPECT_ANSWER(std::string("has no delegate"));
    EXPECT_FEW_ACTIONS();
}
TEST_F(SplitPartition, OfARealTransformer) {
    ET_NEEDS_SHARED_DATA();
    open(taskFiles(realLlama));
    const std::string title =
        visualizers::prosePlain(QString::fromStdString(findingOf("split-partition"))).toStdString();
    ASSERT_FALSE(title.empty());
    person.press(Qt::Key_0, Qt::ControlModifier);
    EXPECT_ANSWER(title);
    EXPECT_FEW_ACTIONS();
    takePictures(driver, "task_split");
}

// --- 3: what makes the memory peak? ------------------------------------------------------------------------

class MemoryPeak : public TasksTest {
  protected:
    void doTask(const Paths& files) {
        open(files);
        const auto memory =
            inspector::MemoryTimeline::build(*session().program, session().program->methods.front());
        ASSERT_TRUE(memory);
        const auto& arena = memory->arenas.front();
        const inspector::PlannedTensor& largest = memory->tensors[arena.peakTensors.front()];
        person.press(Qt::Key_2, Qt::ControlModifier);
        EXPECT_ANSWER(largest.type);
        EXPECT_ANSWER(inspector::format::readableBytes(largest.bytes));
        EXPECT_FEW_ACTIONS();
    }
};

TEST_F(MemoryPeak, OfTheSample) {
    doTask(runSamplePaths());
    takePictures(driver, "task_memory_peak");
}
TEST_F(MemoryPeak, OfRealModels) {
    ET_NEEDS_SHARED_DATA();
    doTask(taskFiles(realCnn));
    doTask(taskFiles(realLlama));
}

// --- 4: which operator is wrong first, and what are its two tensors? ---------------------------------------

class FirstWrong : public TasksTest {
  protected:
    void calculate() {
        const auto* const gap = driver.window().findChild<studio::GapPanel*>();
        person.press(Qt::Key_3, Qt::ControlModifier);
        person.press(Qt::Key_F9);
        ASSERT_TRUE(QTest::qWaitFor([gap] { return !gap->running(); }, 120'000));
    }
};

TEST_F(FirstWrong, FindsTheFaultOfARealModel) {
    ET_NEEDS_SHARED_DATA();
    open({sharedData() / "broken" / "gap" / "fault_00.pte",
          sharedData() / "programs" / "mobilenet_v2_small" / "xnnpack_q8.etrecord"});
    calculate();
    const auto& gap = driver.window().results().gap();
    ASSERT_NE(gap, nullptr);
    ASSERT_TRUE(gap->firstDivergence);
    const auto& row = gap->rows[gap->firstDivergence->row];
    EXPECT_TRUE(std::ranges::contains(row.runtimeHandles, core::DebugHandle(71)) ||
                std::ranges::contains(row.referenceHandles, core::DebugHandle(71)))
        << "the planted fault";
    for (const char* const each : {"Reference", "Runtime"}) {
        EXPECT_ANSWER(std::string(each));
    }
    EXPECT_FEW_ACTIONS();
    takePictures(driver, "task_first_wrong");
}

// --- 5: which operator became slower, and why? -------------------------------------------------------------

/// Builds runs of three kernels; the second takes `slow` times as long.
std::vector<std::byte> tracedRuns(double slow) {
    etdump::TraceWriter writer;
    constexpr std::array<const char*, 3> names{"native_call_add.out", "native_call_mul.out",
                                               "native_call_relu.out"};
    for (std::uint64_t run = 0; run < 20; ++run) {
        writer.beginRun("Execute");
        const std::uint64_t start = run * 10'000'000;
        std::uint64_t now = start;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const double length = (i == 1 ? slow : 1) * 100'000;
            const std::uint64_t end = now + static_cast<std::uint64_t>(length) + (run * 7 + i) % 20 * 10;
            writer.profile(names[i], {.instruction = static_cast<std::int32_t>(i), .chain = 0}, now, end);
            now = end;
        }
        writer.profile("Method::execute", {.instruction = 0}, start, now);
    }
    return writer.finish().value();
}

class Slower : public TasksTest {
  protected:
    void openBoth(const Paths& files) {
        open(files);
        driver.waitForComparison();
    }
};

TEST_F(Slower, OfMadeUpRuns) {
    openBoth({write("a.etdp", tracedRuns(1)), write("b.etdp", tracedRuns(1.5))});
    person.click(QStringLiteral("mul"), &panel("compare"));
    EXPECT_ANSWER(std::string("slower"));
    EXPECT_ANSWER(std::string("every run"));
    EXPECT_FEW_ACTIONS();
    takePictures(driver, "task_slower");
}
TEST_F(Slower, OfARealModel) {
    ET_NEEDS_SHARED_DATA();
    const auto traces = sharedData() / "traces";
    openBoth({traces / "mobilenet_v2_small_xnnpack" / "trace.etdp",
              traces / "mobilenet_v2_small_xnnpack_q8" / "trace.etdp"});
    person.click(QStringLiteral("▲ slower"), &panel("compare"));
    EXPECT_ANSWER(std::string("different kernels: A runs"));
    EXPECT_FEW_ACTIONS();
}

// --- 6: is this delegated, and why not? --------------------------------------------------------------------

class Delegated : public TasksTest {};

TEST_F(Delegated, TheSampleIsNot) {
    open(runSamplePaths());
    openAllModules();
    person.click(QStringLiteral("conv2d"), &panel("outline"));
    EXPECT_ANSWER(std::string("not delegated"));
    EXPECT_ANSWER(std::string("the method has no delegate"));
    EXPECT_FEW_ACTIONS();
    takePictures(driver, "task_delegated");
}
TEST_F(Delegated, OfARealTransformer) {
    ET_NEEDS_SHARED_DATA();
    open(taskFiles(realTransformer));
    person.click(QStringLiteral("runs outside"), &panel("inspector"));
    EXPECT_ANSWER(std::string("not delegated"));
    EXPECT_ANSWER(std::string("the partitioner selected"));
    EXPECT_FEW_ACTIONS();
}

// --- 7: what does this weight look like? -------------------------------------------------------------------

class WeightLooks : public TasksTest {};

TEST_F(WeightLooks, OfTheSample) {
    driver.window().resize(1600, 1000);  // in low windows, the drawer with Tensors is folded: Ctrl+J
    open(runSamplePaths());
    openAllModules();
    person.click(QStringLiteral("conv2d"), &panel("outline"));
    person.press(Qt::Key_3, Qt::ControlModifier);
    person.click(QStringLiteral("Tensors"));
    EXPECT_ANSWER(std::string("of the selected operator"));
    EXPECT_ANSWER(std::string("mean"));
    EXPECT_FEW_ACTIONS();
    takePictures(driver, "task_weight");
}

// --- 8: how steady are the runs? ---------------------------------------------------------------------------

class Steady : public TasksTest {
  protected:
    void doTask(const Paths& files) {
        open(files);
        person.press(Qt::Key_0, Qt::ControlModifier);
        EXPECT_ANSWER(std::string("Variation between runs"));
        EXPECT_ANSWER(std::string("p90"));
        EXPECT_FEW_ACTIONS();
    }
};

TEST_F(Steady, OfTheSample) {
    doTask(samplePaths());
    takePictures(driver, "task_steady");
}
TEST_F(Steady, OfRealModels) {
    ET_NEEDS_SHARED_DATA();
    doTask(taskFiles(realCnn));
}

// --- 9: where does load time go? ---------------------------------------------------------------------------

class LoadTime : public TasksTest {
  protected:
    void doTask(const Paths& files) {
        open(files);
        EXPECT_ANSWER(std::string("Load"));
        EXPECT_ANSWER(std::string("Initialize"));
        EXPECT_FEW_ACTIONS();
    }
};

TEST_F(LoadTime, OfTheSample) {
    doTask(samplePaths());
    takePictures(driver, "task_load_time");
}
TEST_F(LoadTime, OfRealModels) {
    ET_NEEDS_SHARED_DATA();
    doTask(taskFiles(realCnn));
}

// --- 10: what differs between two programs? ----------------------------------------------------------------

class Differs : public TasksTest {};

TEST_F(Differs, OfTwoSamples) {
    const auto a = samples::writeSampleSet("add_mul", folder() / "a").value().front();
    const auto b = samples::writeSampleSet("conv_net", folder() / "b").value().front();
    open({a, b});
    EXPECT_ANSWER(std::string("instructions"));
    EXPECT_ANSWER(std::string("aten::convolution.out"));
    EXPECT_FEW_ACTIONS();
    takePictures(driver, "task_differs");
}
TEST_F(Differs, OfTwoRealExports) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = sharedData() / "programs" / "mobilenet_v2_small";
    open({folder / "portable.bpte", folder / "xnnpack.bpte"});
    EXPECT_ANSWER(std::string("1 added, 152 removed"));
    EXPECT_ANSWER(std::string("XnnpackBackend"));
    EXPECT_FEW_ACTIONS();
}

// --- 11: is the output right? ------------------------------------------------------------------------------

class OutputRight : public TasksTest {
  protected:
    void doTask(const std::filesystem::path& bundle, const std::string& verdict) {
        open({bundle});
        person.press(Qt::Key_F9);
        driver.waitForTests();
        EXPECT_ANSWER(verdict);
        EXPECT_FEW_ACTIONS();
    }
};

TEST_F(OutputRight, OfAMadeUpBundle) {
    doTask(write("net.bpte", makeBundle({Expectation::Right, Expectation::Wrong})), "1 ✓ pass   1 ✗ fail");
    takePictures(driver, "task_output_right");
}
TEST_F(OutputRight, OfRealModels) {
    ET_NEEDS_SHARED_DATA();
    doTask(sharedData() / "programs" / "bert_tiny" / "xnnpack.bpte", " pass");
}

// --- 12: send it to a colleague ----------------------------------------------------------------------------

class Send : public TasksTest {
  protected:
    void doTask(const Paths& files) {
        open(files);
        const auto page = folder() / "to_send.html";
        person.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        person.type(QString::fromStdString(page.string()));
        person.press(Qt::Key_Return);
        EXPECT_ANSWER(std::string("et-inspect report"));
        EXPECT_TRUE(readText(page).starts_with("<!DOCTYPE html>"));
        EXPECT_FEW_ACTIONS();
    }
};

TEST_F(Send, TheSample) {
    doTask(samplePaths());
    takePictures(driver, "task_send");
}
TEST_F(Send, RealModels) {
    ET_NEEDS_SHARED_DATA();
    doTask(taskFiles(realCnn));
}

}  // namespace

}  // namespace et::test
