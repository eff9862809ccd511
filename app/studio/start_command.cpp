#include "app/studio/start_command.h"

#include "app/studio/panel_area.h"

#include <QFormLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolBar>
#include <QToolButton>
#include <QWidgetAction>

#include <algorithm>

namespace et::studio {

namespace {

const QString startName = QStringLiteral("startCommand");
const QString startButtonName = QStringLiteral("startButton");

QAction* startOf(const Panel& panel) {
    return panel.findChild<QAction*>(startName, Qt::FindDirectChildrenOnly);
}

/// Lowest for the panel that gets the key. A panel that the perspective does not plan was opened by the user.
int rankOf(const PanelArea& area, const PanelDock& entry) {
    const Perspective& plan = area.perspective();
    const std::string_view id = entry.info->id;
    const bool inCentre = isCentral(plan, id);
    const bool isPlanned =
        inCentre || contains(plan.left, id) || contains(plan.bottom, id) ||
        std::ranges::any_of(plan.right, [id](const PanePlan& pane) { return contains(pane, id); });
    const bool isCurrent = &area.current() == entry.panel;
    if (isCurrent && !isPlanned) {
        return 0;
    }
    return (inCentre ? 1 : 3) + (isCurrent ? 0 : 1);
}

QToolButton* menuButton(const QString& text, const QString& tip, QWidget* parent) {
    auto* const button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setMenu(new QMenu(button));
    return button;
}

}  // namespace

QAction* addStartAction(Panel& panel, QToolBar& tools, const QString& text) {
    auto* const action = new QAction(text, &panel);
    action->setObjectName(startName);
    panel.addAction(action);
    tools.addWidget(buttonFor(*action, &tools))->setObjectName(startButtonName);
    return action;
}

QAction* addStopAction(Panel& panel, QToolBar& tools, const QString& text) {
    auto* const action = new QAction(text, &panel);
    action->setShortcut(Qt::CTRL | Qt::Key_Period);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    panel.addAction(action);
    auto* const start = tools.findChild<QAction*>(startButtonName, Qt::FindDirectChildrenOnly);
    QAction* const button = tools.addWidget(buttonFor(*action, &tools));
    QObject::connect(action, &QAction::changed, button, [action, button, start] {
        button->setVisible(action->isVisible());
        if (start != nullptr) {
            start->setVisible(!action->isVisible());
        }
    });
    return action;
}

QPushButton* buttonFor(QAction& action, QWidget* parent) {
    auto* const button = new QPushButton(parent);
    const auto show = [&action, button] {
        const QString key = action.shortcut().toString(QKeySequence::NativeText);
        const QString title = action.text().remove(u'&');
        button->setText(key.isEmpty() ? title : QStringLiteral("%1 (%2)").arg(title, key));
        button->setEnabled(action.isEnabled());
        button->setToolTip(action.toolTip());
    };
    QObject::connect(&action, &QAction::changed, button, show);
    QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    show();
    return button;
}

QMenu* addMenuButton(QToolBar& tools, const QString& text, const QString& tip) {
    QToolButton* const button = menuButton(text, tip, &tools);
    tools.addWidget(button);
    return button->menu();
}

QToolButton* moreButton(const QList<QAction*>& actions, QWidget* parent) {
    QToolButton* const button = menuButton(QStringLiteral("⋯"), QStringLiteral("More commands"), parent);
    button->menu()->addActions(actions);
    return button;
}

void addMore(QToolBar& tools, const QList<QAction*>& actions) {
    tools.addWidget(moreButton(actions, &tools));
}

void addFields(QMenu& menu, std::initializer_list<std::pair<QString, QWidget*>> fields) {
    auto* const item = new QWidgetAction(&menu);
    auto* const page = new QWidget(&menu);
    item->setDefaultWidget(page);
    menu.addAction(item);
    auto* const form = new QFormLayout(page);
    for (const auto& [label, field] : fields) {
        form->addRow(label, field);
    }
}

StartKey::StartKey(PanelArea& of) : QObject(&of), area(of) {
    connect(&area, &PanelArea::arranged, this, &StartKey::update);
    connect(&area, &PanelArea::currentChanged, this, &StartKey::update);
    update();
}

void StartKey::update() {
    const PanelDock* target = nullptr;
    for (const PanelDock& entry : area.entries()) {
        const bool isVisible = entry.inFront || &area.current() == entry.panel;
        if (isVisible && startOf(*entry.panel) != nullptr &&
            (target == nullptr || rankOf(area, entry) < rankOf(area, *target))) {
            target = &entry;
        }
    }
    for (const PanelDock& entry : area.entries()) {
        if (QAction* const start = startOf(*entry.panel)) {
            start->setShortcut(&entry == target ? QKeySequence(Qt::Key_F9) : QKeySequence());
        }
    }
}

}  // namespace et::studio
