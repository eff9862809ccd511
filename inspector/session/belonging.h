#pragma once

#include "inspector/session/session.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Checks whether the files of a session belong together, by their contents, never by their names.
namespace et::inspector {

/// A file of a session, with the results of its checks.
struct FileBelonging {
    std::string_view kind;  ///< "program", "ETRecord", "trace", …
    std::filesystem::path path;
    std::vector<std::string_view> agreesWith{};     ///< kinds of the checked files that it matches
    std::vector<std::string_view> disagreesWith{};  ///< kinds of those that it does not match
    std::vector<std::string> contradictions{};      ///< one line for each of `disagreesWith`
    std::string note{};                             ///< what could not be checked; empty: nothing
};

/// Checks every file of the session, in display order. A contradiction is attributed to the less certain
/// file: a record rather than its program, a second trace rather than the first.
[[nodiscard]] std::vector<FileBelonging> belonging(const Session& session);

/// All contradictions of belonging(), without duplicates.
[[nodiscard]] std::vector<std::string> contradictions(const Session& session);

/// Whether a trace may be opened in addition to the open one: checked against the program; without one,
/// against the record; without both, against the open trace. `session` must have a trace.
[[nodiscard]] bool canAdd(const Session& session, const OtherTrace& other);

}  // namespace et::inspector
