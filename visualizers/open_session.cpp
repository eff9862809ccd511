#include "visualizers/open_session.h"

#include <utility>

namespace et::visualizers {

const inspector::EventBlocks* OpenSession::blocks() const {
    return opened ? opened->blocks.get() : nullptr;
}

void OpenSession::open(SessionPointer session) {
    const SessionPointer before = std::exchange(opened, std::move(session));
    emit replaced(before);
    emit changed();
    emit settled();
}

}  // namespace et::visualizers
