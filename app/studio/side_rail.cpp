#include "app/studio/side_rail.h"

#include "app/studio/icons.h"
#include "app/studio/panel_area.h"
#include "app/studio/perspectives.h"

#include <QDockWidget>
#include <QKeySequence>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace et::studio {

namespace {

constexpr int railMargin = 2;
constexpr int railIconSide = 20;

}  // namespace

SideRail::SideRail(PanelArea& area, QWidget* parent) : QWidget(parent), panels(area) {
    setObjectName(QStringLiteral("sideRail"));
    setAccessibleName(QStringLiteral("Left pane"));
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(railMargin, railMargin, railMargin, railMargin);
    column->setSpacing(railMargin);
    for (const std::string_view panel : sidePanels()) {
        addButton(panel);
    }
    column->addStretch(1);
    connect(&panels, &PanelArea::arranged, this, &SideRail::showCurrent);
    showCurrent();
}

void SideRail::addButton(std::string_view panel) {
    const auto entry = std::ranges::find_if(
        panels.entries(), [panel](const PanelArea::Entry& each) { return each.info->id == panel; });
    const QString title = entry->dock->windowTitle();
    auto* const button = new QToolButton(this);
    button->setObjectName(QStringLiteral("rail/") + QLatin1String(entry->info->id));
    button->setIcon(icon(panel));
    button->setIconSize({railIconSide, railIconSide});
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(title);
    button->setToolTip(QStringLiteral("%1 (%2); click again to fold")
                           .arg(title, sideKey(panel).toString(QKeySequence::NativeText)));
    connect(button, &QToolButton::clicked, this, [this, panel] {
        panels.side().toggle(panel);
        showCurrent();  // the click has already toggled the button
    });
    layout()->addWidget(button);
    buttons[panel] = button;
}

void SideRail::showCurrent() {
    for (const auto& [panel, button] : buttons) {
        button->setChecked(panels.side().shown() == panel);
    }
}

}  // namespace et::studio
