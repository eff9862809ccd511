// All perspectives with a real CNN and a real transformer, at the sizes that people have: everything is
// reachable in a small window, and pictures to look at are left in the build.
#include "app/studio/appearance.h"
#include "app/studio/perspectives.h"
#include "app/studio/room_area.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"

#include <QTest>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace et::test {

namespace {

constexpr int settleMs = 300;

struct RealSet {
    const char* name;
    const char* trace;
    const char* program;  ///< below `programs`, without the suffix
};
constexpr RealSet realSets[] = {
    {"cnn", "mobilenet_v2_small_xnnpack_debug", "mobilenet_v2_small/xnnpack"},
    {"transformer", "bert_tiny_xnnpack_debug", "bert_tiny/xnnpack"},
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
        QTest::qWait(settleMs);
        const auto file = std::filesystem::path(ET_SCREENSHOT_BUILD_DIR) / "gallery" / (name + ".png");
        std::filesystem::create_directories(file.parent_path());
        ASSERT_TRUE(driver.window().grab().save(QString::fromStdString(file.string())));
    }

    WindowDriver driver;
};

TEST_F(GalleryTest, PerspectivesOfRealModels) {
    ET_NEEDS_SHARED_DATA();
    for (const RealSet& set : realSets) {
        driver.open(filesOf(set));
        for (const QSize size : {QSize(1920, 1080), QSize(1024, 700)}) {
            driver.window().resize(size);
            for (const studio::Perspective& each : studio::perspectives()) {
                driver.enterPerspective(each.id);
                keep(std::string(set.name) + "_" + std::to_string(size.width()) + "_" + each.id);
                EXPECT_EQ(driver.window().size(), size)
                    << each.id << " of " << set.name << " needs more room";
            }
        }
        driver.window().resize(QSize(1920, 1080));
        studio::apply(studio::Appearance::Dark);
        for (const studio::Perspective& each : studio::perspectives()) {
            driver.enterPerspective(each.id);
            keep(std::string(set.name) + "_dark_" + each.id);
        }
        studio::apply(studio::Appearance::Light);
    }
}

}  // namespace

}  // namespace et::test
