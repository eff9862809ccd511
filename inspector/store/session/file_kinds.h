#pragma once

#include "inspector/session/session.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace et::inspector::store {

/// A kind of file in a session and the members that contain its path.
struct FileKindInfo {
    std::string_view name;                        ///< stable: used in `files.kind`
    std::filesystem::path SessionFiles::* path;   ///< null: derived from the name of its trace
    std::filesystem::path TraceFiles::* ofTrace;  ///< for files of a further trace; null: not available
    bool ofEachTrace;                             ///< whether each trace may have one
};
/// Counters recorded with a trace (InstructionCounts).
inline constexpr std::string_view countersKind = "counters";
inline constexpr std::array fileKinds{
    FileKindInfo{"trace", &SessionFiles::trace, &TraceFiles::trace, true},
    FileKindInfo{"record", &SessionFiles::record, nullptr, false},
    FileKindInfo{"debug_buffer", &SessionFiles::debugBuffer, &TraceFiles::debugBuffer, true},
    FileKindInfo{countersKind, nullptr, nullptr, true},
    FileKindInfo{"program", &SessionFiles::program, nullptr, false},
    FileKindInfo{"bundle", &SessionFiles::bundle, nullptr, false},
    FileKindInfo{"tensor_data", &SessionFiles::tensorData, nullptr, false},
};

}  // namespace et::inspector::store
