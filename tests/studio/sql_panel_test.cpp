// Tests of SQL queries in the window.
#include "app/studio/sql/sql_panel.h"

#include "tests/studio/clicks.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/selection.h"
#include "visualizers/sql/answer_chart.h"
#include "visualizers/sql/answer_model.h"
#include "visualizers/sql/sql_completion.h"
#include "visualizers/sql/sql_editor.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>

#include <gtest/gtest.h>

namespace et::test {

namespace {

using visualizers::SqlEditor;

class SqlPanelTest : public StudioTest {
  protected:
    SqlPanelTest() : panel(*driver.window().findChild<studio::SqlPanel*>()) {}

    void openSample() {
        driver.open(samplePaths());
        driver.enterPanel(QStringLiteral("SQL"));
    }
    /// Replaces the query, runs it and waits for the result.
    void ask(const QString& sql) {
        SqlEditor& editor = panel.editor();
        editor.setFocus();
        editor.selectAll();
        editor.insertPlainText(sql);
        QTest::keyClick(&editor, Qt::Key_Return, Qt::ControlModifier);
        waitForAnswer();
    }
    void waitForAnswer() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !panel.busy(); }, 30'000));
        QTest::qWait(0);
    }
    [[nodiscard]] QString status() { return panel.findChild<QLabel*>(QStringLiteral("sqlStatus"))->text(); }
    [[nodiscard]] QString cell(int row, int column) {
        return panel.model().index(row, column).data().toString();
    }

    WindowDriver driver;
    studio::SqlPanel& panel;
};

TEST_F(SqlPanelTest, ShowsWhichFilesToOpen) {
    EXPECT_FALSE(panel.hasContent());
    EXPECT_TRUE(status().contains(QStringLiteral("Open a program"))) << status().toStdString();
}

TEST_F(SqlPanelTest, AnswersWithRows) {
    openSample();
    const QAbstractItemModelTester tester(&panel.model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    ask(QStringLiteral("SELECT count(*) AS n, 'a' AS a FROM events"));
    std::size_t events = 0;
    for (const inspector::Block& block : driver.window().opened().blocks()->blocks()) {
        events += block.events.size();
    }
    ASSERT_EQ(panel.model().rowCount(), 1);
    EXPECT_EQ(cell(0, 0), QString::number(events));
    EXPECT_EQ(cell(0, 1), QStringLiteral("a"));
    EXPECT_TRUE(status().startsWith(QStringLiteral("1 row in "))) << status().toStdString();
    ask(QStringLiteral("SELECT 1; SELECT 2 AS two UNION SELECT 3"));
    EXPECT_EQ(panel.model().rowCount(), 2) << "the last of two answers";
}

TEST_F(SqlPanelTest, UnderlinesErrors) {
    openSample();
    ask(QStringLiteral("SELECT nme FROM events"));
    EXPECT_TRUE(status().contains(QStringLiteral("no such column: nme"))) << status().toStdString();
    ASSERT_EQ(panel.editor().extraSelections().size(), 1);
    EXPECT_EQ(panel.editor().extraSelections().front().cursor.selectedText(), QStringLiteral("nme"));
    EXPECT_EQ(panel.model().rowCount(), 0);
    ask(QStringLiteral("DROP TABLE events"));
    EXPECT_TRUE(status().contains(QStringLiteral("not allowed"))) << status().toStdString();
    ask(QStringLiteral("SELECT 1"));
    EXPECT_TRUE(panel.editor().extraSelections().isEmpty());
}

TEST_F(SqlPanelTest, EndlessQueriesCanBeStopped) {
    openSample();
    SqlEditor& editor = panel.editor();
    editor.selectAll();
    editor.insertPlainText(QStringLiteral(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"));
    QTest::keyClick(&editor, Qt::Key_Return, Qt::ControlModifier);
    EXPECT_TRUE(panel.busy());
    EXPECT_TRUE(status().contains(QStringLiteral("Running")));
    driver.trigger(QStringLiteral("Stop Query"));
    waitForAnswer();
    EXPECT_TRUE(status().contains(QStringLiteral("cancelled"))) << status().toStdString();
    ask(QStringLiteral("SELECT 7"));
    EXPECT_EQ(cell(0, 0), QStringLiteral("7")) << "the tables are still there";
}

TEST_F(SqlPanelTest, CompletesTablesAndColumns) {
    openSample();
    SqlEditor& editor = panel.editor();
    editor.setFocus();
    editor.selectAll();
    QTest::keyClicks(&editor, QStringLiteral("select * from eve"));
    QAbstractItemView* const popup = editor.completions().popup();
    ASSERT_TRUE(QTest::qWaitFor([&] { return popup->isVisible(); }));
    EXPECT_EQ(popup->currentIndex().data().toString(), QStringLiteral("events"));
    QTest::keyClick(popup, Qt::Key_Return);
    EXPECT_EQ(editor.toPlainText(), QStringLiteral("select * from events"));
    QTest::keyClicks(&editor, QStringLiteral(" e where e.p5"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return popup->isVisible(); }));
    EXPECT_EQ(popup->currentIndex().data().toString(), QStringLiteral("p50")) << "columns of the alias";
    popup->hide();
}

TEST_F(SqlPanelTest, DoubleClickSelectsTheOperatorOfARow) {
    openSample();
    ask(QStringLiteral("SELECT name, event FROM events WHERE name = 'DELEGATE_CALL'"));
    ASSERT_EQ(panel.model().rowCount(), 1);
    auto* const table = panel.findChild<QTableView*>(QStringLiteral("answer"));
    const QPoint place = table->visualRect(panel.model().index(0, 1)).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, place);
    ASSERT_NE(driver.window().selection().currentEvent(), nullptr);
    EXPECT_EQ(driver.window().selection().currentEvent()->name, "DELEGATE_CALL");
}

TEST_F(SqlPanelTest, ChartsANumericColumn) {
    openSample();
    ask(QStringLiteral("SELECT 'one' AS name, 1 AS n UNION ALL SELECT 'three', 3"));
    panel.findChild<QTabWidget*>()->setCurrentIndex(1);
    QTest::qWait(0);
    auto* const chart = panel.findChild<visualizers::AnswerChart*>();
    EXPECT_EQ(chart->column(), 1);
    const QImage picture = chart->grab().toImage();
    const QRgb bar = chart->palette().color(QPalette::Highlight).rgb();
    const auto barOf = [&](int y) {
        int pixels = 0;
        for (int x = 0; x < picture.width(); ++x) {
            pixels += picture.pixel(x, y) == bar ? 1 : 0;
        }
        return pixels;
    };
    const int row = chart->fontMetrics().height() + 6;
    EXPECT_GT(barOf(10 + row / 2), 20);
    EXPECT_NEAR(barOf(10 + row + row / 2), 3 * barOf(10 + row / 2), 6);
}

TEST_F(SqlPanelTest, CopyMatchesTheCommandLine) {
    openSample();
    ask(QStringLiteral("SELECT 1 AS a, 'x' AS b"));
    driver.trigger(QStringLiteral("Copy Result as TSV"));
    EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("a\tb\n1\tx\n"));
    driver.trigger(QStringLiteral("Copy Result as Markdown"));
    EXPECT_TRUE(QApplication::clipboard()->text().contains(QStringLiteral("| x")));
}

