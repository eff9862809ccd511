#pragma once

#include "inspector/format/table.h"
#include "visualizers/events/event_model.h"

#include <QTimer>
#include <QWidget>

#include <bitset>
#include <memory>
#include <vector>

class QActionGroup;
class QLabel;
class QLineEdit;
class QMenu;
class QSplitter;
class QStackedWidget;
class QToolBar;
class QToolButton;
class QTreeView;

namespace et::visualizers {

class EventFilterProxy;
class GroupTable;
class OpenSession;
class Selection;

/// The events table: a filter above, rows on the left, what is known of the chosen row on the right. Brings
/// its own actions (QWidget::actions()), which a window puts into its menu.
class EventView : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    EventView(const OpenSession& session, Selection& selection, QWidget* parent = nullptr);

    [[nodiscard]] QTreeView& table() { return *rows; }
    [[nodiscard]] QLineEdit& filterBox() { return *filter; }
    [[nodiscard]] GroupTable& groupTable() { return *groups; }
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
    void showRange();
    void showCurrent();
    void chooseCurrent(const QModelIndex& row);
    void dressBlocks();
    void updateCount();
    void fitColumns();
    void showColumn(int column, bool shown);
    void resetColumns();
    void showColumnMenu(const QPoint& position);

    void applyFilter();
    void copy(inspector::report::Format format);
    void copyTsv() { copy(inspector::report::Format::Tsv); }
    void copyMarkdown() { copy(inspector::report::Format::Markdown); }
    void setGrouped(bool grouped);
    void createSums();
    void showSums();
    void openGroup(const QString& name);
    void setRegex(bool regex);
    void setOperatorCalls(bool shown);

    [[nodiscard]] std::vector<EventRef> selectedEvents() const;
    [[nodiscard]] std::vector<EventModel::Column> visibleColumns() const;

    const OpenSession& opened;
    Selection& chosen;
    EventModel* model;
    EventFilterProxy* proxy;
    QToolBar* tools;
    QLineEdit* filter;
    QAction* regexAction = nullptr;
    QAction* rangeAction = nullptr;  ///< the place of `rangeChip` among the tools
    QToolButton* rangeChip;
    QTimer rangeTimer;               ///< while a range is dragged, rows follow when it rests
    QAction* countAction = nullptr;  ///< the place of `count` among the tools
    QLabel* count;
    QSplitter* splitter;
    QTreeView* rows;
    QActionGroup* sums = nullptr;  ///< none checked: events, not sums
    GroupTable* groups;
    QStackedWidget* pages;
    bool widthsKnown = false;                     ///< fitted to a first session, or restored
    std::bitset<EventModel::columnTotal> fitted;  ///< columns that have been shown as wide as what is in them
};

}  // namespace et::visualizers
