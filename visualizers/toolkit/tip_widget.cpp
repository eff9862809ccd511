#include "visualizers/toolkit/tip_widget.h"

#include <QHelpEvent>
#include <QToolTip>

namespace et::visualizers {

bool TipWidget::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* const help = static_cast<const QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
    return true;
}

}  // namespace et::visualizers
