#pragma once

#include "inspector/session/session.h"

namespace et::inspector {

/// Whether results about the model of one session (for example its gap) are valid for the other: same
/// program, bundled program and record, by path.
[[nodiscard]] inline bool haveSameModel(const SessionFiles& left, const SessionFiles& right) {
    return left.record == right.record && left.program == right.program && left.bundle == right.bundle;
}

}  // namespace et::inspector
