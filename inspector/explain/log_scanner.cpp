#include "inspector/explain/log_scanner.h"

#include "inspector/explain/log_prefix.h"

#include <algorithm>
#include <cstring>

namespace et::inspector {
namespace {

constexpr std::size_t maxText = 320;
constexpr std::size_t maxRaw = 4 * maxText;  ///< of a line that is cleaned later
constexpr std::string_view unknownError = "unknown-error";
constexpr std::string_view runtimeError = "runtime-error";

/// Removes the prefixes, and the lines that are known or no errors.
void finishUnknown(LogContent& content) {
    std::erase_if(content.unknown, [&](UnknownLine& each) {
        const std::string cleaned = cleanLine(each.text, maxText);
        const PlainLine plain = withoutPrefix(cleaned);
        const bool isError =
            plain.level == 0 || plain.level == 'E' || plain.level == 'F' || plain.level == 'A';
        each.text = std::string(plain.text);
        return !isError || std::ranges::any_of(content.sightings, [&](const Sighting& known) {
            return known.line == each.line && known.role != MessageRole::Context;
        });
    });
}

bool containsByte(std::string_view text, char byte) {
    return !text.empty() && std::memchr(&text.front(), byte, text.size()) != nullptr;
}

/// The line around a position.
std::string_view lineAround(std::string_view text, std::size_t position) {
    const std::size_t before = text.substr(0, position).find_last_of("\n\r");
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    return text.substr(start, text.find_first_of("\n\r", start) - start);
}

}  // namespace

bool LogContent::has(std::string_view message) const {
    const auto id = MessageIndex::get().find(message);
    return id && counts[*id] > 0;
}

LogScanner::LogScanner() : index(MessageIndex::get()) {
    content.counts.assign(index.count(), 0);
    lastStart.assign(index.count(), 0);
    unknownId = index.find(unknownError).value_or(index.count());
    runtimeId = index.find(runtimeError).value_or(index.count());
}

void LogScanner::add(std::string_view block) {
    content.bytes += block.size();
    while (!block.empty()) {
        std::string_view part = block.substr(0, std::size_t{1} << 18U);
        block.remove_prefix(part.size());
        rest += part;
        const std::size_t lastBreak = rest.rfind('\n');
        std::size_t complete = lastBreak == std::string::npos ? 0 : lastBreak + 1;
        if (rest.size() - complete > maxLine) {
            complete = rest.size();
        }
        scan(std::string_view(rest).substr(0, complete));
        rest.erase(0, complete);
    }
}

void LogScanner::scan(std::string_view text) {
    if (containsByte(text, '\x1b') || containsByte(text, '\0')) {
        clean.clear();
        appendClean(clean, text);
        text = clean;
    }
    lineStart = 0;
    std::ranges::fill(lastStart, 0);
    index.search().scan(text, [&](std::size_t end, std::size_t literal) { inspect(text, end, literal); });
    content.lines +=
        static_cast<std::uint64_t>(std::ranges::count(text.substr(std::min(lineStart, text.size())), '\n'));
}

void LogScanner::inspect(std::string_view text, std::size_t end, std::size_t literal) {
    std::string_view line;
    for (const std::size_t number : index.rowsOf(literal)) {
        const std::size_t id = index.rows()[number].id;
        if (content.counts[id] >= maxPerMessage && id != unknownId && id != runtimeId) {
            ++content.counts[id];
            continue;
        }
        if (line.empty()) {
            line = lineAround(text, end - 1);
            const auto start = static_cast<std::size_t>(line.begin() - text.begin());
            const std::size_t counted = std::min(lineStart, start);
            content.lines +=
                static_cast<std::uint64_t>(std::ranges::count(text.substr(counted, start - counted), '\n'));
            lineStart = std::max(lineStart, start);
        }
        // A line contains the anchors of several rows, and some twice.
        const std::size_t mark = static_cast<std::size_t>(line.begin() - text.begin()) + 1;
        if (lastStart[id] != mark) {
            lastStart[id] = mark;
            keep(line, id);
        }
    }
}

void LogScanner::keep(std::string_view line, std::size_t id) {
    for (const std::size_t number : index.rowsOfMessage(id)) {
        const MessageIndex::Row& row = index.rows()[number];
        const auto fields = row.pattern.find(line);
        if (!fields) {
            continue;
        }
        ++content.counts[id];
        if (id == unknownId || id == runtimeId) {
            keepUnknown(line.substr(0, maxRaw), id == runtimeId);
            return;
        }
        const std::string cleaned = cleanLine(line, maxText);
        const PlainLine plain = withoutPrefix(cleaned);
        Sighting sighting{.message = id,
                          .role = row.message->role,
                          .line = content.lines + 1,
                          .text = std::string(plain.text),
                          .source = std::string(plain.source)};
        for (const auto& [name, value] : *fields) {
            sighting.fields.emplace_back(name, cleanLine(value, TextPattern::maxField));
        }
        content.sightings.push_back(std::move(sighting));
        return;
    }
}

void LogScanner::keepUnknown(std::string_view line, bool isRuntime) {
    // A line has several anchors of such messages.
    if (!content.unknown.empty() && content.unknown.back().line == content.lines + 1) {
        content.unknown.back().isRuntime |= isRuntime;
        return;
    }
    if (content.unknown.size() == 2 * maxPerMessage) {
        content.unknown.erase(content.unknown.begin() + maxPerMessage);
    }
    content.unknown.push_back({.line = content.lines + 1, .text = std::string(line), .isRuntime = isRuntime});
}

LogContent LogScanner::finish() {
    scan(rest);
    content.lines += !rest.empty() && rest.back() != '\n' ? 1 : 0;
    rest.clear();
    finishUnknown(content);
    return std::move(content);
}

LogContent scanLog(std::string_view text) {
    LogScanner scanner;
    scanner.add(text);
    return scanner.finish();
}

}  // namespace et::inspector
