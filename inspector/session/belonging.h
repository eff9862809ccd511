#pragma once

#include "inspector/session/session.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Whether the files of a session belong together, told by what they say of each other, never by their names.
namespace et::inspector {

/// A file of a session, and what speaks for and against it.
struct FileBelonging {
    std::string_view kind;  ///< "program", "ETRecord", "trace", …
    std::filesystem::path path;
    std::vector<std::string_view> agreesWith{};  ///< kinds of the files that it was held against
    std::vector<std::string> contradictions{};   ///< one line each
};

/// Every file of the session, in the order in which a person would name them. A contradiction stands at the
/// file that is the less certain one: at a record rather than its program, at a second trace rather than the
/// first.
[[nodiscard]] std::vector<FileBelonging> belonging(const Session& session);

/// All contradictions of belonging(), each once.
[[nodiscard]] std::vector<std::string> contradictions(const Session& session);

/// Whether a trace may stand beside the one that is open: the program does not contradict it; without one,
/// the record; without both, the open trace. `session` must have a trace.
[[nodiscard]] bool fitsBeside(const Session& session, const OtherTrace& other);

}  // namespace et::inspector
