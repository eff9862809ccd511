// Tests of saving and opening sessions.
#include "app/studio/session_saver.h"

#include "app/studio/notes/notes_panel.h"
#include "app/studio/session_archive.h"
#include "app/studio/verify/verify_panel.h"
#include "inspector/store/session_store.h"
#include "tests/studio/bundles.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"
#include "visualizers/notes/note_model.h"

#include <QAction>
#include <QLabel>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace et::test {

namespace {

namespace fs = std::filesystem;
using inspector::store::SessionStore;

class SessionSaverTest : public StudioTest {
  protected:
    SessionSaverTest() {
        before = qgetenv("XDG_CACHE_HOME");
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString((folder() / "cache").string()));
    }
    ~SessionSaverTest() override { qputenv("XDG_CACHE_HOME", before); }

    /// Saves with File > Save Session As.
    fs::path save(const char* name = "saved.db") {
        const fs::path path = folder() / name;
        driver.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        chooseInFileDialog(path);
        EXPECT_TRUE(QTest::qWaitFor([this] { return !driver.window().saver().busy(); }, 30'000));
        return path;
    }

    WindowDriver driver;
    QByteArray before;
};

TEST_F(SessionSaverTest, NothingOpenIsNothingToSave) {
    EXPECT_FALSE(driver.window().saver().action()->isEnabled());
    driver.open(samplePaths());
    EXPECT_TRUE(driver.window().saver().action()->isEnabled());
}

TEST_F(SessionSaverTest, SavedSessionOpensUnchanged) {
    driver.open(samplePaths());
    const TextTable shown = driver.shown();
    const fs::path path = save();
    ASSERT_TRUE(SessionStore::open(path)) << SessionStore::open(path).error().toString();
    driver.trigger(QStringLiteral("Close"));
    for (const fs::path& original : samplePaths()) {
        fs::remove(original);
    }
    driver.drop({path});
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
    EXPECT_EQ(driver.shown(), shown);
    EXPECT_EQ(driver.window().opened().session()->files.trace.parent_path(), studio::archiveFolder(path));
    EXPECT_EQ(driver.window().saver().archive(), path);
}

TEST_F(SessionSaverTest, SavingAgainKeepsNotes) {
    driver.open(samplePaths());
    const fs::path first = save();
    ASSERT_TRUE(inspector::store::addNote(first, {.text = "look here", .method = "forward"}));
    driver.open({first});
    const fs::path again = save("again.db");
    const auto store = SessionStore::open(again);
    ASSERT_TRUE(store) << store.error().toString();
    ASSERT_EQ(store->notes()->size(), 1U);
    EXPECT_EQ(store->notes()->front().text, "look here");
    EXPECT_FALSE(store->layout()->empty());
}

TEST_F(SessionSaverTest, NotesThatOthersAddMeanwhileStay) {
    driver.open(samplePaths());
    const fs::path path = save();
    ASSERT_TRUE(inspector::store::addNote(path, {.text = "before"}));
    driver.open({path});
    auto* const list = driver.window().findChild<studio::NotesPanel*>()->list().model();
    auto& notes = *qobject_cast<visualizers::NoteModel*>(list);
    notes.remove(0);
    notes.add({.text = "here"});
    ASSERT_TRUE(inspector::store::addNote(path, {.text = "meanwhile"}));
    save();
    const auto texts = [](const std::vector<inspector::store::Note>& all) {
        std::vector<std::string> list;
        std::ranges::transform(all, std::back_inserter(list), &inspector::store::Note::text);
        return list;
    };
    const std::vector<std::string> expected{"here", "meanwhile"};
    EXPECT_EQ(texts(SessionStore::open(path)->notes().value()), expected);
    EXPECT_EQ(texts(notes.notes()), expected);
    EXPECT_FALSE(notes.modified());
    notes.remove(1);
    save();
    EXPECT_EQ(texts(SessionStore::open(path)->notes().value()), std::vector<std::string>{"here"});
}

TEST_F(SessionSaverTest, VerdictsOfTestsComeBack) {
    const fs::path bundle = write("model.bpte", makeBundle({Expectation::Right, Expectation::Wrong}));
    driver.open({bundle});
    driver.enterPanel(QStringLiteral("Verify"));
    driver.tests().tree().setFocus();
    driver.press(Qt::Key_F9);
    driver.waitForTests();
    const fs::path path = save();
    const auto store = SessionStore::open(path);
    ASSERT_TRUE(store) << store.error().toString();
    ASSERT_EQ(store->verdicts()->size(), 2U);
    EXPECT_EQ((*store->verdicts())[1].verdict, bundled_program::Verdict::Fail);
    driver.trigger(QStringLiteral("Close"));
    driver.open({path});
    visualizers::TestModel& model = driver.tests().model();
    EXPECT_EQ(model.state({0, 0}), visualizers::TestState::Pass);
    EXPECT_EQ(model.state({0, 1}), visualizers::TestState::Fail);
    ASSERT_NE(model.comparison({0, 1}, 0), nullptr);
    EXPECT_EQ(model.comparison({0, 1}, 0)->mismatches, 1U);
    const auto* const summary = driver.tests().findChild<QLabel*>(QStringLiteral("testSummary"));
    EXPECT_TRUE(summary->text().contains(QStringLiteral("from the session")))
        << summary->text().toStdString();
    driver.enterPanel(QStringLiteral("Verify"));
    driver.tests().tree().setFocus();
    driver.press(Qt::Key_F9);
    driver.waitForTests();
    EXPECT_FALSE(summary->text().contains(QStringLiteral("from the session"))) << "they ran here";
    EXPECT_EQ(model.state({0, 1}), visualizers::TestState::Fail);
}

TEST_F(SessionSaverTest, ReportsSaveErrors) {
    driver.open(samplePaths());
    save("no/such/folder.db");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !driver.errors().isEmpty(); }, 30'000));
    EXPECT_TRUE(driver.errors().front().contains(QStringLiteral("cannot create")))
        << driver.errors().front().toStdString();
}

TEST_F(SessionSaverTest, ReportsInvalidSessionFile) {
    driver.open({write("bad.db", std::string("SQLite format 3\0 and nothing", 28))});
    ASSERT_EQ(driver.errors().size(), 1);
    EXPECT_TRUE(driver.errors().front().contains(QStringLiteral("bad.db")));
    EXPECT_EQ(driver.window().opened().session(), nullptr);
}

}  // namespace

}  // namespace et::test
