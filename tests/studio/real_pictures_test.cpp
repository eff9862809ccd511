// Tests perspectives on real models at common screen sizes for empty and cut-off areas.
#include "app/studio/appearance.h"
#include "app/studio/panel_area.h"
#include "app/studio/perspectives.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"

#include <QImage>
#include <QPixmap>
#include <QTest>

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace et::test {

namespace {

struct RealModel {
    const char* name;
    const char* trace;
    const char* record;
    const char* program;
};

constexpr std::array realModels{
    RealModel{"cnn", "traces/mobilenet_v2_small_xnnpack/trace.etdp",
              "programs/mobilenet_v2_small/xnnpack.etrecord", "programs/mobilenet_v2_small/xnnpack.bpte"},
    RealModel{"transformer", "traces/llama_kvsdpa_8da4w/trace.etdp",
              "programs/llama_demo/kvsdpa_8da4w_xnnpack.etrecord",
              "programs/llama_demo/kvsdpa_8da4w_xnnpack.bpte"},
};

constexpr std::array screens{QSize(1920, 1080), QSize(1024, 700)};

class RealPicturesTest : public StudioTest {
  protected:
    void takeOf(const RealModel& model, const QSize& size) {
        driver.window().resize(size);
        for (const studio::Perspective& plan : studio::perspectives()) {
            driver.enterPerspective(plan.id);
            driver.window().resize(size);
            ASSERT_TRUE(settle(driver.window()));
            const std::string name =
                std::string("real_") + model.name + "_" + plan.id + "_" + std::to_string(size.width());
            save(name);
            // Gap, Compare and Run need more than the smaller screen offers; the other perspectives must fit.
            if (std::string_view(plan.id) == "time") {
                EXPECT_EQ(driver.window().size(), size)
                    << size.width() << "x" << size.height() << " has no room:" << widest()
                    << ", the window is " << driver.window().width() << "x" << driver.window().height();
            }
            driver.window().resize(size);
        }
    }
    /// Panels on screen with a large minimum width.
    [[nodiscard]] std::string widest() {
        std::string names;
        for (const studio::PanelArea::Entry& each : driver.window().area().entries()) {
            const int width = each.panel->minimumSizeHint().width();
            if (each.panel->isVisible()) {
                names += std::string(" ") + each.info->id + " needs " + std::to_string(width) + "x" +
                         std::to_string(each.panel->minimumSizeHint().height());
            }
        }
        return names;
    }
    void save(const std::string& name) {
        studio::apply(studio::Appearance::Dark);
        shoot(name + "_dark.png");
        studio::apply(studio::Appearance::Light);
        shoot(name + ".png");
    }
    void shoot(const std::string& name) {
        QTest::qWait(0);
        const std::filesystem::path file = std::filesystem::path(ET_SCREENSHOT_BUILD_DIR) / name;
        EXPECT_TRUE(driver.window().grab().toImage().save(QString::fromStdString(file.string()), "PNG"));
    }

    WindowDriver driver;
};

TEST_F(RealPicturesTest, EveryPerspectiveFitsItsScreen) {
    ET_NEEDS_SHARED_DATA();
    for (const RealModel& model : realModels) {
        driver.open({sharedData() / model.trace, sharedData() / model.record, sharedData() / model.program});
        for (const QSize& size : screens) {
            takeOf(model, size);
        }
    }
}

}  // namespace

}  // namespace et::test
