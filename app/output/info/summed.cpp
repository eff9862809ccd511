#include "app/output/info/summed.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

namespace et::output {
namespace {

/// A list with many similar items.
struct Grouping {
    std::string_view key;
    std::string_view by;     ///< the member that distinguishes kinds; empty: all items are of one kind
    std::string_view named;  ///< the key of the summarized list
};
constexpr std::array groupings{
    Grouping{"delegates", "backend", "delegates_by_backend"},
    Grouping{"segments", "use", "segments_by_use"},
    Grouping{"named_data", "", "named_data"},
    Grouping{"external_tensors", "name", "external_tensors_by_name"},
    Grouping{"tensors", "name", "tensors_by_name"},
};

/// Numeric members whose sum is meaningless.
constexpr std::array<std::string_view, 4> places{"delegate", "instruction", "offset", "id"};

/// Lists up to this length are not summarized.
constexpr std::size_t longestWhole = 4;

bool isListOfDicts(const Cell& cell) {
    const auto* list = std::get_if<List>(&variantOf(cell));
    return list != nullptr && std::ranges::all_of(*list, [](const Cell& each) {
               return std::holds_alternative<Dict>(variantOf(each));
           });
}

/// Returns a name with its numbers replaced, as common to layers of a kind: "layers.*.wq.weight". For a hash:
/// "(hash)".
std::string makePattern(std::string_view name) {
    constexpr std::size_t shortestHash = 32;
    const bool isHash =
        name.size() >= shortestHash && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (isHash) {
        return "(hash)";
    }
    std::string pattern;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        const std::string_view part = name.substr(begin, end - begin);
        const bool isNumber = !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
        pattern += begin == 0 ? "" : ".";
        pattern += isNumber ? "*" : part;
        begin = end + 1;
    }
    return pattern;
}

std::string kindOf(const Dict& item, std::string_view by) {
    const auto found = std::ranges::find(item, by, &Dict::value_type::first);
    const auto* text = found == item.end() ? nullptr : std::get_if<std::string>(&variantOf(found->second));
    return text == nullptr ? std::string() : by == "name" ? makePattern(*text) : *text;
}

std::optional<std::uint64_t> amountOf(const Cell& cell) {
    if (const auto* number = std::get_if<std::uint64_t>(&variantOf(cell))) {
        return *number;
    }
    const auto* number = std::get_if<std::int64_t>(&variantOf(cell));
    return number == nullptr || *number < 0 ? std::nullopt
                                            : std::optional(static_cast<std::uint64_t>(*number));
}

void add(Dict& row, const Dict& item) {
    for (const auto& [key, value] : item) {
        const std::optional<std::uint64_t> number = amountOf(value);
        if (!number || std::ranges::contains(places, key)) {
            continue;
        }
        const auto known = std::ranges::find(row, key, &Dict::value_type::first);
        if (known == row.end()) {
            row.emplace_back(key, *number);
        } else {
            known->second = std::get<std::uint64_t>(variantOf(known->second)) + *number;
        }
    }
}

/// One row per kind, in order of first appearance.
List grouped(const List& items, const Grouping& grouping) {
    List rows;
    std::unordered_map<std::string, std::size_t> known;
    for (const Cell& each : items) {
        Dict item = std::get<Dict>(variantOf(each));
        const std::string kind = kindOf(item, grouping.by);
        const auto [place, isNew] = known.try_emplace(kind, rows.size());
        if (isNew) {
            Dict row;
            if (!grouping.by.empty()) {
                row.emplace_back(std::string(grouping.by), kind);
            }
            rows.emplace_back(std::move(row));
        }
        item.insert(item.begin(), {"count", std::uint64_t{1}});
        add(std::get<Dict>(rows[place->second]), item);
    }
    return rows;
}

Cell summedCell(Cell cell) {
    if (auto* dict = std::get_if<Dict>(&cell)) {
        return summed(std::move(*dict));
    }
    if (auto* list = std::get_if<List>(&cell)) {
        for (Cell& each : *list) {
            each = summedCell(std::move(each));
        }
    }
    return cell;
}

}  // namespace

Dict summed(Dict info) {
    for (auto& [key, value] : info) {
        const auto* const grouping = std::ranges::find(groupings, key, &Grouping::key);
        const auto* list = std::get_if<List>(&variantOf(value));
        if (grouping == groupings.end() || !isListOfDicts(value) || list->size() <= longestWhole) {
            value = summedCell(std::move(value));
            continue;
        }
        List rows = grouped(*list, *grouping);
        if (grouping->by == "name" && rows.size() * 2 > list->size()) {
            continue;  // individual names
        }
        key = grouping->named;
        value = grouping->by.empty() ? std::move(rows.front()) : Cell(std::move(rows));
    }
    return info;
}

}  // namespace et::output
