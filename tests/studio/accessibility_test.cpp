// Tests of accessibility: every focusable widget and every custom-painted view has a name and a role, and
// custom-painted views report their selection.
#include "app/studio/panel_area.h"
#include "tests/studio/settled.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/flame/flame_widget.h"
#include "visualizers/toolkit/spoken_picture.h"

#include <QAbstractScrollArea>
#include <QAccessible>
#include <QDockWidget>
#include <QLabel>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTest>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace et::test {

namespace {

using visualizers::SpokenPicture;

/// Inner widgets of Qt's own widgets, which have accessible parents.
bool isInner(const QWidget& widget) {
    const auto* const area = qobject_cast<const QAbstractScrollArea*>(widget.parentWidget());
    return widget.objectName().startsWith(QLatin1String("qt_")) ||
           qobject_cast<const QScrollBar*>(&widget) != nullptr ||
           (area != nullptr && area->viewport() == &widget) || widget.inherits("QHeaderView") ||
           widget.inherits("QTabBar") || widget.inherits("QComboBoxPrivateContainer") ||
           (widget.parentWidget() != nullptr && (widget.parentWidget()->inherits("QComboBox") ||
                                                 widget.parentWidget()->inherits("QAbstractSpinBox")));
}

std::string nameOf(const QWidget& widget) {
    std::string way;
    for (const QWidget* each = &widget; each != nullptr; each = each->parentWidget()) {
        way = std::string(each->metaObject()->className()) + "(" + each->objectName().toStdString() + ") " +
              way;
    }
    return way;
}

class AccessibilityTest : public StudioTest {
  protected:
    AccessibilityTest() { driver.window().resize(1400, 900); }

    /// Collects accessibility faults of the widgets on screen.
    void check(std::set<std::string>& wrong) {
        for (QWidget* const widget : driver.window().findChildren<QWidget*>()) {
            const bool paints = dynamic_cast<const SpokenPicture*>(widget) != nullptr;
            const bool concerns = widget->isVisible() && (paints || widget->focusPolicy() != Qt::NoFocus);
            if (!concerns || isInner(*widget)) {
                continue;
            }
            ++checked;
            const QAccessibleInterface* const spoken = QAccessible::queryAccessibleInterface(widget);
            if (spoken == nullptr || spoken->text(QAccessible::Name).trimmed().isEmpty()) {
                // Empty labels.
                const auto* const label = qobject_cast<const QLabel*>(widget);
                if (label == nullptr || !label->text().isEmpty()) {
                    wrong.insert("no name: " + nameOf(*widget));
                }
            } else if (spoken->role() == QAccessible::NoRole ||
                       (spoken->role() == QAccessible::Client && paints)) {
                wrong.insert("no role: " + nameOf(*widget));
            }
        }
    }

    WindowDriver driver;
    int checked = 0;
};

TEST_F(AccessibilityTest, FocusableAndPaintedWidgetsHaveNameAndRole) {
    std::set<std::string> wrong;
    check(wrong);  // the welcome page
    driver.open(runSamplePaths());
    for (const studio::PanelArea::Entry& entry : driver.window().area().entries()) {
        driver.enterPanel(entry.dock->windowTitle());
        ASSERT_TRUE(settle(driver.window()));
        check(wrong);
    }
    EXPECT_GT(checked, 100);
    for (const std::string& each : wrong) {
        ADD_FAILURE() << each;
    }
}

TEST_F(AccessibilityTest, PictureAnnouncesTheSelection) {
    driver.open({write("small.etdp", smallTrace(3))});
    driver.enterPanel(QStringLiteral("Flame Graph"));
    auto* const flame = driver.window().findChild<visualizers::FlameWidget*>();
    ASSERT_TRUE(QTest::qWaitFor([flame] { return flame->content() != nullptr; }, 30'000));
    const QAccessibleInterface* const spoken = QAccessible::queryAccessibleInterface(flame);
    ASSERT_NE(spoken, nullptr);
    EXPECT_EQ(spoken->role(), QAccessible::Chart);
    EXPECT_EQ(spoken->text(QAccessible::Name), QStringLiteral("Flame graph"));
    EXPECT_TRUE(spoken->text(QAccessible::Value).isEmpty());
    flame->setFocus();
    driver.press(Qt::Key_Right);
    const QString value = spoken->text(QAccessible::Value);
    EXPECT_TRUE(value.contains(QStringLiteral("s"))) << "a time";
    EXPECT_FALSE(value.isEmpty());
    EXPECT_TRUE(spoken->state().focusable);
    EXPECT_TRUE(spoken->state().focused);
}

}  // namespace

}  // namespace et::test
