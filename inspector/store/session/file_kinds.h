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
    std::string_view name;  ///< stable: in `files.kind`
    std::filesystem::path SessionFiles::* path;
    std::filesystem::path TraceFiles::* ofTrace;  ///< in the files of a further trace; null: not there
};
inline constexpr std::array fileKinds{
    FileKindTraits{"trace", &SessionFiles::trace, &TraceFiles::trace},
    FileKindTraits{"record", &SessionFiles::record, nullptr},
    FileKindTraits{"debug_buffer", &SessionFiles::debugBuffer, &TraceFiles::debugBuffer},
    FileKindTraits{"program", &SessionFiles::program, nullptr},
    FileKindTraits{"bundle", &SessionFiles::bundle, nullptr},
    FileKindTraits{"tensor_data", &SessionFiles::tensorData, nullptr},
};

}  // namespace et::inspector::store
