// Tests of writing, saving and restoring notes.
#include "app/studio/notes/notes_panel.h"

#include "app/studio/graph/graph_panel.h"
#include "app/studio/panel_area.h"
#include "app/studio/session_saver.h"
#include "inspector/events/readable_name.h"
#include "inspector/store/session_store.h"
#include "tests/studio/file_dialog_driver.h"
#include "tests/studio/pictures.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "visualizers/events/event_model.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/notes/note_target.h"

#include <QAbstractItemModelTester>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace et::test {

namespace {

namespace fs = std::filesystem;
using inspector::store::SessionStore;
using visualizers::NoteModel;

class NotesPanelTest : public StudioTest {
  protected:
    NotesPanelTest() : panel(*driver.window().findChild<studio::NotesPanel*>()) {
        before = qgetenv("XDG_CACHE_HOME");
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString((folder() / "cache").string()));
    }
    ~NotesPanelTest() override { qputenv("XDG_CACHE_HOME", before); }

    [[nodiscard]] QString cell(int row, NoteModel::Column column) {
        return panel.list().model()->index(row, column).data().toString();
    }
    [[nodiscard]] int rows() { return panel.list().model()->rowCount(); }
    [[nodiscard]] visualizers::Selection& selection() { return driver.window().selection(); }

