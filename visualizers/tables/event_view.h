#pragma once

#include "visualizers/tables/event_model.h"

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QLineEdit;
class QMenu;
class QSplitter;
class QToolBar;
class QTreeView;

namespace et::visualizers {

class EventFilterProxy;
class Selection;

/// The events table: a filter above, rows on the left, what is known of the chosen row on the right. Brings
/// its own actions (QWidget::actions()), which a window puts into its menu.
class EventView : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit EventView(Selection& selection, QWidget* parent = nullptr);

    [[nodiscard]] QTreeView& table() { return *rows; }
    [[nodiscard]] QLineEdit& filterBox() { return *filter; }
    void focusFilter();

    /// Adds a menu of the window to the tools above the table.
    void addTool(QMenu* menu);

    /// Columns and splitter, for the next start. The order of rows is not kept: a session starts in file
    /// order.
    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  private:
    void createTools();
    void createTable();
    void createActions();
    QAction* addTableAction(const QString& text, const QKeySequence& key, void (EventView::*slot)());
    QAction* addToggle(const QString& text, const QKeySequence& key, bool checked,
                       void (EventView::*slot)(bool));
    void addKeyed(QAction* action, const QKeySequence& key);

    void showSession();
    void showCurrent();
    void chooseCurrent(const QModelIndex& row);
    void dressBlocks();
    void updateCount();
    void fitColumns();
    void resetColumns();
    void showColumnMenu(const QPoint& position);

    void applyFilter();
    void copy();
    void setGrouped(bool grouped);
    void setRegex(bool regex);
    void setOperatorCalls(bool shown);

    [[nodiscard]] std::vector<EventRef> selectedEvents() const;
    [[nodiscard]] std::vector<EventModel::Column> visibleColumns() const;

    Selection& chosen;
    EventModel* model;
    EventFilterProxy* proxy;
    QToolBar* tools;
    QLineEdit* filter;
    QAction* regexAction = nullptr;
    QAction* countAction = nullptr;  ///< the place of `count` among the tools
    QLabel* count;
    QSplitter* splitter;
    QTreeView* rows;
    bool widthsKnown = false;  ///< fitted to a first session, or restored
};

}  // namespace et::visualizers
