#include "inspector/names/python_stack.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace et::inspector {
namespace {

constexpr std::size_t maxFrames = 1024;
constexpr std::string_view opening = "File \"";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    const std::size_t last = text.find_last_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

/// Consumes a line of the text.
std::string_view takeLine(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

/// Consumes the line of code below a frame; empty if another frame follows immediately.
std::string_view takeCode(std::string_view& text) {
    std::string_view rest = text;
    const std::string_view line = trimmed(takeLine(rest));
    if (line.starts_with(opening)) {
        return {};
    }
    text = rest;
    return line;
}

}  // namespace

std::optional<PythonFrame> takeFrame(std::string_view& trace) {
    constexpr std::string_view between = "\", line ";
    constexpr std::string_view in = ", in ";
    const std::size_t start = trace.find(opening);
    if (start == std::string_view::npos) {
        return std::nullopt;
    }
    trace.remove_prefix(start + opening.size());
    const std::size_t end = trace.find(between);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    PythonFrame frame{.path = trace.substr(0, end), .function = {}, .code = {}};
    trace.remove_prefix(end + between.size());
    std::string_view head = takeLine(trace);
    const auto [digits, error] = std::from_chars(head.data(), head.data() + head.size(), frame.line);
    frame.line = error == std::errc() ? frame.line : 0;
    head.remove_prefix(static_cast<std::size_t>(digits - head.data()));
    frame.function = head.starts_with(in) ? trimmed(head.substr(in.size())) : std::string_view();
    frame.code = takeCode(trace);
    return frame;
}

std::vector<PythonFrame> parseFrames(std::string_view trace) {
    std::vector<PythonFrame> frames;
    while (const auto frame = takeFrame(trace)) {
        frames.push_back(*frame);
        if (frames.size() == maxFrames) {
            break;
        }
    }
    return frames;
}

bool isLibrary(std::string_view path) {
    // Exporters may strip the package directory: "torch/fx/passes/runtime_assert.py".
    return path.contains("/torch/") || path.contains("\\torch\\") || path.starts_with("torch/") ||
           path.starts_with("torch\\");
}

std::optional<PythonFrame> ownFrame(std::span<const PythonFrame> frames) {
    std::optional<PythonFrame> chosen;
    for (const PythonFrame& frame : frames) {
        if (!chosen || !isLibrary(frame.path) || isLibrary(chosen->path)) {
            chosen = frame;
        }
    }
    return chosen;
}

std::vector<NodeStack> stacksOf(std::span<const etrecord::Node* const> nodes) {
    std::vector<NodeStack> stacks;
    std::map<std::string_view, std::size_t> places;
    for (const etrecord::Node* node : nodes) {
        if (node->stackTrace.empty()) {
            continue;
        }
        const auto [place, fresh] = places.try_emplace(node->stackTrace, stacks.size());
        if (fresh) {
            stacks.push_back({.frames = parseFrames(node->stackTrace)});
        }
        stacks[place->second].nodes.push_back(node);
    }
    std::erase_if(stacks, [](const NodeStack& stack) { return stack.frames.empty(); });
    return stacks;
}

std::vector<PythonFrame> parseFrames(const program::Method& method, core::InstructionId instruction) {
    const auto at = static_cast<std::size_t>(instruction.value);
    if (instruction.value < 0 || method.chains.empty() || at >= method.chains.front().stackTraces.size()) {
        return {};
    }
    std::vector<PythonFrame> frames;
    for (const program::StackFrame& frame : method.chains.front().stackTraces[at]) {
        frames.push_back({.path = frame.file,
                          .line = frame.line,
                          .function = frame.function,
                          .code = trimmed(frame.context)});
        if (frames.size() == maxFrames) {
            break;
        }
    }
    return frames;
}

}  // namespace et::inspector
