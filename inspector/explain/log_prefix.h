#pragma once

#include <string>
#include <string_view>

namespace et::inspector {

/// A line of a log without what the logger added.
struct PlainLine {
    std::string_view text;
    std::string_view source{};  ///< file of the runtime that logged it: "op_mean.cpp"; empty: not logged
    char level = 0;             ///< 'E', 'F', 'A', 'W', 'I', 'D'; 0: unknown
};

/// Removes prefixes of adb logcat (all formats), Android Studio, Xcode, ExecuTorch's runners and Python
/// package, Zephyr, Python's logging, pytest, the kernel, systemd, and continuous integration, also nested
/// ones.
[[nodiscard]] PlainLine withoutPrefix(std::string_view line);

/// The line without escape sequences and control characters. At most `limit` bytes, cut between characters.
[[nodiscard]] std::string cleanLine(std::string_view line, std::size_t limit);
/// Appends the text without escape sequences and NUL characters (which UTF-16 contains).
void appendClean(std::string& out, std::string_view text);

}  // namespace et::inspector
