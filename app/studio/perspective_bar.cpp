#include "app/studio/perspective_bar.h"

#include "app/studio/icons.h"
#include "app/studio/panel_area.h"

#include <QAction>
#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace et::studio {

PerspectiveBar::PerspectiveBar(PanelArea& area, QWidget* parent) : QWidget(parent), panels(area) {
    addPerspectives();
    addArrangements();
    connect(&panels, &PanelArea::perspectiveChanged, this, &PerspectiveBar::showCurrent);
    showCurrent();
}

void PerspectiveBar::addPerspectives() {
    constexpr int margin = 4;
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(margin, margin, margin, 0);
    row->setSpacing(margin / 2);
    auto* const group = new QActionGroup(this);
    int digit = Qt::Key_0;
    for (const Perspective& each : perspectives()) {
        auto* const action = new QAction(QString::fromUtf8(each.title), group);
        action->setIcon(icon(each.id));
        action->setCheckable(true);
        action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(digit++)));
        action->setToolTip(QStringLiteral("%1 (%2)").arg(
            QString::fromUtf8(each.question), action->shortcut().toString(QKeySequence::NativeText)));
        action->setObjectName(QStringLiteral("perspective/") + QLatin1String(each.id));
        connect(action, &QAction::triggered, this, [this, &each] { panels.setPerspective(each); });
        auto* const button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        row->addWidget(button);
        switches.push_back(action);
    }
}

void PerspectiveBar::addTrail(QWidget& trail) {
    static_cast<QHBoxLayout*>(layout())->addWidget(&trail, 1);
}

void PerspectiveBar::addArrangements() {
    const auto right = [](const Perspective& plan) { return plan.right; };
    const auto bottom = [](const Perspective& plan) { return std::vector{plan.bottom}; };
    auto* const side = new QAction(QStringLiteral("Fold &Left Pane"), this);
    side->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_L));
    connect(side, &QAction::triggered, this, [this] { panels.side().fold(); });
    arranging = {side, addFold(QStringLiteral("Fold &Inspector"), QKeySequence(Qt::CTRL | Qt::Key_I), right),
                 addFold(QStringLiteral("Fold &Drawer"), QKeySequence(Qt::CTRL | Qt::Key_J), bottom)};
    aloneAction = new QAction(icon("alone"), QStringLiteral("&Only This Panel"), this);
    aloneAction->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_M));
    connect(aloneAction, &QAction::triggered, this, [this] { panels.setMaximized(!panels.maximized()); });
    auto* const reset = new QAction(QStringLiteral("Reset &Layout"), this);
    connect(reset, &QAction::triggered, &panels, &PanelArea::resetLayout);
    arranging.push_back(aloneAction);
    arranging.push_back(reset);
}

QAction* PerspectiveBar::addFold(const QString& text, const QKeySequence& key,
                                 std::vector<PanePlan> (*sidesOf)(const Perspective&)) {
    auto* const action = new QAction(text, this);
    action->setShortcut(key);
    connect(action, &QAction::triggered, this,
            [this, sidesOf] { panels.fold(sidesOf(panels.perspective())); });
    return action;
}

void PerspectiveBar::addTo(QMenu& menu) {
    for (QAction* const action : switches) {
        menu.addAction(action);
    }
    menu.addSeparator();
    for (QAction* const action : arranging) {
        menu.addAction(action);
    }
}

void PerspectiveBar::showCurrent() {
    for (std::size_t i = 0; i < switches.size(); ++i) {
        switches[i]->setChecked(&perspectives()[i] == &panels.perspective());
    }
}

}  // namespace et::studio
