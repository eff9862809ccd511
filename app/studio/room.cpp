#include "app/studio/room.h"

#include <QLayout>

namespace et::studio {

int Room::heightForWidth(int width) const {
    return layout() != nullptr && layout()->hasHeightForWidth() ? layout()->totalMinimumHeightForWidth(width)
                                                                : -1;
}

}  // namespace et::studio
