#include "inspector/explain/log_prefix.h"

#include "inspector/explain/text_pattern.h"
#include "runtime/core/utf8.h"

#include <algorithm>
#include <array>
#include <vector>

namespace et::inspector {
namespace {

/// A prefix; the fields `level` and `source` are used. Specific ones first.
constexpr std::array prefixes = {
    // ExecuTorch: runners, other platforms, Python package
    "{level:n} {h:d}:{m:d}:{s:d}.{f:d} executorch:{source:w}:{line:d}] ",
    "{level:n} executorch:{source:w}:{line:d}] ",
    "{level:n} [executorch:{source:w}:{line:d} {function:w}()] ",
    "{level:n} tokenizers:{source:w}:{line:d}] ",
    "[{source:n}.cpp:{line:d}] ",
    "[{source:n}.h:{line:d}] ",
    "[{source:n}.mm:{line:d}] ",
    "{level:n}{date:d} {h:d}:{m:d}:{s:d}.{f:d} {thread:d} {source:w}:{line:d}] ",
    // adb logcat: threadtime, Android Studio, time, brief, process, tag
    "{month:d}-{day:d} {h:d}:{m:d}:{s:d}.{f:d} {pid:d} {tid:d} {level:n} {tag}: ",
    "{year:d}-{month:d}-{day:d} {h:d}:{m:d}:{s:d}.{f:d} {pid:d}-{tid:d} {tag:w} {package:w} {level:n} ",
    "{year:d}-{month:d}-{day:d} {h:d}:{m:d}:{s:d}.{f:d} {pid:d}-{tid:d}/{package:w} {level:n}/{tag}: ",
    "{month:d}-{day:d} {h:d}:{m:d}:{s:d}.{f:d} {level:n}/{tag}({pid}): ",
    "{level:n}/{tag:n}({pid}): ",
    "{level:n}/{tag:n}: ",
    // Xcode console and the unified log
    "{year:d}-{month:d}-{day:d} {h:d}:{m:d}:{s:d}.{f} {app}[{pid:d}:{tid:w}] ",
    // Python's logging, pytest
    "INFO:{logger:w}:",
    "WARNING:{logger:w}:",
    "ERROR:{logger:w}:",
    "[{level:n} {year:d}-{month:d}-{day:d} {h:d}:{m:d}:{s:w} {file:w}] ",
    "{year:d}-{month:d}-{day:d} {h:d}:{m:d}:{s:d},{f:d} - {logger:w} - {level:n} - ",
    "E   ",
    // Consoles: continuous integration, kernel, systemd, terminal programs
    "{year:d}-{month:d}-{day:d}T{h:d}:{m:d}:{s:w} ",
    "{year:d}-{month:d}-{day:d} {h:d}:{m:d}:{s:d}.{f:d} ",
    "[{seconds:d}.{f:d}] ",
    "[ {seconds:d}.{f:d}] ",
    "[{h:d}:{m:d}:{s:d}.{f:d}] ",
    "[{h:d}:{m:d}:{s:d}] ",
    "{h:d}:{m:d}:{s:d}.{f:d} -> ",
    "{h:d}:{m:d}:{s:d}.{f:d} ",
};

const std::vector<TextPattern>& compiledPrefixes() {
    static const std::vector<TextPattern> all(prefixes.begin(), prefixes.end());
    return all;
}

constexpr std::string_view runtimeEndings[] = {".cpp", ".h", ".mm", ".m", ".c", ".cc"};

/// Uses the fields of a prefix. False: the match is an accident, such as "note: " for "{level}/{tag}".
bool useFields(const PatternFields& fields, PlainLine& line) {
    for (const auto& [name, value] : fields) {
        if (name == "level") {
            if (value.size() > 1 && value != "ERROR" && value != "INFO" && value != "WARNING") {
                return false;
            }
            line.level = value.front();
        } else if (name == "source") {
            line.source = value;
        }
    }
    return true;
}

/// Length of the escape sequence that starts here, without the end of the line.
std::size_t escapeLength(std::string_view text) {
    if (text.size() < 2 || text[1] == '\n') {
        return 1;
    }
    std::size_t at = 2;
    if (text[1] == '[') {
        while (at < text.size() && text[at] >= 0x20 && text[at] < 0x40) {
            ++at;
        }
        return at < text.size() && text[at] != '\n' ? at + 1 : at;
    }
    if (text[1] == ']') {
        constexpr std::size_t longest = 256;
        const std::size_t end = text.substr(0, longest).find_first_of("\a\n\x1b");
        return end == std::string_view::npos || end < 2 ? at : end;
    }
    return at;
}

}  // namespace

PlainLine withoutPrefix(std::string_view line) {
    PlainLine plain{.text = line};
    constexpr int nested = 4;
    for (int i = 0; i < nested; ++i) {
        plain.text.remove_prefix(std::min(plain.text.find_first_not_of(" \t"), plain.text.size()));
        bool found = false;
        for (const TextPattern& prefix : compiledPrefixes()) {
            const auto match = prefix.matchStart(plain.text);
            if (match && match->length < plain.text.size() && useFields(match->fields, plain)) {
                plain.text.remove_prefix(match->length);
                found = true;
                break;
            }
        }
        if (!found) {
            break;
        }
    }
    const bool isFile = std::ranges::any_of(
        runtimeEndings, [&](std::string_view ending) { return plain.source.ends_with(ending); });
    if (!isFile && plain.source.contains('.')) {
        plain.source = {};
    }
    return plain;
}

void appendClean(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const std::size_t plain = std::min(text.find_first_of(std::string_view("\x1b\0", 2)), text.size());
        out += text.substr(0, plain);
        text.remove_prefix(plain);
        if (!text.empty()) {
            text.remove_prefix(text.front() == '\0' ? 1 : escapeLength(text));
        }
    }
}

std::string cleanLine(std::string_view line, std::size_t limit) {
    std::string out;
    constexpr std::size_t escapes = 4;
    appendClean(out, line.substr(0, limit * escapes));
    std::erase_if(out, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
    std::ranges::replace(out, '\t', ' ');
    out = core::utf8Repaired(out);
    if (out.size() > limit) {
        out.resize(limit);
        while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xc0U) == 0x80U) {
            out.pop_back();
        }
        if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xc0U) {
            out.pop_back();
        }
        out += "…";
    }
    return out;
}

}  // namespace et::inspector
