#pragma once

#include "inspector/format/table.h"
#include "visualizers/events/event_model.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QActionGroup;
class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QToolBar;
class QToolButton;
class QTreeView;

namespace et::visualizers {

class EventFilterProxy;
class EventTable;
class GroupTable;
class OpenSession;
class Selection;

/// The events table with a filter above. Provides actions (QWidget::actions()) for the window's menu.
class EventView : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    EventView(const OpenSession& session, Selection& selection, QWidget* parent = nullptr);

    [[nodiscard]] QTreeView& table();
    [[nodiscard]] QLineEdit& filterBox() { return *filter; }
    [[nodiscard]] GroupTable& groupTable() { return *groups; }

    /// Adds a menu of the window to the tools above the table.
    void addTool(QMenu* menu);

    /// Work and minimum times of the session's events; null: unknown. Cleared when the session changes.
    void setLimits(std::shared_ptr<const inspector::events::EventLimits> known);
    /// Texts of notes on events of the session; `mark` is shown next to their names.
    void setNotes(std::map<EventRef, QString> texts, const QIcon& mark);

    /// Shows each time in a suitable unit; copies keep the session's unit.
    void setAdaptUnits(bool adapt);

    /// Column state for the next start. Row order is not saved: a session starts in file order.
    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  private:
    void createTools();
    void createActions();
    void createSums();

    void showSession();
    void showRange();
    void showCurrent();
    void chooseCurrent(const std::optional<EventRef>& event);
    void chooseMarked();
    void updateCount();
    [[nodiscard]] QString whyHidden(int missing) const;
    void applyFilter();
    void showSums();
    void openGroup(const QString& name);
    [[nodiscard]] QString copied(inspector::format::Format format) const;

    const OpenSession& opened;
    Selection& chosen;
    EventModel* model;
    EventFilterProxy* proxy;
    QToolBar* tools;
    QLineEdit* filter;
    QAction* regexAction = nullptr;
    QAction* rangeAction = nullptr;  ///< action of `rangeChip` in the tool bar
    QToolButton* rangeChip;
    QTimer rangeTimer;               ///< delays row updates until a dragged range rests
    QAction* countAction = nullptr;  ///< action of `count` in the tool bar
    QLabel* count;
    EventTable* rows;
    QLabel* hint;                  ///< in the empty table
    QActionGroup* sums = nullptr;  ///< none checked: events instead of sums
    GroupTable* groups;
    QStackedWidget* pages;
};

}  // namespace et::visualizers
