#include "app/cli/mcp/projection.h"

#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace et::cli::mcp {
namespace {

using dap::JsonValue;

/// A member that an answer contains, with its own members.
struct Member {
    std::string_view name;
    bool isList = false;
    std::vector<Member> members;
    std::string_view sortedBy = {};  ///< member of a list's elements
};

void addField(std::vector<Member>& members, std::string_view path, bool sorts) {
    const std::size_t dot = path.find('.');
    std::string_view name = path.substr(0, dot);
    const bool isList = name.ends_with("[]");
    name.remove_suffix(isList ? 2 : 0);
    auto found = std::ranges::find(members, name, &Member::name);
    if (found == members.end()) {
        members.push_back({.name = name, .isList = isList, .members = {}, .sortedBy = {}});
        found = std::prev(members.end());
    }
    if (dot != std::string_view::npos) {
        const std::string_view rest = path.substr(dot + 1);
        if (sorts && !rest.contains('.')) {
            found->sortedBy = rest;
        }
        addField(found->members, rest, sorts);
    }
}

Dict projectMembers(const JsonValue& object, const std::vector<Member>& members);

/// The number of an object's member; the smallest number if it has none.
double numberOf(const Cell& object, std::string_view name) {
    const auto& members = std::get<Dict>(object);
    const auto found =
        std::ranges::find(members, name, [](const auto& each) { return std::string_view(each.first); });
    const auto number = found == members.end() ? std::nullopt : inspector::format::cellNumber(found->second);
    return number.value_or(std::numeric_limits<double>::lowest());
}

Cell projectMember(const JsonValue& value, const Member& member) {
    if (member.members.empty()) {
        return value.cell();
    }
    if (!member.isList) {
        return value.isObject() ? Cell(projectMembers(value, member.members)) : Cell();
    }
    List all;
    for (const JsonValue& each : value.items()) {
        all.emplace_back(projectMembers(each, member.members));
    }
    if (!member.sortedBy.empty()) {
        std::ranges::stable_sort(all, std::greater(),
                                 [&](const Cell& each) { return numberOf(each, member.sortedBy); });
    }
    return all;
}

Dict projectMembers(const JsonValue& object, const std::vector<Member>& members) {
    Dict all;
    const auto present = object.members();
    for (const Member& each : members) {
        const auto found = std::ranges::find(present, each.name,
                                             [](const auto& pair) { return std::string_view(pair.first); });
        if (found != present.end()) {
            all.emplace_back(std::string(each.name), projectMember(found->second, each));
        }
    }
    return all;
}

/// Sizes of a shortened answer.
struct Limits {
    std::size_t objects;  ///< of a list
    std::size_t scalars;  ///< of a list
    std::size_t text;     ///< bytes
};
/// From the longest to the shortest answer.
constexpr Limits steps[] = {
    {.objects = 1000, .scalars = 256, .text = 2000}, {.objects = 200, .scalars = 64, .text = 1000},
    {.objects = 50, .scalars = 32, .text = 600},     {.objects = 30, .scalars = 16, .text = 600},
    {.objects = 20, .scalars = 16, .text = 600},     {.objects = 15, .scalars = 8, .text = 400},
    {.objects = 10, .scalars = 8, .text = 400},      {.objects = 8, .scalars = 8, .text = 300},
    {.objects = 6, .scalars = 6, .text = 300},       {.objects = 5, .scalars = 4, .text = 240},
    {.objects = 4, .scalars = 4, .text = 240},       {.objects = 3, .scalars = 4, .text = 200},
    {.objects = 2, .scalars = 4, .text = 160},       {.objects = 1, .scalars = 3, .text = 120},
    {.objects = 1, .scalars = 2, .text = 60},        {.objects = 0, .scalars = 1, .text = 60},
    {.objects = 0, .scalars = 0, .text = 30}};

/// Cuts at the start of a UTF-8 character.
std::string cutText(const std::string& text, std::size_t limit) {
    if (text.size() <= limit) {
        return text;
    }
    std::size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end) + "…";
}

class Shortener {
  public:
    explicit Shortener(const Limits& to) : limits(to) {}

    [[nodiscard]] Cell value(const Cell& of, const std::string& path) {
        if (const auto* text = std::get_if<std::string>(&of)) {
            return cutText(*text, limits.text);
        }
        if (const auto* list = std::get_if<List>(&of)) {
            return elements(*list, path, 0);
        }
        if (const auto* object = std::get_if<Dict>(&of)) {
            Dict all;
            for (const auto& [name, member] : *object) {
                all.emplace_back(name, value(member, path.empty() ? name : fmt::format("{}/{}", path, name)));
            }
            return all;
        }
        return of;
    }

