// Tests of the window before files are opened, and of its exports.
#include "app/studio/empty_page.h"
#include "app/studio/export_menu.h"
#include "app/studio/main_window.h"
#include "app/studio/notes/notes_panel.h"
#include "app/studio/notice_bar.h"
#include "app/studio/panel_area.h"
#include "app/studio/session_saver.h"
#include "app/studio/tours.h"
#include "tests/studio/clicks.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/no_browser.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/notes/note_model.h"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace et::test {
namespace {

constexpr int processMs = 30'000;

class WelcomeTest : public StudioTest {
  protected:
    WelcomeTest() { driver.useProgram(ET_INSPECT_PROGRAM); }
    [[nodiscard]] studio::EmptyPage& page() { return *driver.window().findChild<studio::EmptyPage*>(); }
    [[nodiscard]] QString written(const QString& id, const std::filesystem::path& file) {
        auto* const menu = driver.window().findChild<studio::ExportMenu*>();
        QSignalSpy ended(menu, &studio::ExportMenu::ended);
        for (QAction* const action : menu->actions()) {
            if (action->data().toString() == id) {
                action->trigger();
            }
        }
        chooseInFileDialog(file);
        EXPECT_TRUE(QTest::qWaitFor([&] { return !ended.isEmpty(); }, processMs));
        EXPECT_EQ(ended.value(0).value(0).toString(), QString());
        QFile content(QString::fromStdString(file.string()));
        EXPECT_TRUE(content.open(QIODevice::ReadOnly)) << file;
        return QString::fromUtf8(content.readAll());
    }

    WindowDriver driver;
};

TEST_F(WelcomeTest, OffersRecentFiles) {
    driver.open(samplePaths());
    driver.press(Qt::Key_W, Qt::ControlModifier);
    bool found = false;
    for (QLabel* const label : page().findChildren<QLabel*>()) {
        if (label->text().contains(QStringLiteral("recent:0"))) {
            found = true;
            EXPECT_TRUE(WindowDriver::onScreen(*label));
            EXPECT_TRUE(clickLink(*label, QStringLiteral("recent:0")));
        }
    }
    ASSERT_TRUE(found);
    driver.waitUntilIdle();
    EXPECT_NE(driver.window().opened().session(), nullptr);
}

TEST_F(WelcomeTest, ATourRunsOnASample) {
    ASSERT_TRUE(clickLinkIn(page(), QStringLiteral("tour:2")));
    ASSERT_TRUE(QTest::qWaitFor([this] { return driver.window().opened().session() != nullptr; }, processMs));
    driver.waitUntilIdle();
    auto* const bar = driver.window().findChild<studio::TourBar*>();
    ASSERT_TRUE(WindowDriver::onScreen(*bar));
    EXPECT_STREQ(driver.window().area().perspective().id, "memory");
    const auto buttons = bar->findChildren<QPushButton*>();
    QTest::mouseClick(buttons.at(1), Qt::LeftButton);
    EXPECT_STREQ(driver.window().area().perspective().id, "run");
    QTest::mouseClick(buttons.at(1), Qt::LeftButton);
    QTest::mouseClick(buttons.at(1), Qt::LeftButton);
    EXPECT_FALSE(bar->isVisible()) << "the last step was done";
}

TEST_F(WelcomeTest, ShowsLoadingInsteadOfTheWelcomePage) {
    driver.window().open(samplePaths());
    for (const QPushButton* const button : page().findChildren<QPushButton*>()) {
        EXPECT_FALSE(button->isVisible()) << button->text().toStdString();
    }
    driver.waitUntilIdle();
    driver.press(Qt::Key_W, Qt::ControlModifier);
    EXPECT_TRUE(page().findChildren<QPushButton*>().first()->isVisible());
}

TEST_F(WelcomeTest, ExportsMatchTheCommandLine) {
    driver.open(samplePaths());
    EXPECT_TRUE(
        written(QStringLiteral("perfetto"), folder() / "trace.json").contains(QStringLiteral("traceEvents")));
    EXPECT_TRUE(written(QStringLiteral("report"), folder() / "report.html")
                    .contains(QStringLiteral("<!doctype html"), Qt::CaseInsensitive));
    EXPECT_TRUE(
        written(QStringLiteral("csv"), folder() / "events.csv").contains(QStringLiteral("event_name")));
}

TEST_F(WelcomeTest, ASavedReportOpensByAButton) {
    const NoBrowser opened;
    driver.open(samplePaths());
    const std::filesystem::path file = folder() / "report.html";
    EXPECT_FALSE(written(QStringLiteral("report"), file).isEmpty());
    QPushButton* open = nullptr;
    for (QPushButton* const each : driver.window().notices().findChildren<QPushButton*>()) {
        open = each->text() == QStringLiteral("Open") ? each : open;
    }
    ASSERT_NE(open, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return WindowDriver::onScreen(*open); }, processMs));
    QTest::mouseClick(open, Qt::LeftButton);
    EXPECT_EQ(opened.last().toLocalFile().toStdString(), file.string());
}

TEST_F(WelcomeTest, ReportsContainUnsavedNotes) {
    driver.open(samplePaths());
    auto* const list = driver.window().findChild<studio::NotesPanel*>()->list().model();
    qobject_cast<visualizers::NoteModel*>(list)->add({.text = "look at this softmax"});
    EXPECT_TRUE(written(QStringLiteral("report"), folder() / "report.html")
                    .contains(QStringLiteral("look at this softmax")));
}

TEST_F(WelcomeTest, CommandLinesAreQuotedForAShell) {
    EXPECT_EQ(studio::ExportMenu::commandLine(
                  {QStringLiteral("report"), QStringLiteral("a b.pte"), QStringLiteral("it's")})
                  .toStdString(),
              R"(et-inspect report 'a b.pte' 'it'\''s')");
}

TEST_F(WelcomeTest, PanelsDoNotWidenASmallWindow) {
    driver.open(runSamplePaths());
    driver.window().resize(1024, 700);
    for (const studio::Perspective& each : studio::perspectives()) {
        driver.enterPerspective(each.id);
        QTest::qWait(0);
        EXPECT_EQ(driver.window().size(), QSize(1024, 700)) << each.id;
    }
}

TEST_F(WelcomeTest, TheTitleNamesTheSession) {
    driver.open(samplePaths());
    EXPECT_TRUE(driver.window().windowTitle().contains(QStringLiteral(".etdp")));
    const std::filesystem::path file = folder() / "my_model.db";
    QSignalSpy saved(&driver.window().saver(), &studio::SessionSaver::finished);
    driver.press(Qt::Key_S, Qt::ControlModifier);
    chooseInFileDialog(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !saved.isEmpty(); }, processMs));
    EXPECT_TRUE(driver.window().windowTitle().startsWith(QStringLiteral("my_model.db")))
        << driver.window().windowTitle().toStdString();
}

}  // namespace
}  // namespace et::test
