#include "etrecord/detail/metadata.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace et::etrecord::detail {
namespace {

using core::Result;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\n");
    return first == std::string_view::npos ? ""
                                           : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// Position of the first `separator` outside all brackets; npos if there is none.
std::size_t findOutsideBrackets(std::string_view text, char separator) {
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '(' || c == '[' || c == '{') {
            ++depth;
        } else if ((c == ')' || c == ']' || c == '}') && depth > 0) {
            --depth;
        } else if (c == separator && depth == 0) {
            return at;
        }
    }
    return std::string_view::npos;
}

/// Removes `text` up to its first separator outside brackets and returns the removed field. Unclosed brackets
/// are ignored.
std::string_view cutField(std::string_view& text, char separator) {
    std::size_t end = findOutsideBrackets(text, separator);
    if (end == std::string_view::npos && std::ranges::count(text, '(') != std::ranges::count(text, ')')) {
        end = text.find(separator);
    }
    const std::string_view field = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return field;
}

std::string serializeHandles(const std::vector<core::DebugHandle>& handles) {
    if (handles.size() == 1) {
        return std::to_string(handles.front().value);
    }
    std::vector<std::int64_t> numbers;
    std::ranges::transform(handles, std::back_inserter(numbers), &core::DebugHandle::value);
    return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string serializeModuleStack(const std::vector<ModuleFrame>& frames) {
    std::string text;
    for (const ModuleFrame& frame : frames) {
        text += fmt::format("{}{},{},{}", text.empty() ? "" : ";", frame.path, frame.fqn, frame.type);
    }
    return text;
}

/// A metadata entry that corresponds to a field of Node.
struct KnownEntry {
    std::string_view key;
    void (*read)(std::string_view text, Node& node);
    std::string (*write)(const Node& node);  ///< returns empty if there is nothing to write
};
constexpr std::array knownEntries{
    KnownEntry{.key = "stack_trace",
               .read = [](std::string_view text, Node& node) { node.stackTrace = text; },
               .write = [](const Node& node) { return node.stackTrace; }},
    KnownEntry{.key = "nn_module_stack",
               .read = [](std::string_view text, Node& node) { node.moduleStack = parseModuleStack(text); },
               .write = [](const Node& node) { return serializeModuleStack(node.moduleStack); }},
    KnownEntry{.key = "debug_handle",
               .read = [](std::string_view text, Node& node) { node.debugHandles = parseHandles(text); },
               .write =
                   [](const Node& node) {
                       return node.debugHandles.empty() ? "" : serializeHandles(node.debugHandles);
                   }},
};

}  // namespace

Result<> readMetadata(const archive::JsonValue& json, Node& node) {
    return json.forEachMember([&](std::string_view key, const archive::JsonValue& value) -> Result<> {
        if (value.isNull()) {
            return {};
        }
        node.metadata.emplace_back(
            key,
            value.string().transform([](auto text) { return std::string(text); }).value_or(std::string()));
        std::string& text = node.metadata.back().second;
        if (!value.isString()) {
            text = value.text();
        }
        const auto* known = std::ranges::find(knownEntries, key, &KnownEntry::key);
        if (known != knownEntries.end()) {
            known->read(text, node);
        }
        return {};
    });
}

void writeMetadata(core::JsonWriter& out, const Node& node) {
    out.beginObject();
    for (const auto& [key, text] : node.metadata) {
        out.member(key, [&] { out.string(text); });
    }
    for (const KnownEntry& entry : knownEntries) {
        const bool present = std::ranges::contains(
            node.metadata, entry.key, [](const auto& each) { return std::string_view(each.first); });
        const std::string text = present ? std::string() : entry.write(node);
        if (!text.empty()) {
            out.member(entry.key, [&] { out.string(text); });
        }
    }
    out.endObject();
}

std::vector<core::DebugHandle> parseHandles(std::string_view text) {
    text = trimmed(text);
    const bool list = text.size() >= 2 && ((text.front() == '[' && text.back() == ']') ||
                                           (text.front() == '(' && text.back() == ')'));
    if (list) {
        text = trimmed(text.substr(1, text.size() - 2));
    }
    std::vector<core::DebugHandle> handles;
    while (!text.empty()) {
        const std::size_t comma = list ? text.find(',') : std::string_view::npos;
        const std::string_view number = trimmed(text.substr(0, comma));
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
        if (error != std::errc{} || end != number.data() + number.size()) {
            return {};
        }
        handles.emplace_back(value);
        text = comma == std::string_view::npos ? "" : trimmed(text.substr(comma + 1));
    }
    return handles;
}

std::vector<ModuleFrame> parseModuleStack(std::string_view text) {
    std::vector<ModuleFrame> frames;
    while (!text.empty()) {
        std::string_view rest = cutField(text, ';');
        ModuleFrame frame;
        frame.path = cutField(rest, ',');
        frame.fqn = cutField(rest, ',');
        frame.type = rest;
        frames.push_back(std::move(frame));
    }
    return frames;
}

}  // namespace et::etrecord::detail