    [[nodiscard]] Cell elements(const List& list, const std::string& path, std::size_t first) {
        const bool ofObjects =
            std::ranges::any_of(list, [](const Cell& each) { return std::holds_alternative<Dict>(each); });
        const std::size_t shown = std::min(list.size() - first, ofObjects ? limits.objects : limits.scalars);
        if ((ofObjects || path.empty()) && first + shown < list.size()) {
            cuts.push_back({.path = path, .first = first, .shown = shown, .size = list.size()});
        }
        List all;
        for (std::size_t at = first; at < first + shown; ++at) {
            all.push_back(value(list[at], fmt::format("{}/{}", path, at)));
        }
        return all;
    }

    [[nodiscard]] std::vector<ShortenedList> takeCuts() { return std::move(cuts); }

  private:
    const Limits& limits;
    std::vector<ShortenedList> cuts;
};

template <typename Make>
Shortened shortestThatFits(std::size_t maxBytes, const Make& make) {
    Shortened result;
    for (const Limits& limits : steps) {
        Shortener shortener(limits);
        result.value = make(shortener);
        result.lists = shortener.takeCuts();
        // Handles to the other elements.
        constexpr std::size_t bytesOfHandle = 90;
        std::string json;
        inspector::format::appendJson(json, result.value);
        if (json.size() + std::min<std::size_t>(result.lists.size(), 6) * bytesOfHandle <= maxBytes) {
            break;
        }
    }
    return result;
}

/// The value at a path of member names and positions.
const Cell* valueAt(const Cell& root, std::string_view path) {
    const Cell* at = &root;
    while (at != nullptr && !path.empty()) {
        const std::size_t slash = path.find('/');
        const std::string_view name = path.substr(0, slash);
        path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
        if (const auto* object = std::get_if<Dict>(at)) {
            const auto found = std::ranges::find(*object, name, &Dict::value_type::first);
            at = found == object->end() ? nullptr : &found->second;
        } else if (const auto* list = std::get_if<List>(at)) {
            std::size_t position = list->size();
            std::from_chars(name.begin(), name.end(), position);
            at = position < list->size() ? &(*list)[position] : nullptr;
        } else {
            at = nullptr;
        }
    }
    return at;
}

}  // namespace

Dict project(const JsonValue& document, const ResultShape& shape) {
    std::vector<Member> members;
    for (const ResultField& field : shape.fields) {
        addField(members, field.path, field.sorts);
    }
    if (shape.listName.empty()) {
        return projectMembers(document, members);
    }
    List all;
    const auto items = document.isList() ? document.items() : std::vector{document};
    for (const JsonValue& each : items) {
        all.emplace_back(projectMembers(each, members.front().members));
    }
    return {{std::string(shape.listName), std::move(all)}};
}

Shortened shorten(const Cell& value, std::size_t maxBytes) {
    return shortestThatFits(maxBytes, [&](Shortener& shortener) { return shortener.value(value, ""); });
}

Shortened shortenAt(const Cell& value, const std::string& path, std::size_t first, std::size_t maxBytes) {
    const Cell* const found = valueAt(value, path);
    const auto* list = found == nullptr ? nullptr : std::get_if<List>(found);
    if (list == nullptr || first >= list->size()) {
        return {};
    }
    // At least one element, so that the next handle leads further.
    Shortened best = shortestThatFits(
        maxBytes, [&](Shortener& shortener) { return shortener.elements(*list, path, first); });
    const auto* shown = std::get_if<List>(&best.value);
    if (shown != nullptr && shown->empty()) {
        Shortener shortener(steps[std::size(steps) - 4]);
        best.value = shortener.elements(*list, path, first);
        best.lists = shortener.takeCuts();
    }
    // The list itself first; always with a handle, also if its elements are no objects.
    if (const auto* elements = std::get_if<List>(&best.value);
        elements != nullptr && first + elements->size() < list->size()) {
        std::erase_if(best.lists, [&](const ShortenedList& each) { return each.path == path; });
        best.lists.insert(best.lists.begin(),
                          {.path = path, .first = first, .shown = elements->size(), .size = list->size()});
    }
    return best;
}

}  // namespace et::cli::mcp
