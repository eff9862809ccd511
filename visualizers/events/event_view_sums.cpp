// The sums of an event view: by operator, module or delegate.
#include "visualizers/events/event_view.h"
#include "visualizers/events/group_table.h"
#include "visualizers/open_session.h"

#include <QAction>
#include <QActionGroup>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>

namespace et::visualizers {

void EventView::createSums() {
    struct Sum {
        inspector::report::GroupBy by;
        QString text;
    };
    sums = new QActionGroup(this);
    sums->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    auto* const menu = new QMenu(tr("Sums"), this);
    for (const Sum& sum : {Sum{inspector::report::GroupBy::Op, tr("Sum by O&perator")},
                           Sum{inspector::report::GroupBy::Module, tr("Sum by &Module")},
                           Sum{inspector::report::GroupBy::Delegate, tr("Sum by &Delegate")}}) {
        auto* const action = new QAction(sum.text, this);
        action->setCheckable(true);
        action->setData(static_cast<int>(sum.by));
        sums->addAction(action);
        menu->addAction(action);
        addAction(action);
        connect(action, &QAction::toggled, this, &EventView::showSums);
    }
    addTool(menu);
    connect(groups, &GroupTable::opened, this, &EventView::openGroup);
}

void EventView::showSums() {
    const QAction* const by = sums->checkedAction();
    pages->setCurrentWidget(by ? static_cast<QWidget*>(groups) : splitter);
    if (by) {
        const QString text = filter->text();
        const auto& session = opened.session();
        groups->show(session ? session->blocks : nullptr,
                     static_cast<inspector::report::GroupBy>(by->data().toInt()),
                     regexAction->isChecked() ? text : QRegularExpression::escape(text));
    } else {
        groups->show(nullptr, inspector::report::GroupBy::None, {});
    }
    updateCount();
}

// The events that the sum is of.
void EventView::openGroup(const QString& name) {
    if (QAction* const by = sums->checkedAction()) {
        by->setChecked(false);
    }
    regexAction->setChecked(false);
    filter->setText(name);
    rows->setFocus(Qt::OtherFocusReason);
}

}  // namespace et::visualizers
