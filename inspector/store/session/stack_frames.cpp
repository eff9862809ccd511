#include "inspector/store/session/stack_frames.h"

#include <charconv>
#include <cstddef>

namespace et::inspector::store {
namespace {

std::string_view withoutBlanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    const std::size_t last = text.find_last_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

std::string_view takeLine(std::string_view& rest) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = withoutBlanks(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return line;
}

bool startsFrame(std::string_view line) {
    return line.starts_with("File \"");
}

/// Parses `line`, which starts a frame.
StackFrame headOf(std::string_view line) {
    constexpr std::string_view between = "\", line ";
    constexpr std::string_view in = ", in ";
    StackFrame frame;
    line.remove_prefix(std::string_view("File \"").size());
    const std::size_t end = line.find(between);
    frame.file = line.substr(0, end);
    if (end == std::string_view::npos) {
        return frame;
    }
    line.remove_prefix(end + between.size());
    std::from_chars(line.data(), line.data() + line.size(), frame.line);
    const std::size_t function = line.find(in);
    frame.function =
        function == std::string_view::npos ? std::string_view() : line.substr(function + in.size());
    return frame;
}

}  // namespace

std::vector<StackFrame> stackFrames(std::string_view trace) {
    constexpr std::size_t max = 1000;
    std::vector<StackFrame> frames;
    while (!trace.empty() && frames.size() < max) {
        const std::string_view line = takeLine(trace);
        if (!startsFrame(line)) {
            continue;
        }
        frames.push_back(headOf(line));
        std::string_view next = trace;
        if (const std::string_view text = takeLine(next); !startsFrame(text)) {
            frames.back().text = text;
        }
    }
    return frames;
}

}  // namespace et::inspector::store
