#include "app/studio/extract_command.h"

#include "app/studio/job_request.h"
#include "app/studio/panel.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"

#include <QAbstractScrollArea>
#include <QAction>
#include <QMenu>

namespace et::studio {

QAction* addExtract(Panel& panel, const PanelContext& context) {
    auto* const action = new QAction(QStringLiteral("E&xtract…"), &panel);
    action->setToolTip(
        QStringLiteral("Write the selection as a separate program, with its inputs and outputs"));
    const auto chosen = [&opened = context.opened, &selection = context.selection] {
        return extractRequest(opened.session().get(), selection);
    };
    const auto showState = [action, &opened = context.opened, &selection = context.selection] {
        action->setEnabled(canExtract(opened.session().get(), selection));
    };
    QObject::connect(&context.selection, &visualizers::Selection::currentChanged, action, showState);
    QObject::connect(&context.selection, &visualizers::Selection::eventsChanged, action, showState);
    QObject::connect(&context.opened, &visualizers::OpenSession::changed, action, showState);
    QObject::connect(action, &QAction::triggered, &panel, [chosen, fix = context.fix] {
        if (const auto request = chosen()) {
            fix(*request);
        }
    });
    showState();
    panel.addAction(action);
    return action;
}

void offerOnRightClick(QWidget& view, const QList<QAction*>& actions) {
    view.setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(&view, &QWidget::customContextMenuRequested, &view, [&view, actions](const QPoint& at) {
        auto* const menu = new QMenu(&view);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions(actions);
        const auto* const scrolled = qobject_cast<QAbstractScrollArea*>(&view);
        menu->popup(scrolled == nullptr ? view.mapToGlobal(at) : scrolled->viewport()->mapToGlobal(at));
    });
}

}  // namespace et::studio
