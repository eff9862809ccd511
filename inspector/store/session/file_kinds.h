#pragma once

#include "inspector/session/session.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace et::inspector::store {

/// The kinds of files in a session and where each has its place.
struct FileKindTraits {
    std::string_view name;                        ///< stable: in `files.kind`
    std::filesystem::path SessionFiles::* path;   ///< null: found beside its trace, by its name
    std::filesystem::path TraceFiles::* ofTrace;  ///< in the files of a further trace; null: not there
    bool ofEachTrace;                             ///< each trace may have one
};
/// What was counted while a trace was recorded (InstructionCounts).
inline constexpr std::string_view countersKind = "counters";
inline constexpr std::array fileKinds{
    FileKindTraits{"trace", &SessionFiles::trace, &TraceFiles::trace, true},
    FileKindTraits{"record", &SessionFiles::record, nullptr, false},
    FileKindTraits{"debug_buffer", &SessionFiles::debugBuffer, &TraceFiles::debugBuffer, true},
    FileKindTraits{countersKind, nullptr, nullptr, true},
    FileKindTraits{"program", &SessionFiles::program, nullptr, false},
    FileKindTraits{"bundle", &SessionFiles::bundle, nullptr, false},
    FileKindTraits{"tensor_data", &SessionFiles::tensorData, nullptr, false},
};

}  // namespace et::inspector::store
