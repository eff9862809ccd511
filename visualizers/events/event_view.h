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

/// The events table with a filter above. Brings its own actions (QWidget::actions()), which a window puts
/// into its menu.
class EventView : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    EventView(const OpenSession& session, Selection& selection, QWidget* parent = nullptr);

    [[nodiscard]] QTreeView& table();
    [[nodiscard]] QLineEdit& filterBox() { return *filter; }
    [[nodiscard]] GroupTable& groupTable() { return *groups; }
    void focusFilter();

    /// Adds a menu of the window to the tools above the table.
    void addTool(QMenu* menu);

    /// What notes say of events of the session; `mark` stands beside their names.
    void setNotes(std::map<EventRef, QString> texts, const QIcon& mark);

    /// Shows each time in the unit that fits it; copies keep the unit of the session.
    void setAdaptUnits(bool adapt);

    /// The columns, for the next start. The order of rows is not kept: a session starts in file
    /// order.
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
    [[nodiscard]] QString copied(inspector::report::Format format) const;

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
    EventTable* rows;
    QActionGroup* sums = nullptr;  ///< none checked: events, not sums
    GroupTable* groups;
    QStackedWidget* pages;
};

}  // namespace et::visualizers
