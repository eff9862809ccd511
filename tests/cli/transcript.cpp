#include "tests/cli/transcript.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

namespace et::test {
namespace {

/// Returns the rest of `line` after "MARK " (or after "MARK" alone).
std::string afterMark(std::string_view line, std::size_t mark) {
    return std::string(line.substr(std::min(line.size(), mark + 1)));
}

std::string markedLines(std::string_view text, std::string_view mark) {
    std::string lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        const bool unfinished = end == std::string_view::npos;
        lines += fmt::format("{}{}{}{}\n", mark, unfinished ? "!" : "", line.empty() ? "" : " ", line);
        text.remove_prefix(unfinished ? text.size() : end + 1);
    }
    return lines;
}

unsigned short number(std::string_view text) {
    unsigned short value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

ProcessEnvironment makeEnvironment(const Step& step, const std::filesystem::path& folder) {
    ProcessEnvironment surroundings{.folder = folder, .environment = {}, .terminalColumns = {}};
    for (const std::string& line : step.setup) {
        const std::string_view setup = line;
        if (setup.starts_with("terminal ")) {
            surroundings.terminalColumns = number(setup.substr(9));
        } else if (setup.starts_with("env ")) {
            const std::size_t equals = setup.find('=');
            surroundings.environment.emplace_back(setup.substr(4, equals - 4), setup.substr(equals + 1));
        } else {
            ADD_FAILURE() << "unknown setup: " << line;
        }
    }
    return surroundings;
}

}  // namespace

Transcript Transcript::parse(const std::string& text) {
    Transcript transcript;
    std::vector<std::string> setup;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        Step* last = transcript.steps.empty() ? nullptr : &transcript.steps.back();
        const bool answers = last != nullptr && !last->command.empty();
        if (line.starts_with("$ ")) {
            transcript.steps.push_back({.comment = {},
                                        .command = line.substr(2),
                                        .setup = std::move(setup),
                                        .expected = {.code = 0, .out = {}, .err = {}}});
            setup.clear();
        } else if (line.starts_with("@ ")) {
            setup.push_back(line.substr(2));
        } else if (answers && line.starts_with(">!")) {
            last->expected.out += afterMark(line, 2);
        } else if (answers && line.starts_with(">")) {
            last->expected.out += afterMark(line, 1) + "\n";
        } else if (answers && line.starts_with("!")) {
            last->expected.err += afterMark(line, 1) + "\n";
        } else if (answers && line.starts_with("= ")) {
            last->expected.code = number(std::string_view(line).substr(2));
        } else {
            transcript.steps.push_back({.comment = line, .command = {}, .setup = {}, .expected = {}});
        }
    }
    return transcript;
}

std::string Transcript::format() const {
    std::string text;
    for (const Step& step : steps) {
        if (step.command.empty()) {
            text += step.comment + "\n";
            continue;
        }
        for (const std::string& setup : step.setup) {
            text += "@ " + setup + "\n";
        }
        text += "$ " + step.command + "\n" + markedLines(step.expected.out, ">") +
                markedLines(step.expected.err, "!");
        text += step.expected.code == 0 ? std::string{} : fmt::format("= {}\n", step.expected.code);
    }
    return text;
}

Outcome replay(const Step& step, const std::filesystem::path& folder) {
    return runShell(step.command, makeEnvironment(step, folder));
}

}  // namespace et::test
