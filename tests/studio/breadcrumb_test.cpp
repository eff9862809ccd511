// Tests of the breadcrumb: position of the selection in the model and navigation to its parents.
#include "app/studio/breadcrumb.h"

#include "tests/studio/clicks.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"

#include <QTest>

#include <gtest/gtest.h>

#include <string>

namespace et::test {

namespace {

class BreadcrumbTest : public StudioTest {
  protected:
    void open() {
        driver.open(samplePaths());
        ASSERT_TRUE(QTest::qWaitFor([this] { return !trail().busy(); }, 30'000));
    }
    [[nodiscard]] studio::Breadcrumb& trail() { return *driver.window().findChild<studio::Breadcrumb*>(); }
    [[nodiscard]] visualizers::Selection& selection() { return driver.window().selection(); }
    void choose(const std::string& name) {
        const auto& blocks = driver.window().opened().blocks()->blocks();
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            for (std::size_t event = 0; event < blocks[block].events.size(); ++event) {
                if (blocks[block].events[event].name.find(name) != std::string_view::npos) {
                    selection().setCurrent(visualizers::EventRef{block, event});
                    return;
                }
            }
        }
        FAIL() << name;
    }

    WindowDriver driver;
};

TEST_F(BreadcrumbTest, LeadsFromTheMethodToTheOperator) {
    open();
    EXPECT_EQ(trail().way(), QString());
    choose("convolution");
    const QStringList parts = trail().way().split(QStringLiteral(" › "));
    ASSERT_GE(parts.size(), 3) << trail().way().toStdString();
    EXPECT_EQ(parts.front(), QStringLiteral("forward"));
    EXPECT_TRUE(WindowDriver::onScreen(trail()));
}

TEST_F(BreadcrumbTest, ClickSelectsAllOperatorsInside) {
    open();
    choose("convolution");
    const qsizetype before = trail().way().split(QStringLiteral(" › ")).size();
    ASSERT_TRUE(clickLink(trail(), QStringLiteral("0")));
    EXPECT_GT(selection().events().size(), 1U);
    EXPECT_LT(trail().way().split(QStringLiteral(" › ")).size(), before);
}

TEST_F(BreadcrumbTest, ElidesTheMiddleInNarrowWindows) {
    open();
    choose("convolution");
    trail().resize(2000, trail().height());
    EXPECT_FALSE(trail().text().contains(u'…'));
    trail().resize(trail().fontMetrics().horizontalAdvance(trail().way()) * 2 / 3, trail().height());
    EXPECT_TRUE(trail().text().contains(u'…')) << trail().text().toStdString();
    EXPECT_TRUE(trail().text().contains(QStringLiteral("forward")));
}

TEST_F(BreadcrumbTest, IsEmptyWithoutFiles) {
    open();
    choose("convolution");
    driver.press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(trail().way(), QString());
}

}  // namespace

}  // namespace et::test
