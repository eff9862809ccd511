#include "app/studio/panel.h"

#include <QLayout>

namespace et::studio {

int Panel::heightForWidth(int width) const {
    return layout() != nullptr && layout()->hasHeightForWidth() ? layout()->totalMinimumHeightForWidth(width)
                                                                : -1;
}

}  // namespace et::studio
