#pragma once

#include "inspector/session/session.h"

namespace et::inspector {

/// Whether what is known of the model of one, its gap for example, holds for the other: the same program,
/// bundled program and record, by their paths.
[[nodiscard]] inline bool haveSameModel(const SessionFiles& left, const SessionFiles& right) {
    return left.record == right.record && left.program == right.program && left.bundle == right.bundle;
}

}  // namespace et::inspector
