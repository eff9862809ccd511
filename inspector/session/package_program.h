#pragma once

#include "inspector/session/session.h"

#include <filesystem>

namespace et::inspector {

/// True if the program of a session was made from its package: its bytes and constants are in no file.
[[nodiscard]] inline bool isProgramOfPackage(const Session& session) {
    return session.package != nullptr && session.program != nullptr && session.files.program.empty() &&
           session.files.bundle.empty();
}

/// The file of a session that can be run: bundled program, program or package. Empty: none.
[[nodiscard]] inline const std::filesystem::path& runnableFile(const SessionFiles& files) {
    return !files.bundle.empty() ? files.bundle : !files.program.empty() ? files.program : files.package;
}

}  // namespace et::inspector
