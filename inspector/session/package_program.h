#pragma once

#include "inspector/session/session.h"

namespace et::inspector {

/// True if the program of a session was made from its package: its bytes and constants are in no file.
[[nodiscard]] inline bool isProgramOfPackage(const Session& session) {
    return session.package != nullptr && session.program != nullptr && session.files.program.empty() &&
           session.files.bundle.empty();
}

}  // namespace et::inspector
