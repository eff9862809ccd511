// Tests all perspectives with a real CNN and real transformers at common window sizes: everything is
// reachable in a small window, and screenshots are saved in the build folder. QT_SCALE_FACTOR=2 doubles their
// resolution and marks their names.
#include "app/studio/appearance.h"
#include "app/studio/gap/gap_panel.h"
#include "app/studio/panel_area.h"
#include "app/studio/perspectives.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"

#include <QPixmap>
#include <QTest>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace et::test {

namespace {

struct RealSet {
    const char* name;
    const char* trace;
    const char* program;  ///< path below `programs`, without the suffix
    const char* beside;   ///< second trace to compare with; null: none
};
constexpr RealSet realSets[] = {
    {"cnn", "mobilenet_v2_small_xnnpack_debug", "mobilenet_v2_small/xnnpack", "mobilenet_v2_small_xnnpack"},
    {"transformer", "bert_tiny_xnnpack_debug", "bert_tiny/xnnpack", "bert_tiny_xnnpack"},
    {"llama", "llama_kvsdpa_8da4w", "llama_demo/kvsdpa_8da4w_xnnpack", nullptr},
};

std::vector<std::filesystem::path> filesOf(const RealSet& set) {
    const auto trace = sharedData() / "traces" / set.trace;
    const auto program = (sharedData() / "programs" / set.program).string();
    std::vector<std::filesystem::path> files;
    for (const std::filesystem::path& file :
         {trace / "trace.etdp", trace / "debug_buffer.bin", std::filesystem::path(program + ".bpte"),
          std::filesystem::path(program + ".etrecord")}) {
        if (std::filesystem::exists(file)) {
            files.push_back(file);
        }
    }
    return files;
}

class GalleryTest : public StudioTest {
  protected:
    void keep(const std::string& name) {
        ASSERT_TRUE(settle(driver.window()));
        const std::string scale = driver.window().devicePixelRatio() > 1 ? "_twice" : "";
        const auto file =
            std::filesystem::path(ET_SCREENSHOT_BUILD_DIR) / "gallery" / (name + scale + ".png");
        std::filesystem::create_directories(file.parent_path());
        ASSERT_TRUE(driver.window().grab().save(QString::fromStdString(file.string())));
    }
    GalleryTest() { qputenv("ET_INSPECT_LAYOUT", ET_LAYOUT_HELPER); }

    /// Loads the gap and a second trace, for the perspectives Numbers and Change.
    void fill(const RealSet& set) {
        auto* const gap = driver.window().findChild<studio::GapPanel*>();
        driver.enterPerspective("numbers");
        gap->setFocus();
        driver.press(Qt::Key_F9);
        EXPECT_TRUE(QTest::qWaitFor([gap] { return !gap->running(); }, 120'000));
        if (set.beside != nullptr) {
            driver.window().addTraces({sharedData() / "traces" / set.beside / "trace.etdp"});
            driver.waitUntilIdle();
            driver.waitForComparison();
        }
    }

    WindowDriver driver;
};

TEST_F(GalleryTest, PerspectivesOfRealModels) {
    ET_NEEDS_SHARED_DATA();
    studio::apply(studio::Appearance::Light);
    for (const RealSet& set : realSets) {
        driver.open(filesOf(set));
        fill(set);
        for (const QSize size : {QSize(1920, 1080), QSize(1024, 700)}) {
            driver.window().resize(size);
            for (const studio::Perspective& each : studio::perspectives()) {
                driver.enterPerspective(each.id);
                keep(std::string(set.name) + "_" + std::to_string(size.width()) + "_" + each.id);
                EXPECT_EQ(driver.window().size(), size)
                    << each.id << " of " << set.name << " needs more room";
            }
        }
        studio::apply(studio::Appearance::Dark);
        for (const QSize size : {QSize(1920, 1080), QSize(1024, 700)}) {
            driver.window().resize(size);
            for (const studio::Perspective& each : studio::perspectives()) {
                driver.enterPerspective(each.id);
                keep(std::string(set.name) + "_dark_" + std::to_string(size.width()) + "_" + each.id);
            }
        }
        studio::apply(studio::Appearance::Light);
    }
}

}  // namespace

}  // namespace et::test