TEST_F(SqlPanelTest, SeesUnsavedNotes) {
    openSample();
    ask(QStringLiteral("SELECT count(*) FROM notes"));
    EXPECT_EQ(cell(0, 0), QStringLiteral("0"));
    driver.press(Qt::Key_N, Qt::ControlModifier | Qt::AltModifier);
    auto* const note = driver.window().findChild<QPlainTextEdit*>(QStringLiteral("noteText"));
    QTest::keyClicks(note, QStringLiteral("look here"));
    driver.enterPanel(QStringLiteral("SQL"));
    ask(QStringLiteral("SELECT text FROM notes"));
    ASSERT_EQ(panel.model().rowCount(), 1);
    EXPECT_EQ(cell(0, 0), QStringLiteral("look here"));
}

TEST_F(SqlPanelTest, RemembersQueries) {
    openSample();
    ask(QStringLiteral("SELECT 1"));
    ask(QStringLiteral("SELECT 2"));
    EXPECT_EQ(driver.store().value(QStringLiteral("sql/history")).toStringList().mid(0, 2),
              (QStringList{QStringLiteral("SELECT 2"), QStringLiteral("SELECT 1")}));
}

TEST_F(SqlPanelTest, TakesItsPicture) {
    ET_NEEDS_SHARED_DATA();
    const auto data = sharedData();
    driver.window().resize(1400, 860);
    driver.open({data / "traces/mobilenet_v2_small_portable/trace.etdp",
                 data / "programs/mobilenet_v2_small/portable.etrecord",
                 data / "programs/mobilenet_v2_small/portable.bpte"});
    driver.enterPanel(QStringLiteral("SQL"));
    panel.findChild<QTreeWidget*>(QStringLiteral("sqlTables"))->topLevelItem(0)->setExpanded(true);
    ask(QStringLiteral(
        "SELECT op_types, count(*) AS events, sum(self) AS time\nFROM events\nWHERE op_types IS NOT "
        "NULL\nGROUP BY op_types\nORDER BY time DESC"));
    EXPECT_GT(panel.model().rowCount(), 5);
    takePictures(driver, "sql");
    panel.findChild<QTabWidget*>()->setCurrentIndex(1);
    auto* const column = panel.findChild<QComboBox*>(QStringLiteral("chartColumn"));
    chooseItem(*column, 1);
    QTest::qWait(0);
    takePictures(driver, "sql_chart");
}

}  // namespace

}  // namespace et::test
