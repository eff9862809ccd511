// Tests text contrast: at least 4.5 : 1 in every panel, light and dark (WCAG 2.2, 1.4.3), measured on a
// picture of the window. Each meaning has one colour in all views and in the report.
#include "app/studio/appearance.h"
#include "app/studio/panel_area.h"
#include "app/studio/perspectives.h"
#include "inspector/format/palette.h"
#include "tests/studio/screen_text.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/toolkit/meaning_colour.h"

#include <QDockWidget>
#include <QImage>
#include <QPixmap>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace et::test {

namespace {

constexpr double leastContrast = 4.5;

/// Most frequent colour of a picture region, except the text colour.
QRgb groundOf(const QImage& picture, const QRect& part, QRgb ink) {
    std::map<QRgb, int> counts;
    for (int y = std::max(part.top(), 0); y <= std::min(part.bottom(), picture.height() - 1); ++y) {
        for (int x = std::max(part.left(), 0); x <= std::min(part.right(), picture.width() - 1); ++x) {
            counts[picture.pixel(x, y)] += picture.pixel(x, y) == ink ? 0 : 1;
        }
    }
    const auto most = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    return most == counts.end() ? 0 : most->first;
}

QRgb blended(QRgb ink, QRgb ground) {
    const auto mix = [share = qAlpha(ink) / 255.0](int top, int below) {
        return static_cast<int>(top * share + below * (1 - share) + 0.5);
    };
    return qRgb(mix(qRed(ink), qRed(ground)), mix(qGreen(ink), qGreen(ground)),
                mix(qBlue(ink), qBlue(ground)));
}

class ContrastTest : public StudioTest {
  protected:
    ContrastTest() { driver.window().resize(1600, 1000); }
    ~ContrastTest() override { studio::apply(studio::Appearance::Light); }
    ContrastTest(const ContrastTest&) = delete;
    ContrastTest& operator=(const ContrastTest&) = delete;

    void check(const std::string& where) {
        ASSERT_TRUE(settle(driver.window()));
        const QImage picture = driver.window().grab().toImage();
        for (const SeenText& each : textsOnScreen(driver.window())) {
            const QWidget* const widget = driver.window().childAt(each.place.center());
            // Marks of a legend and the ellipsis for omitted lines.
            const bool isMark = each.text.startsWith(u'■') || each.text.startsWith(u'●') ||
                                each.text.trimmed() == QStringLiteral("⋮");
            if (widget == nullptr || !widget->isEnabled() || isMark) {
                continue;  // WCAG exempts disabled controls
            }
            const QRgb ground = groundOf(picture, each.visible, each.ink);
            const double contrast =
                inspector::format::contrast(blended(each.ink, ground) & 0xffffffU, ground & 0xffffffU);
            ++checked;
            if (contrast < leastContrast) {
                poor.insert(where + ": '" + each.text.left(40).toStdString() + "' in " +
                            widget->metaObject()->className() + ", " +
                            QString::number(contrast, 'f', 2).toStdString() + " : 1, " +
                            inspector::format::hexText(each.ink) + " on " +
                            inspector::format::hexText(ground));
            }
        }
    }

    WindowDriver driver;
    std::set<std::string> poor;
    int checked = 0;
};

TEST_F(ContrastTest, TextIsReadableInEveryPanel) {
    driver.open(runSamplePaths());
    driver.window().selection().setCurrent(visualizers::EventRef{.block = 1, .event = 1});
    for (const auto appearance : {studio::Appearance::Light, studio::Appearance::Dark}) {
        studio::apply(appearance);
        const std::string look = appearance == studio::Appearance::Light ? "light" : "dark";
        for (const studio::Perspective& plan : studio::perspectives()) {
            driver.enterPerspective(plan.id);
            check(look + " " + plan.id);
        }
        for (const studio::PanelArea::Entry& entry : driver.window().area().entries()) {
            driver.enterPanel(entry.dock->windowTitle());
            check(look + " " + entry.info->id);
        }
        driver.window().area().setMaximized(false);
    }
    EXPECT_GT(checked, 1000);
    for (const std::string& each : poor) {
        ADD_FAILURE() << each;
    }
}

TEST_F(ContrastTest, TextIsReadableOnRealModels) {
    ET_NEEDS_SHARED_DATA();
    const auto traces = sharedData() / "traces";
    driver.open({traces / "mobilenet_v2_small_xnnpack" / "trace.etdp",
                 sharedData() / "programs" / "mobilenet_v2_small" / "xnnpack.etrecord",
                 sharedData() / "programs" / "mobilenet_v2_small" / "xnnpack.bpte"});
    driver.window().addTraces({traces / "mobilenet_v2_small_xnnpack_q8" / "trace.etdp"});
    driver.waitUntilIdle();
    driver.waitForComparison();
    for (const auto appearance : {studio::Appearance::Light, studio::Appearance::Dark}) {
        studio::apply(appearance);
        for (const studio::Perspective& plan : studio::perspectives()) {
            driver.enterPerspective(plan.id);
            check((appearance == studio::Appearance::Light ? "light " : "dark ") + std::string(plan.id));
        }
    }
    for (const std::string& each : poor) {
        ADD_FAILURE() << each;
    }
}

TEST(Colours, MatchBetweenWindowAndReport) {
    const std::string style =
        readText(std::filesystem::path(ET_SOURCE_DIR) / "app/output/report/page/page.css");
    const std::map<std::string, inspector::format::Meaning> names{
        {"k0", inspector::format::Meaning::Idle},
        {"k1", inspector::format::Meaning::Kernel},
        {"k2", inspector::format::Meaning::Delegate},
        {"slower", inspector::format::Meaning::Error},
        {"faster", inspector::format::Meaning::Kernel}};
    for (const auto& [name, meaning] : names) {
        std::set<std::string> colours;
        const std::regex declared("--" + name + ":(#[0-9a-f]{6})");
        for (std::sregex_iterator at(style.begin(), style.end(), declared), end; at != end; ++at) {
            colours.insert((*at)[1]);
        }
        const inspector::format::MeaningInfo& traits = inspector::format::infoOf(meaning);
        EXPECT_EQ(colours, (std::set{inspector::format::hexText(traits.light),
                                     inspector::format::hexText(traits.dark)}))
            << name;
    }
    // The window uses the same table.
    for (const inspector::format::MeaningInfo& each : inspector::format::meanings()) {
        studio::apply(studio::Appearance::Light);
        EXPECT_EQ(visualizers::meaningColour(each.meaning, QApplication::palette()).rgb() & 0xffffffU,
                  each.light);
        studio::apply(studio::Appearance::Dark);
        EXPECT_EQ(visualizers::meaningColour(each.meaning, QApplication::palette()).rgb() & 0xffffffU,
                  each.dark);
    }
    studio::apply(studio::Appearance::Light);
}

}  // namespace

}  // namespace et::test
