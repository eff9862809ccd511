// Tests of opening and saving files through the dialogs of the window, by keyboard and mouse.
#include "app/studio/file_dialog.h"

#include "app/studio/compare/compare_panel.h"
#include "app/studio/export_menu.h"
#include "app/studio/panel_area.h"
#include "app/studio/session_saver.h"
#include "app/studio/trend/trend_panel.h"
#include "inspector/store/session_store.h"
#include "inspector/store/trend_store.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/compare/comparison_table.h"

#include <QAction>
#include <QDir>
#include <QImage>
#include <QLineEdit>
#include <QSettings>
#include <QTest>
#include <QWidget>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::test {

namespace {

namespace fs = std::filesystem;

class FileDialogTest : public StudioTest {
  protected:
    [[nodiscard]] const inspector::Session* session() { return driver.window().opened().session().get(); }
    [[nodiscard]] fs::path makeFolder(const char* name) const {
        fs::create_directories(folder() / name);
        return folder() / name;
    }
    [[nodiscard]] fs::path writeIn(const char* place, const char* name, std::size_t runs) const {
        return write((makeFolder(place) / name).string(), smallTrace(runs));
    }
    void pressOpen() { driver.press(Qt::Key_O, Qt::ControlModifier); }
    void pressOpenBeside() { driver.press(Qt::Key_O, Qt::ControlModifier | Qt::AltModifier); }
    void pressSave() { driver.press(Qt::Key_S, Qt::ControlModifier); }
    void pressSaveAs() { driver.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier); }
    void waitUntilSaved() {
        EXPECT_TRUE(QTest::qWaitFor([this] { return !driver.window().saver().busy(); }, 30'000));
    }
    /// Opens the dialog of an item in File > Export.
    void askForExport(const char* id) {
        for (QAction* const action : driver.window().findChild<studio::ExportMenu*>()->actions()) {
            if (action->data().toString() == QLatin1String(id)) {
                action->trigger();
            }
        }
    }
    void expectShown(const fs::path& trace) {
        ASSERT_NE(session(), nullptr);
        EXPECT_EQ(session()->files.trace, trace);
        EXPECT_TRUE(
            driver.window().windowTitle().startsWith(QString::fromStdString(trace.filename().string())))
            << driver.window().windowTitle().toStdString();
        EXPECT_TRUE(WindowDriver::onScreen(driver.window().area()));
        EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
    }
    /// The initial folder of the dialog on screen.
    [[nodiscard]] static fs::path folderOfDialog() {
        FileDialogDriver dialog;
        const fs::path place = dialog.folder();
        dialog.cancel();
        return place;
    }

    WindowDriver driver;
};

class FileDialogAcceptTest : public FileDialogTest, public testing::WithParamInterface<Accept> {};

TEST_P(FileDialogAcceptTest, OpenShowsTheFileInAnEmptyWindow) {
    const fs::path file = writeIn("traces", "small.etdp", 3);
    pressOpen();
    chooseInFileDialog(file, GetParam());
    driver.waitUntilIdle();
    expectShown(file);
}

TEST_P(FileDialogAcceptTest, OpenReplacesTheOpenSession) {
    driver.open({writeIn("traces", "small.etdp", 3)});
    const fs::path other = sample().trace;
    pressOpen();
    chooseInFileDialog(other, GetParam());
    driver.waitUntilIdle();
    expectShown(other);
}

TEST_P(FileDialogAcceptTest, OpenTakesSeveralFiles) {
    const inspector::SessionFiles files = sample();
    pressOpen();
    FileDialogDriver dialog;
    EXPECT_EQ(dialog.title(), QStringLiteral("Open Files"));
    dialog.choose({files.trace, files.record, files.debugBuffer}, GetParam());
    EXPECT_FALSE(dialog.isOpen());
    driver.waitUntilIdle();
    expectShown(files.trace);
    EXPECT_EQ(session()->files.record, files.record);
    EXPECT_EQ(session()->files.debugBuffer, files.debugBuffer);
}

INSTANTIATE_TEST_SUITE_P(ByMouseAndKeyboard, FileDialogAcceptTest,
                         testing::Values(Accept::Mouse, Accept::Enter),
                         [](const auto& how) { return how.param == Accept::Mouse ? "Mouse" : "Enter"; });

TEST_F(FileDialogTest, AddTraceKeepsTheOpenTrace) {
    const fs::path open = writeIn("traces", "a.etdp", 3);
    const fs::path other = writeIn("traces", "b.etdp", 5);
    driver.open({open});
    pressOpenBeside();
    chooseInFileDialog(other);
    driver.waitUntilIdle();
    expectShown(open);
    ASSERT_EQ(session()->others.size(), 1U);
    EXPECT_EQ(session()->others[0].files.trace, other);
}

TEST_F(FileDialogTest, CompareOpensASecondTrace) {
    driver.open({writeIn("traces", "a.etdp", 3)});
    const fs::path other = writeIn("traces", "b.etdp", 5);
    driver.enterPanel(QStringLiteral("Compare"));
    driver.press(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    chooseInFileDialog(other);
    driver.waitForComparison();
    EXPECT_NE(driver.compare().view().model().comparison(), nullptr);
    EXPECT_TRUE(session()->others.empty()) << "it is only compared";
}

TEST_F(FileDialogTest, TrendsOpensAStore) {
    const fs::path store = folder() / "team.db";
    ASSERT_TRUE(inspector::store::TrendStore::open(store));
    driver.enterPanel(QStringLiteral("Trend"));
    driver.trigger(QStringLiteral("Open Store…"));
    chooseInFileDialog(store);
    auto& panel = *driver.window().findChild<studio::TrendPanel*>();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !panel.busy(); }, 30'000));
    const QString place = QString::fromStdString(store.string());
    EXPECT_TRUE(std::ranges::any_of(panel.findChildren<QLineEdit*>(),
                                    [&](const QLineEdit* line) { return line->text() == place; }));
}

TEST_F(FileDialogTest, SaveSessionProposesANameAndWritesTheFile) {
    const fs::path trace = writeIn("traces", "small.etdp", 3);
    driver.open({trace});
    pressSave();
    {
        FileDialogDriver dialog;
        EXPECT_EQ(dialog.title(), QStringLiteral("Save Session"));
        EXPECT_EQ(dialog.name(), QStringLiteral("small.db"));
        dialog.choose(folder() / "mine");
        EXPECT_FALSE(dialog.isOpen());
    }
    waitUntilSaved();
    EXPECT_TRUE(inspector::store::isDatabase(folder() / "mine.db")) << "with its suffix";
    EXPECT_TRUE(driver.window().windowTitle().startsWith(QStringLiteral("mine.db")));
    pressSaveAs();
    EXPECT_EQ(folderOfDialog(), folder()) << "where it was saved last";
}

TEST_F(FileDialogTest, FileIsReplacedOnlyAfterConfirmation) {
    driver.open({writeIn("traces", "small.etdp", 3)});
    const fs::path file = write("there.db", std::string_view("precious"));
    pressSave();
    FileDialogDriver dialog;
    dialog.answerWith(QMessageBox::No);
    dialog.choose(file);
    ASSERT_EQ(dialog.questions().size(), 1);
    EXPECT_TRUE(dialog.isOpen());
    EXPECT_EQ(fs::file_size(file), 8U);
    dialog.answerWith(QMessageBox::Yes);
    dialog.choose(file, Accept::Enter);
    EXPECT_EQ(dialog.questions().size(), 2);
    EXPECT_FALSE(dialog.isOpen());
    waitUntilSaved();
    EXPECT_TRUE(inspector::store::isDatabase(file));
}

TEST_F(FileDialogTest, AMissingFileIsNotOpened) {
    pressOpen();
    FileDialogDriver dialog;
    dialog.answerWith(QMessageBox::Ok);
    dialog.choose(folder() / "missing.etdp", Accept::Enter);
    EXPECT_EQ(dialog.questions().size(), 1);
    EXPECT_TRUE(dialog.isOpen());
    dialog.cancel();
    EXPECT_EQ(session(), nullptr);
}

TEST_F(FileDialogTest, ExportsAddTheSuffixOfTheChosenFilter) {
    driver.open(samplePaths());
    driver.enterPanel(QStringLiteral("Events"));
    askForExport("picture");
    chooseInFileDialog(folder() / "panel");
    EXPECT_FALSE(QImage(QString::fromStdString((folder() / "panel.png").string())).isNull());
    askForExport("picture");
    FileDialogDriver dialog;
    dialog.chooseFilter(1);
    dialog.choose(folder() / "panel");
    EXPECT_FALSE(dialog.isOpen());
    EXPECT_TRUE(fs::exists(folder() / "panel.svg"));
}

TEST_F(FileDialogTest, AnExportIsWrittenByTheCommandLine) {
    driver.open(samplePaths());
    askForExport("csv");
    chooseInFileDialog(folder() / "events.csv");
    auto* const menu = driver.window().findChild<studio::ExportMenu*>();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !menu->busy(); }, 30'000));
    EXPECT_TRUE(fs::exists(folder() / "events.csv"));
}

TEST_F(FileDialogTest, DialogsStartInTheFolderOfTheOpenFile) {
    const fs::path trace = writeIn("traces", "small.etdp", 3);
    driver.open({trace});
    driver.enterPanel(QStringLiteral("Compare"));
    pressOpen();
    EXPECT_EQ(folderOfDialog(), trace.parent_path());
    pressOpenBeside();
    EXPECT_EQ(folderOfDialog(), trace.parent_path());
    driver.press(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(folderOfDialog(), trace.parent_path()) << "the second trace";
    pressSave();
    EXPECT_EQ(folderOfDialog(), trace.parent_path());
    askForExport("csv");
    EXPECT_EQ(folderOfDialog(), trace.parent_path());
}

TEST_F(FileDialogTest, OpenFollowsTheOpenFile) {
    driver.open({writeIn("first", "a.etdp", 3)});
    const fs::path second = sample().trace;
    driver.drop({second});
    pressOpen();
    EXPECT_EQ(folderOfDialog(), second.parent_path());
    driver.press(Qt::Key_W, Qt::ControlModifier);
    pressOpen();
    EXPECT_EQ(folderOfDialog(), second.parent_path()) << "the last folder, when nothing is open";
}

TEST_F(FileDialogTest, ASessionFileIsTheOpenFile) {
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", QByteArray::fromStdString((folder() / "cache").string()));
    driver.open({writeIn("traces", "small.etdp", 3)});
    const fs::path saved = makeFolder("sessions") / "mine.db";
    pressSave();
    chooseInFileDialog(saved);
    waitUntilSaved();
    driver.open({saved});
    pressOpen();
    EXPECT_EQ(folderOfDialog(), saved.parent_path());
    qputenv("XDG_CACHE_HOME", before);
}

TEST_F(FileDialogTest, SkipsMissingFolder) {
    const fs::path trace = writeIn("traces", "small.etdp", 3);
    driver.open({trace});
    driver.store().setValue(QStringLiteral("export/folder"),
                            QString::fromStdString((folder() / "gone").string()));
    askForExport("csv");
    EXPECT_EQ(folderOfDialog(), trace.parent_path());
    const fs::path other = makeFolder("exports");
    askForExport("picture");
    chooseInFileDialog(other / "panel.png");
    askForExport("csv");
    EXPECT_EQ(folderOfDialog(), other) << "its own folder comes first";
}

TEST_F(FileDialogTest, FilesOfARunDoNotMoveTheFolder) {
    const auto remembered = [this] {
        return driver.store().value(QStringLiteral("window/folder")).toString();
    };
    const QString ofRun = QDir::tempPath() + QStringLiteral("/et-studio-abc");
    const std::vector<fs::path> open{(ofRun + QStringLiteral("/trace.etdp")).toStdString(),
                                     "/models/net.pte"};
    studio::rememberOpenFolder(driver.store(), open);
    EXPECT_EQ(remembered(), QStringLiteral("/models"));
    studio::rememberOpenFolder(driver.store(), {open.front()});
    EXPECT_EQ(remembered(), ofRun) << "there is no other";
}

TEST_F(FileDialogTest, NothingHappensAfterCancel) {
    const fs::path trace = writeIn("traces", "small.etdp", 3);
    driver.open({trace});
    const auto* const before = session();
    const auto cancel = [&](const fs::path& typed) {
        FileDialogDriver dialog;
        dialog.cancel();
        driver.waitUntilIdle();
        EXPECT_EQ(session(), before);
        EXPECT_FALSE(fs::exists(typed));
        EXPECT_TRUE(driver.errors().isEmpty());
    };
    pressOpen();
    cancel({});
    pressOpenBeside();
    cancel({});
    pressSave();
    cancel(trace.parent_path() / "small.db");
    askForExport("csv");
    cancel(trace.parent_path() / "small.csv");
    EXPECT_FALSE(driver.window().saver().busy());
    EXPECT_FALSE(driver.store().contains(QStringLiteral("session/folder")));
    EXPECT_FALSE(driver.store().contains(QStringLiteral("export/folder")));
}

TEST_F(FileDialogTest, NothingIsCalledAfterItsReceiverIsDeleted) {
    const fs::path file = write("a.txt", std::string_view("a"));
    auto receiver = std::make_unique<QObject>();
    int calls = 0;
    const auto count = [&calls](const fs::path&) { ++calls; };
    const auto ask = [&] {
        studio::chooseFileToOpen(&driver.window(), driver.store(),
                                 {.title = QStringLiteral("Choose"), .receiver = receiver.get()}, count);
    };
    ask();
    chooseInFileDialog(file);
    EXPECT_EQ(calls, 1);
    ask();
    receiver.reset();
    chooseInFileDialog(file);
    EXPECT_EQ(calls, 1);
}

TEST_F(FileDialogTest, ADialogIsDeletedWithItsParent) {
    auto parent = std::make_unique<QWidget>();
    studio::chooseFolder(parent.get(), driver.store(), {.title = QStringLiteral("Choose")},
                         [](const fs::path&) { ADD_FAILURE() << "nothing was chosen"; });
    const FileDialogDriver dialog;
    EXPECT_TRUE(dialog.isOpen());
    parent.reset();
    EXPECT_FALSE(dialog.isOpen());
}

}  // namespace

}  // namespace et::test
