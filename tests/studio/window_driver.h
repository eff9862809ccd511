#pragma once

#include "app/studio/main_window.h"
#include "tests/studio/cli_output.h"
#include "visualizers/tables/event_model.h"

#include <QSettings>
#include <QTemporaryDir>

#include <filesystem>
#include <vector>

class QTreeView;

namespace et::test {

/// A main window and the hands of a person at it.
class WindowDriver {
  public:
    WindowDriver();

    [[nodiscard]] studio::MainWindow& window() { return main; }
    [[nodiscard]] QTreeView& table();

    /// Opens files and waits until the window has taken (or refused) them.
    void open(const std::vector<std::filesystem::path>& paths);
    void drop(const std::vector<std::filesystem::path>& paths);
    /// Waits until nothing loads; a test failure after 30 s.
    void waitUntilIdle();

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void typeFilter(const QString& text);
    void clickHeader(visualizers::EventModel::Column column);
    /// Clicks the row of an event by its place on screen, counted over all events.
    void clickEvent(int place);
    /// Triggers the action whose text contains `text`.
    void trigger(const QString& text);

    /// Ids of the columns on screen, left to right, joined by commas: what --columns takes.
    [[nodiscard]] QString columnIds();
    /// Header and all event rows that the table has on screen (or below its fold), as text.
    [[nodiscard]] TextTable shown();
    [[nodiscard]] QString details();
    [[nodiscard]] QStringList errors();
    [[nodiscard]] QStringList warnings();

  private:
    [[nodiscard]] QModelIndexList eventRows();
    [[nodiscard]] QList<int> visibleColumns();

    QTemporaryDir folder;
    QSettings settings;
    studio::MainWindow main;
};

}  // namespace et::test
