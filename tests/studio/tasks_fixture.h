#pragma once

#include "app/studio/inspector/inspector_panel.h"
#include "app/studio/panel_area.h"
#include "tests/studio/person.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/support/shared_data.h"

#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

using Paths = std::vector<std::filesystem::path>;

inline constexpr int mostActions = 3;

struct TaskModel {
    const char* trace;    ///< below "traces"
    const char* program;  ///< path below "programs", without suffix
};
inline constexpr TaskModel realCnn{"mobilenet_v2_small_xnnpack", "mobilenet_v2_small/xnnpack"};
inline constexpr TaskModel realTransformer{"bert_tiny_xnnpack", "bert_tiny/xnnpack"};
inline constexpr TaskModel realLlama{"llama_kvsdpa_8da4w", "llama_demo/kvsdpa_8da4w_xnnpack"};

inline Paths taskFiles(const TaskModel& model) {
    const std::string program = (sharedData() / "programs" / model.program).string();
    return {sharedData() / "traces" / model.trace / "trace.etdp", program + ".etrecord", program + ".bpte"};
}

class TasksTest : public StudioTest {
  protected:
    TasksTest() {
        qputenv("ET_INSPECT_LAYOUT", ET_LAYOUT_HELPER);
        driver.window().resize(1280, 760);
    }

    void open(const Paths& paths) {
        driver.open(paths);
        const auto* const inspector = driver.window().findChild<studio::InspectorPanel*>();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !inspector->busy(); }, 60'000));
        ASSERT_TRUE(settle(driver.window()));
    }
    [[nodiscard]] const inspector::Session& session() { return *driver.window().opened().session(); }
    [[nodiscard]] const QWidget& panel(const char* id) {
        return *std::ranges::find_if(driver.window().area().entries(), [id](const auto& entry) {
                    return std::string_view(entry.info->id) == id;
                })->panel;
    }

    /// Expands all modules: the initial state depends on times, which depend on the machine.
    void openAllModules() { panel("outline").findChild<QTreeView*>()->expandAll(); }

    WindowDriver driver;
    Person person{driver};
};

#define EXPECT_ANSWER(answer) \
    EXPECT_TRUE(person.sees(answer)) << "looking for '" << (answer) << "' on\n" << person.screen()
#define EXPECT_FEW_ACTIONS() EXPECT_LE(person.actions(), mostActions)

}  // namespace et::test
