// Tests of the window: opening, dropping, selecting, reloading, and error messages for invalid files.
#include "app/studio/main_window.h"

#include "app/studio/export_menu.h"
#include "app/studio/notice_bar.h"
#include "app/studio/overview/overview_panel.h"
#include "etdump/writer.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/events/event_view.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTextBrowser>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace et::test {

namespace {

using visualizers::EventModel;

visualizers::EventView& eventsOf(const studio::MainWindow& window) {
    return *window.findChild<visualizers::EventView*>();
}

class MainWindowTest : public StudioTest {
  protected:
    [[nodiscard]] QString label(const QString& name) {
        return driver.window().findChild<QLabel*>(name)->text();
    }
    WindowDriver driver;
};

TEST_F(MainWindowTest, ShowsInstructionsWithoutFiles) {
    EXPECT_FALSE(WindowDriver::onScreen(driver.table()));
    bool found = false;
    for (const QLabel* const text : driver.window().findChildren<QLabel*>()) {
        found |= text->isVisible() && text->text().contains(QStringLiteral("Drop files here"));
    }
    EXPECT_TRUE(found);
    EXPECT_EQ(driver.window().windowTitle(), QStringLiteral("et-studio"));
}

TEST_F(MainWindowTest, OpensDroppedFiles) {
    driver.drop(samplePaths());
    EXPECT_TRUE(driver.errors().isEmpty());
    EXPECT_TRUE(WindowDriver::onScreen(driver.table()));
    EXPECT_TRUE(driver.window().windowTitle().contains(QStringLiteral("conv_net.etdp")));
    EXPECT_TRUE(label(QStringLiteral("figures")).contains(QStringLiteral("Inference")));
    EXPECT_TRUE(label(QStringLiteral("figures")).contains(QStringLiteral(" runs")));
}

TEST_F(MainWindowTest, ARecordDroppedLaterJoinsTheTrace) {
    const inspector::SessionFiles files = sample();
    driver.open({files.trace});
    EXPECT_EQ(driver.window().opened().session()->record, nullptr);
    driver.drop({files.record});
    ASSERT_TRUE(driver.window().opened().session());
    EXPECT_TRUE(driver.window().opened().session()->record);
    EXPECT_TRUE(driver.window().opened().blocks());
}

TEST_F(MainWindowTest, RecordWithoutTraceRequestsItsTrace) {
    driver.open({sample().record});
    EXPECT_FALSE(WindowDriver::onScreen(driver.table()));
    driver.enterPerspective("overview");
    const auto* const overview = driver.window().findChild<studio::OverviewPanel*>();
    EXPECT_TRUE(WindowDriver::onScreen(*overview));
    EXPECT_TRUE(
        driver.waitForText([overview] { return overview->plainText(); }, QStringLiteral("A trace (.etdp)")));
}

TEST_F(MainWindowTest, BrokenFileGivesOneLineAndKeepsTheSession) {
    driver.open(samplePaths());
    const TextTable before = driver.shown();
    const std::vector<std::byte> whole = smallTrace(2);
    driver.drop({write("cut.etdp", std::vector(whole.begin(), whole.begin() + 60))});
    ASSERT_EQ(driver.errors().size(), 1);
    EXPECT_TRUE(driver.errors().first().contains(QStringLiteral("cut.etdp")));
    EXPECT_EQ(driver.shown(), before);
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr) << "nothing blocks";
    driver.open(samplePaths());
    EXPECT_TRUE(driver.errors().isEmpty()) << "a good set clears the line";
}

TEST_F(MainWindowTest, AnUnknownFileIsNamed) {
    driver.drop({write("letter.rtf", "dear model")});
    ASSERT_EQ(driver.errors().size(), 1);
    EXPECT_TRUE(driver.errors().first().contains(QStringLiteral("letter.rtf")));
    EXPECT_EQ(driver.window().opened().session(), nullptr);
}

TEST_F(MainWindowTest, ARecordOfAnotherModelIsWarnedOf) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("native_call_unheard_of.out", {.instruction = 900, .chain = 0}, 1, 5);
    writer.profile("OPERATOR_CALL", {.instruction = 900, .chain = 0}, 1, 6);
    writer.profile("Method::execute", {.instruction = 0}, 0, 9);
    driver.open({write("other.etdp", writer.finish().value()), sample().record});
    ASSERT_TRUE(driver.window().opened().blocks());
    ASSERT_FALSE(driver.warnings().isEmpty());
    EXPECT_EQ(driver.warnings().size(), driver.window().opened().blocks()->warnings().size());
}

TEST_F(MainWindowTest, SelectingARowShowsItsDetails) {
    driver.open(samplePaths());
    driver.typeFilter(QStringLiteral("softmax"));
    driver.clickEvent(0);
    ASSERT_TRUE(driver.window().selection().currentEvent());
    EXPECT_TRUE(driver.details().contains(QStringLiteral("softmax")));
    EXPECT_TRUE(driver.details().contains(QStringLiteral("Python stack")));
    driver.press(Qt::Key_F, Qt::ControlModifier);
    EXPECT_TRUE(driver.events().filterBox().hasFocus());
}

