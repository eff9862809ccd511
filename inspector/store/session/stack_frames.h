#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace et::inspector::store {

/// One `File "PATH", line N, in FUNCTION` of a Python stack trace, with the source line below it. Views into
/// the trace; empty where it says nothing.
struct StackFrame {
    std::string_view file;
    std::int64_t line = 0;
    std::string_view function;
    std::string_view text;
};

/// Outermost first, as Python prints them. Of a trace of more than a thousand frames, the first thousand.
[[nodiscard]] std::vector<StackFrame> stackFrames(std::string_view trace);

}  // namespace et::inspector::store
