// Tests exports of every picture as PNG and SVG and every table as CSV, TSV, Markdown and JSON.
#include "app/studio/panel_export.h"

#include "app/studio/export_menu.h"
#include "app/studio/notice_bar.h"
#include "app/studio/panel_area.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/events/event_view.h"
#include "visualizers/toolkit/shown_table.h"

#include <QAction>
#include <QFile>
#include <QImage>
#include <QSvgRenderer>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace et::test {

namespace {

class PanelExportTest : public StudioTest {
  protected:
    [[nodiscard]] QString placeOf(const char* name) {
        return QString::fromStdString((folder() / name).string());
    }
    /// Exports from the front panel to this file.
    void exportTo(const QString& id, const QString& file) {
        for (QAction* const action : driver.window().findChild<studio::ExportMenu*>()->actions()) {
            if (action->data().toString() == id) {
                action->trigger();
            }
        }
        chooseInFileDialog(file.toStdString());
    }
    /// Exports from the front panel with File > Export and returns the content of the file.
    [[nodiscard]] QByteArray exported(const QString& id, const QString& file) {
        exportTo(id, file);
        QFile content(file);
        EXPECT_TRUE(content.open(QIODevice::ReadOnly)) << file.toStdString();
        return content.readAll();
    }

    WindowDriver driver;
};

TEST_F(PanelExportTest, APictureOfAnyPanelIsADrawingToo) {
    driver.open(samplePaths());
    for (const char* const id : {"time", "memory", "structure"}) {
        driver.enterPerspective(id);
        const int widthOfDrawing = driver.window().area().current().width();
        const QByteArray drawing = exported(QStringLiteral("picture"), placeOf("panel.svg"));
        QSvgRenderer renderer(drawing);
        ASSERT_TRUE(renderer.isValid()) << id;
        EXPECT_EQ(renderer.viewBox().width(), widthOfDrawing) << id;
        EXPECT_TRUE(drawing.contains("<text")) << id << ": letters stay letters";
        const int widthOfPicture = driver.window().area().current().width();
        const QImage picture =
            QImage::fromData(exported(QStringLiteral("picture"), placeOf("panel.png")), "PNG");
        EXPECT_EQ(picture.width(), widthOfPicture) << id;
    }
}

TEST_F(PanelExportTest, FileSuffixSelectsTheTableFormat) {
    driver.open(samplePaths());
    driver.enterPanel(QStringLiteral("Events"));
    const QList<QByteArray> lines =
        exported(QStringLiteral("table"), placeOf("events.csv")).trimmed().split('\n');
    EXPECT_TRUE(lines.front().startsWith("event_name,")) << lines.front().toStdString();
    EXPECT_TRUE(lines.front().contains("p50 (ms)")) << "numbers have the unit of their title";
    const auto* const table = studio::tableOf(driver.window().area().current());
    ASSERT_EQ(table, &driver.table());
    const auto shown = visualizers::shownTable(*table);
    EXPECT_EQ(static_cast<std::size_t>(lines.size()), shown.rows.size() + 1);
    const auto median = std::ranges::find(shown.columns, "p50 (ms)", &inspector::format::Column::header);
    ASSERT_NE(median, shown.columns.end());
    const auto at = static_cast<std::size_t>(median - shown.columns.begin());
    const auto number = QString::fromStdString(std::get<std::string>(shown.rows.back()[at]));
    bool isNumber = false;
    EXPECT_GE(number.toDouble(&isNumber), 0);
    EXPECT_TRUE(isNumber) << number.toStdString() << ": all digits, for programs";
    EXPECT_TRUE(exported(QStringLiteral("table"), placeOf("events.md")).startsWith("| "));
    EXPECT_TRUE(exported(QStringLiteral("table"), placeOf("events.json")).trimmed().startsWith('['));
    EXPECT_TRUE(exported(QStringLiteral("table"), placeOf("events.tsv")).contains('\t'));
}

TEST_F(PanelExportTest, WritesFilteredTableAsShown) {
    driver.open(samplePaths());
    driver.enterPanel(QStringLiteral("Events"));
    const auto all = visualizers::shownTable(driver.table()).rows.size();
    driver.typeFilter(QStringLiteral("conv"));
    const auto some = visualizers::shownTable(driver.table());
    EXPECT_LT(some.rows.size(), all);
    EXPECT_FALSE(some.rows.empty());
    driver.table().setColumnHidden(visualizers::EventModel::Share, true);
    EXPECT_EQ(visualizers::shownTable(driver.table()).columns.size() + 1, some.columns.size());
}

TEST_F(PanelExportTest, ReportsPanelWithoutATable) {
    driver.open(samplePaths());
    driver.enterPanel(QStringLiteral("Flame Graph"));
    exportTo(QStringLiteral("table"), placeOf("none.csv"));
    EXPECT_FALSE(QFile::exists(placeOf("none.csv")));
    ASSERT_FALSE(driver.errors().isEmpty());
    EXPECT_TRUE(driver.errors().front().contains(QStringLiteral("no table")));
}

TEST_F(PanelExportTest, ReportsWriteErrors) {
    driver.open(samplePaths());
    driver.enterPanel(QStringLiteral("Events"));
    for (const char* const id : {"picture", "table"}) {
        exportTo(QLatin1String(id), QStringLiteral("/nowhere/a.csv"));
        ASSERT_FALSE(driver.errors().isEmpty()) << id;
        EXPECT_TRUE(driver.errors().front().contains(QStringLiteral("/nowhere/a.csv"))) << id;
    }
}

}  // namespace

}  // namespace et::test
