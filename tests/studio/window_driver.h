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
class ComparePanel;
class VerifyPanel;
}  // namespace et::studio
namespace et::visualizers {
class EventView;
}

namespace et::test {

/// Operates a main window with simulated input.
class WindowDriver {
  public:
    WindowDriver();

    [[nodiscard]] studio::MainWindow& window() { return main; }
    [[nodiscard]] QSettings& store() { return settings; }
    [[nodiscard]] visualizers::EventView& events();
    [[nodiscard]] QTreeView& table();
    [[nodiscard]] studio::VerifyPanel& tests();
    [[nodiscard]] studio::ComparePanel& compare();

    /// Uses this program instead of et-inspect.
    void useProgram(const std::filesystem::path& program);

    /// Opens files and waits until the window has opened or rejected them.
    void open(const std::vector<std::filesystem::path>& paths);
    void drop(const std::vector<std::filesystem::path>& paths);
    void dropOn(QWidget& target, const std::vector<std::filesystem::path>& paths);
    /// Waits until loading ends; fails the test after 30 s.
    void waitUntilIdle();

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void typeFilter(const QString& text);
    void clickHeader(visualizers::EventModel::Column column);
    /// Event rows in screen order (first column), without block rows.
    [[nodiscard]] QModelIndexList eventRows();
    /// Clicks an event row by its position on screen among all events.
    void clickEvent(int place);
    /// Opens a panel from the menu and maximizes it.
    void enterPanel(const QString& title);
    void enterPerspective(const char* id);
    /// Waits until no test is running; fails the test after 60 s.
    void waitForTests();
    void waitForComparison();
    /// Records the current state as a step of the history, as a moment without changes does.
    void rest();
    /// True if the widget is visible on screen.
    [[nodiscard]] static bool onScreen(const QWidget& widget);
    /// Waits until `shown` contains `text`; returns false after 30 s.
    [[nodiscard]] static bool waitForText(const std::function<QString()>& shown, const QString& text);
    /// Triggers the action with this text, otherwise the first one whose text contains it.
    void trigger(const QString& text);

    /// Ids of the columns on screen, left to right, separated by commas, in the format of --columns.
    [[nodiscard]] QString columnIds();
    /// Header and all event rows of the table, including those scrolled away, with the text of the report.
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