TEST_F(MainWindowTest, ReloadingAndUnitsKeepRowAndFilter) {
    driver.open(samplePaths());
    driver.typeFilter(QStringLiteral("conv"));
    driver.clickEvent(1);
    const auto chosen = driver.window().selection().current();
    const auto before = driver.window().opened().session();
    ASSERT_TRUE(chosen);
    driver.press(Qt::Key_F5);
    driver.waitUntilIdle();
    EXPECT_NE(driver.window().opened().session(), before);
    EXPECT_EQ(driver.window().selection().current(), chosen);
    driver.trigger(QStringLiteral("us"));
    driver.waitUntilIdle();
    EXPECT_EQ(driver.window().selection().current(), chosen);
    EXPECT_EQ(driver.events().filterBox().text(), QStringLiteral("conv"));
    EXPECT_EQ(
        driver.table().currentIndex().data(visualizers::EventModel::ReportRole).toString().toStdString(),
        driver.window().selection().currentEvent()->name);
}

TEST_F(MainWindowTest, EventsWithoutATraceNameTheMissingFile) {
    const auto* const hint = driver.window().findChild<QLabel*>(QStringLiteral("eventsHint"));
    ASSERT_NE(hint, nullptr);
    const auto paths = runSamplePaths();
    driver.open({*std::ranges::find(paths, ".pte", &std::filesystem::path::extension)});
    driver.enterPanel(QStringLiteral("Events"));
    EXPECT_TRUE(WindowDriver::onScreen(*hint));
    EXPECT_TRUE(hint->text().contains(QStringLiteral("Open a trace (.etdp)")));
    driver.open(samplePaths());
    EXPECT_FALSE(WindowDriver::onScreen(*hint));
}

TEST_F(MainWindowTest, CloseReturnsToTheEmptyPage) {
    driver.open(samplePaths());
    const auto* const exports = driver.window().findChild<studio::ExportMenu*>();
    EXPECT_TRUE(exports->menuAction()->isEnabled());
    driver.press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_FALSE(WindowDriver::onScreen(driver.table()));
    EXPECT_FALSE(exports->menuAction()->isEnabled()) << "nothing to export";
    EXPECT_EQ(driver.window().opened().session(), nullptr);
}

TEST_F(MainWindowTest, KeysSheetListsTheShortcuts) {
    driver.open(samplePaths());
    driver.table().setFocus();
    driver.press(Qt::Key_Question);
    const auto* const sheet = driver.window().findChild<QDialog*>(QStringLiteral("keys"));
    ASSERT_NE(sheet, nullptr);
    EXPECT_TRUE(sheet->isVisible());
    EXPECT_FALSE(sheet->isModal());
    EXPECT_LE(sheet->height(), driver.window().height()) << "more keys than lines: it scrolls";
    const QString text = sheet->findChild<QTextBrowser*>()->toPlainText();
    for (const char* const key : {"Ctrl+O", "Ctrl+F", "Ctrl+C", "F5", "?"}) {
        EXPECT_TRUE(text.contains(QLatin1String(key))) << key;
    }
}

TEST_F(MainWindowTest, KeysOfThePanelInFrontComeFirstAndCanBeFound) {
    driver.open(samplePaths());
    for (const char* const panel : {"Timeline", "Memory"}) {
        driver.enterPanel(QLatin1String(panel));
        driver.trigger(QStringLiteral("Keys"));
        auto* const sheet = driver.window().findChild<QDialog*>(QStringLiteral("keys"));
        ASSERT_NE(sheet, nullptr);
        auto* const text = sheet->findChild<QTextBrowser*>();
        const QString heading = QStringLiteral("View › Panels › In ") + QLatin1String(panel);
        EXPECT_TRUE(text->toPlainText().trimmed().startsWith(heading)) << text->toPlainText().toStdString();
        sheet->findChild<QLineEdit*>()->setText(QStringLiteral("find command"));
        EXPECT_TRUE(text->toPlainText().contains(QStringLiteral("Ctrl+Shift+P")));
        EXPECT_FALSE(text->toPlainText().contains(heading)) << "what is not asked for";
        delete sheet;
    }
}

TEST_F(MainWindowTest, RemembersColumns) {
    QTemporaryDir place;
    QSettings settings(place.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    {
        studio::MainWindow first(settings);
        first.show();
        eventsOf(first).table().setColumnHidden(EventModel::Source, false);
        first.close();
    }
    studio::MainWindow second(settings);
    EXPECT_FALSE(eventsOf(second).table().isColumnHidden(EventModel::Source));
}

TEST_F(MainWindowTest, IgnoresDamagedSettings) {
    QTemporaryDir place;
    QSettings settings(place.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    settings.setValue(QStringLiteral("panels/events"), QByteArray("no state at all"));
    settings.setValue(QStringLiteral("window/geometry"), QByteArray("nor here"));
    settings.setValue(QStringLiteral("panels/layout"), QByteArray("nor there"));
    settings.setValue(QStringLiteral("window/appearance"), QStringLiteral("plaid"));
    settings.setValue(QStringLiteral("recent/size"), 1'000'000'000);
    studio::MainWindow window(settings);
    window.show();
    EXPECT_FALSE(eventsOf(window).table().isColumnHidden(EventModel::P50));
}

TEST_F(MainWindowTest, TakesItsPicture) {
    driver.window().resize(1280, 720);
    driver.open(samplePaths());
    driver.clickEvent(3);
    takePictures(driver, "events");
}

}  // namespace

}  // namespace et::test
