#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace et::inspector::store {

/// One `File "PATH", line N, in FUNCTION` of a Python stack trace, with its source line. Views into the
/// trace; empty if missing.
struct StackFrame {
    std::string_view file;
    std::int64_t line = 0;
    std::string_view function;
    std::string_view text;
};

/// Frames outermost first, as Python prints them; at most the first thousand.
[[nodiscard]] std::vector<StackFrame> stackFrames(std::string_view trace);

}  // namespace et::inspector::store
