#pragma once

#include "app/studio/main_window.h"
#include "tests/studio/cli_output.h"
#include "visualizers/events/event_model.h"

#include <QSettings>
#include <QTemporaryDir>

#include <filesystem>
#include <functional>
#include <vector>

class QTreeView;

namespace et::studio {
class CompareRoom;
class TestsRoom;
}  // namespace et::studio
namespace et::visualizers {
class EventView;
}

namespace et::test {

/// A main window and the hands of a person at it.
class WindowDriver {
  public:
    WindowDriver();

    [[nodiscard]] studio::MainWindow& window() { return main; }
    [[nodiscard]] QSettings& store() { return settings; }
    [[nodiscard]] visualizers::EventView& events();
    [[nodiscard]] QTreeView& table();
    [[nodiscard]] studio::TestsRoom& tests();
    [[nodiscard]] studio::CompareRoom& compare();

    /// Runs this file where et-inspect is asked for.
    void useProgram(const std::filesystem::path& program);

    /// Opens files and waits until the window has taken (or refused) them.
    void open(const std::vector<std::filesystem::path>& paths);
    void drop(const std::vector<std::filesystem::path>& paths);
    void dropOn(QWidget& target, const std::vector<std::filesystem::path>& paths);
    /// Waits until nothing loads; a test failure after 30 s.
    void waitUntilIdle();

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void typeFilter(const QString& text);
    void clickHeader(visualizers::EventModel::Column column);
    /// Rows of events in the order on screen, in the first column; those of blocks are left out.
    [[nodiscard]] QModelIndexList eventRows();
    /// Clicks the row of an event by its place on screen, counted over all events.
    void clickEvent(int place);
    /// Goes to a room by its menu item, and gives it the whole window.
    void enterRoom(const QString& title);
    void enterPerspective(const char* id);
    /// Waits until no test runs; a test failure after 60 s.
    void waitForTests();
    void waitForComparison();
    /// Whether a person can see it.
    [[nodiscard]] static bool onScreen(const QWidget& widget);
    /// Waits until `shown` contains `text`; false after 30 s.
    [[nodiscard]] static bool waitForText(const std::function<QString()>& shown, const QString& text);
    /// Triggers the action of this text, or else the first one whose text contains it.
    void trigger(const QString& text);

    /// Ids of the columns on screen, left to right, joined by commas: what --columns takes.
    [[nodiscard]] QString columnIds();
    /// Header and all event rows that the table has on screen (or below its fold), as the report has them.
    [[nodiscard]] TextTable shown();
    [[nodiscard]] QString details();
    [[nodiscard]] QStringList errors();
    [[nodiscard]] QStringList warnings();

  private:
    [[nodiscard]] QList<int> visibleColumns();

    QTemporaryDir folder;
    QSettings settings;
    studio::MainWindow main;
};

}  // namespace et::test
