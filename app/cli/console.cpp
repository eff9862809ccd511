#include "app/cli/console.h"

#include "app/cli/output_options.h"
#include "app/cli/standard_input.h"
#include "inspector/format/quantities.h"
#include "inspector/format/text_columns.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <string>

namespace et::cli {
namespace {

constexpr std::size_t usualWidth = 80;

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view{} : value;
}

std::size_t terminalWidth(int descriptor) {
    const std::string_view asked = environment("COLUMNS");
    std::size_t width = 0;
    const auto [end, error] = std::from_chars(asked.data(), asked.data() + asked.size(), width);
    if (error == std::errc{} && end == asked.data() + asked.size() && width > 0) {
        return width;
    }
    winsize size{};
    const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : usualWidth;
}

/// Like setlocale(), uses the first of these variables that is not empty.
bool localeIsUtf8() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        if (const std::string_view locale = environment(name); !locale.empty()) {
            return locale.contains("UTF-8") || locale.contains("utf8") || locale.contains("UTF8") ||
                   locale.contains("utf-8");
        }
    }
    return false;
}

/// Returns the length of a color of our tables at the start of `text`, or 0.
std::size_t colourLength(std::string_view text) {
    const auto& codes = inspector::format::tintCodes;
    const auto* const found =
        std::ranges::find_if(codes, [&](std::string_view code) { return text.starts_with(code); });
    return found == codes.end() ? 0 : found->size();
}

/// Escapes control characters that a command did not escape: only line breaks, tabs and, if `keepColours`,
/// colors reach a terminal.
std::string withoutControls(std::string_view text, bool keepColours) {
    if (!keepColours) {
        return terminalSafe(text);
    }
    std::string safe;
    while (!text.empty()) {
        const std::size_t colour = colourLength(text);
        const std::size_t next = colour > 0 ? colour : text.find('\x1b', 1);
        const std::string_view part = text.substr(0, next);
        safe += colour > 0 ? std::string(part) : terminalSafe(part);
        text.remove_prefix(part.size());
    }
    return safe;
}

void writeLine(std::string_view prefix, std::string_view line) {
    const std::string text = fmt::format("{}{}\n", prefix, namingStandardInput(core::printable(line)));
    // If stderr does not work, the error cannot be reported.
    static_cast<void>(tasks::writeTo(STDERR_FILENO, "stderr", tasks::producerOf(text)));
}

}  // namespace

Console Console::ofProcess() {
    std::signal(SIGPIPE, SIG_IGN);
    Console console;
    console.terminal = isatty(STDOUT_FILENO) == 1;
    if (console.terminal) {
        console.asciiTerminal = !localeIsUtf8();
        console.columns = terminalWidth(STDOUT_FILENO);
        console.colour = environment("NO_COLOR").empty() && environment("TERM") != "dumb";
    }
    return console;
}

core::Result<> Console::out(std::string_view text) {
    return out(tasks::producerOf(text));
}

core::Result<> Console::out(const tasks::Producer& producer) {
    if (readerGone) {
        return {};
    }
    const tasks::Producer named = namingStandardInput(producer);
    const auto forTerminal = [&](std::ostream& out) -> core::Result<> {
        std::ostringstream whole;
        ET_TRY(named(whole));
        const std::string safe = withoutControls(whole.view(), keepsColours);
        out << (asciiTerminal ? inspector::format::withAsciiUnits(safe) : safe);
        return {};
    };
    ET_ASSIGN(const tasks::Written written,
              tasks::writeTo(STDOUT_FILENO, "stdout", terminal ? tasks::Producer(forTerminal) : named));
    readerGone = written == tasks::Written::ReaderGone;
    return {};
}

void Console::complain(std::string_view line) {
    writeLine("et-inspect: ", line);
}

void Console::warn(std::string_view line) {
    writeLine("et-inspect: warning: ", line);
}

void Console::warnAll(std::span<const std::string> lines) {
    for (const std::string& line : lines) {
        warn(line);
    }
}

}  // namespace et::cli
