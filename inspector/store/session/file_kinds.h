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
struct FileKindFacts {
    std::string_view name;  ///< stable: in `files.kind`
    std::filesystem::path SessionFiles::* path;
    std::filesystem::path TraceFiles::* ofTrace;  ///< in the files of a further trace; null: not there
};
inline constexpr std::array fileKinds{
    FileKindFacts{"trace", &SessionFiles::trace, &TraceFiles::trace},
    FileKindFacts{"record", &SessionFiles::record, nullptr},
    FileKindFacts{"debug_buffer", &SessionFiles::debugBuffer, &TraceFiles::debugBuffer},
    FileKindFacts{"program", &SessionFiles::program, nullptr},
    FileKindFacts{"bundle", &SessionFiles::bundle, nullptr},
    FileKindFacts{"tensor_data", &SessionFiles::tensorData, nullptr},
};

}  // namespace et::inspector::store
