#include "app/studio/panel.h"

#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/widgets.h"

#include <QDataStream>
#include <QIODevice>
#include <QLayout>

#include <algorithm>

namespace et::studio {

void Panel::find() {
    const auto fields = findChildren<visualizers::FilterField*>();
    const auto shown =
        std::ranges::find_if(fields, [this](const QWidget* field) { return field->isVisibleTo(this); });
    if (shown != fields.end()) {
        (*shown)->begin();
    }
}

QByteArray Panel::saveState() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    for (const auto* const splitter : findChildren<visualizers::Splitter*>()) {
        stream << splitter->saveState();
    }
    return state;
}

void Panel::restoreState(const QByteArray& state) {
    QDataStream stream(state);
    for (auto* const splitter : findChildren<visualizers::Splitter*>()) {
        QByteArray sizes;
        stream >> sizes;
        splitter->restoreState(sizes);
    }
}

int Panel::heightForWidth(int width) const {
    return layout() != nullptr && layout()->hasHeightForWidth() ? layout()->totalMinimumHeightForWidth(width)
                                                                : -1;
}

}  // namespace et::studio
