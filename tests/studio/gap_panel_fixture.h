#pragma once

#include "app/studio/gap/gap_details.h"
#include "app/studio/gap/gap_panel.h"
#include "tests/studio/made_up_gap.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/gap/gap_model.h"
#include "visualizers/gap/gap_plot.h"
#include "visualizers/gap/gap_table.h"
#include "visualizers/gap/gap_view.h"
#include "visualizers/toolkit/meaning_colour.h"

#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QTest>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace et::test {

/// Fixture with a window and its gap panel.
class GapPanelTest : public StudioTest {
  protected:
    GapPanelTest() : panel(*driver.window().findChild<studio::GapPanel*>()) {
        driver.window().resize(1000, 620);
    }

    /// Opens a real program with a fault in its ninth convolution (debug handle 71), and its ETRecord.
    void openFaulty();
    /// Replaces et-inspect by a fake that returns a gap and tensors with one wrong element.
    void useMadeUpGap(const std::string& gap = madeUpGap());
    void calculate() {
        panel.setFocus();
        driver.press(Qt::Key_F9);
        waitForGap();
    }
    void waitForGap() {
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.running(); }, 60'000)) << "the gap does not end";
        waitForDetails();
    }
    void waitForDetails() {
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel.details().loading(); }, 30'000));
        QTest::qWait(0);
    }
    [[nodiscard]] visualizers::GapModel& model() { return panel.view().table().rows(); }
    [[nodiscard]] QString cell(std::size_t row, visualizers::GapModel::Column column) {
        return model().index(static_cast<int>(row), column).data().toString();
    }
    [[nodiscard]] QString hint() { return panel.findChild<QLabel*>(QStringLiteral("gapHint"))->text(); }
    [[nodiscard]] QString age() {
        const auto* const label = panel.findChild<QLabel*>(QStringLiteral("gapAge"));
        return WindowDriver::onScreen(*label) ? label->text() : QString();
    }
    template <class Widget>
    [[nodiscard]] Widget& tool(const char* name) {
        return *panel.findChild<Widget*>(QString::fromLatin1(name));
    }
    [[nodiscard]] QComboBox& quantityBox() { return tool<QComboBox>("gapQuantity"); }
    [[nodiscard]] QComboBox& setBox() { return tool<QComboBox>("gapSet"); }
    [[nodiscard]] QLineEdit& filterBox() { return tool<QLineEdit>("gapFilter"); }
    [[nodiscard]] QRgb ownErrorColour() {
        return visualizers::meaningColour(inspector::format::Meaning::Own, driver.window().palette()).rgb();
    }
    [[nodiscard]] QRgb inheritedErrorColour() {
        return visualizers::meaningColour(inspector::format::Meaning::Inherited, driver.window().palette())
            .rgb();
    }
    [[nodiscard]] QRgb divergenceColour() {
        return visualizers::meaningColour(inspector::format::Meaning::Error, driver.window().palette()).rgb();
    }
    /// True if no pixel of the plot has the full colour of a series.
    [[nodiscard]] bool plotIsPale() {
        const auto own = panel.view().plot().markOf(1, 1);
        return own && pixelsAt(panel.view().plot(), *own, ownErrorColour()) == 0;
    }
    [[nodiscard]] QString summary() { return panel.findChild<QLabel*>(QStringLiteral("gapSummary"))->text(); }
    void clickMark(std::size_t row) {
        visualizers::GapPlot& plot = panel.view().plot();
        const auto mark = plot.markOf(row);
        ASSERT_TRUE(mark);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, mark->toPoint());
        waitForDetails();
    }
    /// Number of pixels near a position whose colour is close to this one.
    [[nodiscard]] static int pixelsAt(QWidget& widget, const QPointF& place, QRgb colour);

    WindowDriver driver;
    studio::GapPanel& panel;
};

}  // namespace et::test