    /// Adds a note with the keyboard.
    void write(const QString& text, Qt::KeyboardModifiers keys = Qt::ControlModifier | Qt::ShiftModifier) {
        driver.press(Qt::Key_N, keys);
        ASSERT_TRUE(QTest::qWaitFor([this] { return panel.editor().hasFocus(); }, 5'000));
        QTest::qWait(0);
        ASSERT_TRUE(panel.editor().hasFocus()) << "it stays there";
        QTest::keyClicks(&panel.editor(), text);
    }
    void clickNote(int row) {
        const QModelIndex index = panel.list().model()->index(row, 0);
        QTest::mouseClick(panel.list().viewport(), Qt::LeftButton, {},
                          panel.list().visualRect(index).center());
    }
    [[nodiscard]] fs::path save() {
        const fs::path path = folder() / "saved.db";
        driver.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        chooseInFileDialog(path);
        waitUntilSaved();
        return path;
    }
    void waitUntilSaved() {
        EXPECT_TRUE(QTest::qWaitFor([this] { return !driver.window().saver().busy(); }, 30'000));
    }
    [[nodiscard]] static std::vector<inspector::store::Note> notesIn(const fs::path& path) {
        const auto store = SessionStore::open(path);
        EXPECT_TRUE(store) << store.error().toString();
        return store->notes().value();
    }
    [[nodiscard]] QMessageBox* question() {
        return driver.window().findChild<QMessageBox*>(QStringLiteral("unsavedNotes"));
    }
    void answer(QMessageBox::StandardButton button) {
        ASSERT_NE(question(), nullptr);
        QTest::mouseClick(question()->button(button), Qt::LeftButton);
        QTest::qWait(0);
    }

    WindowDriver driver;
    studio::NotesPanel& panel;
    QByteArray before;
};

TEST_F(NotesPanelTest, TextsAreReadableInASmallWindow) {
    driver.window().resize(1280, 800);
    driver.open(samplePaths());
    driver.enterPerspective("time");
    write(QStringLiteral("a note"), Qt::ControlModifier | Qt::AltModifier);
    const auto& list = panel.list();
    const auto isReadable = [&] {
        const int left = list.columnViewportPosition(NoteModel::Text);
        return WindowDriver::onScreen(list) &&
               list.viewport()->width() - left >
                   list.fontMetrics().horizontalAdvance(QStringLiteral("a note with some words"));
    };
    EXPECT_TRUE(QTest::qWaitFor(isReadable, 30'000));
}

TEST_F(NotesPanelTest, ANoteToTheChoiceFromAnyPanel) {
    driver.open(samplePaths());
    const QAbstractItemModelTester tester(panel.list().model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    driver.enterPanel(QStringLiteral("Events"));
    driver.clickEvent(5);
    const inspector::Event* const event = selection().currentEvent();
    ASSERT_NE(event, nullptr);
    ASSERT_TRUE(selection().currentOperator());
    write(QStringLiteral("slow since Monday"));
    EXPECT_EQ(&driver.window().area().current(), &panel);
    ASSERT_EQ(rows(), 1);
    EXPECT_EQ(cell(0, NoteModel::Text), QStringLiteral("slow since Monday"));
    const std::string name = inspector::events::readableName(*selection().currentBlock(), *event);
    EXPECT_TRUE(cell(0, NoteModel::About).contains(QString::fromStdString(name)))
        << cell(0, NoteModel::About).toStdString();
    EXPECT_EQ(cell(0, NoteModel::Written).size(), 16) << "a time";
}

TEST_F(NotesPanelTest, MarkTheirOperatorInTheTableAndTheGraph) {
    driver.open(samplePaths());
    driver.enterPanel(QStringLiteral("Events"));
    driver.clickEvent(5);
    write(QStringLiteral("slow since Monday"));
    const auto marked = [this](int place) {
        const QModelIndex row = driver.eventRows().at(place).siblingAtColumn(visualizers::EventModel::Name);
        return !row.data(Qt::DecorationRole).value<QIcon>().isNull();
    };
    driver.enterPanel(QStringLiteral("Events"));
    EXPECT_TRUE(marked(5));
    EXPECT_FALSE(marked(4));
    const QModelIndex name = driver.eventRows().at(5).siblingAtColumn(visualizers::EventModel::Name);
    EXPECT_TRUE(name.data(Qt::ToolTipRole).toString().contains(QStringLiteral("slow since Monday")));

    driver.enterPanel(QStringLiteral("Graph"));
    auto& graph = *driver.window().findChild<studio::GraphPanel*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !graph.busy() && graph.canvas().scene(); }, 30'000));
    const auto boxes = [&] { return std::ranges::count(graph.canvas().marks().noted, true); };
    EXPECT_EQ(boxes(), 1);
    driver.enterPanel(QStringLiteral("Notes"));
    clickNote(0);
    QTest::keyClick(&panel.list(), Qt::Key_Delete);
    EXPECT_EQ(boxes(), 0);
    driver.enterPanel(QStringLiteral("Events"));
    EXPECT_FALSE(marked(5));
}

TEST_F(NotesPanelTest, SelectingANoteSelectsItsTarget) {
    driver.open(samplePaths());
    driver.enterPanel(QStringLiteral("Events"));
    driver.clickEvent(5);
    const auto event = selection().current();
    write(QStringLiteral("this one"));
    write(QStringLiteral("all of it"), Qt::ControlModifier | Qt::AltModifier);
    ASSERT_EQ(rows(), 2);
    EXPECT_EQ(cell(1, NoteModel::About), QStringLiteral("the session"));
    selection().setCurrent({});
    clickNote(1);
    EXPECT_FALSE(selection().current()) << "a note to the session chooses nothing";
    EXPECT_EQ(panel.editor().toPlainText(), QStringLiteral("all of it"));
    clickNote(0);
    EXPECT_EQ(selection().current(), event);
    EXPECT_EQ(panel.editor().toPlainText(), QStringLiteral("this one"));
    driver.press(Qt::Key_G);
    EXPECT_NE(&driver.window().area().current(), &panel) << "G goes where operators are";
}

TEST_F(NotesPanelTest, AHandleChosenByItselfIsNoted) {
    driver.open(samplePaths());
    const inspector::Event* named = nullptr;
    std::string method;
    for (const inspector::Block& block : driver.window().opened().blocks()->blocks()) {
        for (const inspector::Event& each : block.events) {
            if (named == nullptr && !each.handles.empty()) {
                named = &each;
                method = block.method;
            }
        }
    }
    ASSERT_NE(named, nullptr);
    selection().setHandles(method, {named->handles.front()});
    const inspector::store::Note note = noteTo(selection());
    EXPECT_EQ(note.debugHandle, named->handles.front());
    EXPECT_EQ(note.method, method);
    selection().setCurrent({});
    selectTarget(note, selection());
    ASSERT_FALSE(selection().currentHandles().empty());
    EXPECT_EQ(selection().currentHandles().front(), named->handles.front());
}

TEST_F(NotesPanelTest, EveryOperatorIsFoundAgain) {
    driver.open(samplePaths());
    const auto& blocks = driver.window().opened().blocks()->blocks();
    std::size_t byHandle = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        for (std::size_t j = 0; j < blocks[i].events.size(); ++j) {
            const visualizers::EventRef event{i, j};
            selection().setCurrent(event);
            if (!selection().currentOperator()) {
                continue;
            }
            const auto instruction = *selection().currentOperator();
            const inspector::store::Note note = noteTo(selection());
            selection().setCurrent({});
            selectTarget(note, selection());
            EXPECT_EQ(selection().currentOperator(), instruction) << blocks[i].events[j].name;
            if (note.debugHandle || blocks[i].events[j].delegated) {
                EXPECT_EQ(selection().current(), event) << blocks[i].events[j].name;
                ++byHandle;
            }
        }
    }
    EXPECT_GT(byHandle, 0U);
}

TEST_F(NotesPanelTest, ChangesAreUndone) {
    driver.open(samplePaths());
    write(QStringLiteral("one"));
    clickNote(0);
    QTest::keyClick(&panel.list(), Qt::Key_Delete);
    EXPECT_EQ(rows(), 0);
    EXPECT_FALSE(panel.editor().isEnabled());
    QTest::keyClick(&panel.list(), Qt::Key_Z, Qt::ControlModifier);
    ASSERT_EQ(rows(), 1);
    EXPECT_EQ(panel.editor().toPlainText(), QStringLiteral("one"));
    panel.editor().setFocus();
    QTest::keyClicks(&panel.editor(), QStringLiteral(" more"));
    EXPECT_EQ(cell(0, NoteModel::Text), QStringLiteral("one more"));
    QTest::keyClick(&panel.editor(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(cell(0, NoteModel::Text), QStringLiteral("one")) << "in the text too, and in one step";
    EXPECT_EQ(panel.editor().toPlainText(), QStringLiteral("one"));
    QTest::keyClick(&panel.editor(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(panel.editor().toPlainText(), QStringLiteral("one more"));
}

TEST_F(NotesPanelTest, AreSavedWithCtrlSAndReadBack) {
    driver.open(samplePaths());
    EXPECT_FALSE(driver.window().isWindowModified());
    driver.enterPanel(QStringLiteral("Events"));
    driver.clickEvent(5);
    write(QStringLiteral("first"));
    EXPECT_TRUE(driver.window().isWindowModified());
    EXPECT_TRUE(driver.window().windowTitle().contains(QStringLiteral("[*]")));
    const fs::path path = save();
    EXPECT_FALSE(driver.window().isWindowModified());
    const auto saved = notesIn(path);
    ASSERT_EQ(saved.size(), 1U);
    EXPECT_EQ(saved.front().text, "first");
    EXPECT_TRUE(saved.front().instruction);
    driver.open({path});
    EXPECT_EQ(question(), nullptr) << "nothing to lose";
    ASSERT_EQ(rows(), 1);
    EXPECT_EQ(cell(0, NoteModel::Text), QStringLiteral("first"));
    write(QStringLiteral("second"), Qt::ControlModifier | Qt::AltModifier);
    EXPECT_TRUE(driver.window().isWindowModified());
    driver.press(Qt::Key_S, Qt::ControlModifier);
    waitUntilSaved();
    EXPECT_FALSE(driver.window().isWindowModified());
    ASSERT_EQ(notesIn(path).size(), 2U) << "into the session, without asking where";
    EXPECT_EQ(notesIn(path)[1].text, "second");
}

TEST_F(NotesPanelTest, BlankOnesAreNotSaved) {
    driver.open(samplePaths());
    write(QStringLiteral("  "));
    EXPECT_TRUE(notesIn(save()).empty());
}

TEST_F(NotesPanelTest, ClosingPromptsForUnsavedNotes) {
    driver.open(samplePaths());
    const fs::path path = save();
    write(QStringLiteral("precious"));
    driver.window().close();
    EXPECT_TRUE(driver.window().isVisible());
    answer(QMessageBox::Cancel);
    EXPECT_TRUE(driver.window().isVisible());
    EXPECT_EQ(rows(), 1);
    driver.window().close();
    answer(QMessageBox::Save);
    waitUntilSaved();
    EXPECT_TRUE(QTest::qWaitFor([this] { return !driver.window().isVisible(); }, 5'000));
    ASSERT_EQ(notesIn(path).size(), 1U);
    EXPECT_EQ(notesIn(path).front().text, "precious");
}

TEST_F(NotesPanelTest, OpeningOtherFilesPromptsForUnsavedNotes) {
    driver.open(samplePaths());
    write(QStringLiteral("precious"));
    const auto other = StudioTest::write("other.etdp", smallTrace(2));
    const auto session = driver.window().opened().session();
    driver.open({session->files.trace});
    EXPECT_EQ(question(), nullptr) << "the same goes on";
    EXPECT_EQ(rows(), 1);
    driver.trigger(QStringLiteral("Close"));
    answer(QMessageBox::Cancel);
    EXPECT_NE(driver.window().opened().session(), nullptr);
    driver.open({other});
    answer(QMessageBox::Discard);
    EXPECT_EQ(driver.window().opened().session()->files.trace, other);
    EXPECT_EQ(rows(), 0);
    EXPECT_FALSE(driver.window().isWindowModified());
}

TEST_F(NotesPanelTest, FileTextIsShownVerbatim) {
    driver.open(samplePaths());
    NoteModel& model = *static_cast<NoteModel*>(panel.list().model());
    model.setNotes({{.text = "<b>bold</b>\x1b[2J\nmore", .method = "<i>", .created = "no time"}});
    EXPECT_EQ(cell(0, NoteModel::Text), QStringLiteral("<b>bold</b>\\x1b[2J"));
    EXPECT_EQ(cell(0, NoteModel::Written), QStringLiteral("no time"));
    EXPECT_EQ(cell(0, NoteModel::About), QStringLiteral("<i>"));
    EXPECT_FALSE(driver.window().isWindowModified());
}

TEST_F(NotesPanelTest, TakesItsPicture) {
    driver.window().resize(1280, 720);
    driver.open(samplePaths());
    NoteModel& model = *static_cast<NoteModel*>(panel.list().model());
    driver.enterPanel(QStringLiteral("Events"));
    driver.clickEvent(5);
    inspector::store::Note first = noteTo(selection());
    first.text = "Half of a run since the kernel was changed: see the baseline of Monday.";
    first.created = "2026-11-16T09:12:00Z";
    driver.clickEvent(7);
    inspector::store::Note second = noteTo(selection());
    second.text = "Could be in the delegate: ask for a partition without the copy before it.";
    second.created = "2026-11-17T14:40:00Z";
    model.setNotes({{.text = "As released, on the board of the lab.", .created = "2026-11-16T09:05:00Z"},
                    first,
                    second});
    driver.enterPanel(QStringLiteral("Notes"));
    clickNote(1);
    takePictures(driver, "notes");
}

}  // namespace

}  // namespace et::test
