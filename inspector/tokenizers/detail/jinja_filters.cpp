#include "inspector/tokenizers/detail/jinja_functions.h"
#include "inspector/tokenizers/detail/jinja_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace et::inspector::tokenizers::detail::jinja {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

struct Use {
    std::string_view name;
    const Value& value;
    const Arguments& arguments;
    Budget& budget;
};

Result<std::string> argumentText(const Use& use, std::size_t place, std::string_view name,
                                 std::string_view otherwise) {
    const Value* given = use.arguments.at(place, name);
    return given == nullptr ? Result<std::string>(std::string(otherwise)) : textOf(*given, use.budget);
}

Result<Value> made(std::string text, Budget& budget) {
    ET_TRY(budget.take(text.size()));
    return Value(std::move(text));
}

Result<Value> ofText(const Use& use) {
    ET_ASSIGN(const std::string text, textOf(use.value, use.budget));
    if (use.name == "upper") {
        return made(upper(text), use.budget);
    }
    if (use.name == "lower") {
        return made(lower(text), use.budget);
    }
    if (use.name == "trim") {
        ET_ASSIGN(const std::string letters, argumentText(use, 0, "chars", blanks));
        return made(stripped(text, letters, true, true), use.budget);
    }
    if (use.name == "capitalize" || use.name == "title") {
        return made(capitalized(text, use.name == "title"), use.budget);
    }
    if (use.name == "replace") {
        ET_ASSIGN(const std::string from, argumentText(use, 0, "old", ""));
        ET_ASSIGN(const std::string to, argumentText(use, 1, "new", ""));
        if (from.empty()) {
            return fail(ErrorCode::Format, "replace: missing text to replace");
        }
        ET_TRY(use.budget.take(text.size() / from.size() * to.size()));
        return made(replaced(text, from, to, std::numeric_limits<std::size_t>::max()), use.budget);
    }
    if (use.name == "indent") {
        const Value* width = use.arguments.at(0, "width");
        const Value* first = use.arguments.at(1, "first");
        const auto spaces = static_cast<std::size_t>(
            std::clamp<std::int64_t>(width == nullptr ? 4 : width->integer().value_or(4), 0, 64));
        const std::string step(spaces, ' ');
        const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
        ET_TRY(use.budget.take((lines + 1) * spaces));
        std::string out = first != nullptr && first->isTrue() ? step : std::string();
        for (std::size_t at = 0; at < text.size(); ++at) {
            out += text[at];
            const bool lineFollows = text[at] == '\n' && at + 1 < text.size() && text[at + 1] != '\n';
            out += lineFollows ? step : std::string();
        }
        return made(std::move(out), use.budget);
    }
    return made(text, use.budget);  // string, safe
}

Result<Value> escaped(const Use& use) {
    ET_ASSIGN(const std::string text, textOf(use.value, use.budget));
    std::string out;
    for (const char letter : text) {
        out += letter == '&'    ? "&amp;"
               : letter == '<'  ? "&lt;"
               : letter == '>'  ? "&gt;"
               : letter == '"'  ? "&#34;"
               : letter == '\'' ? "&#39;"
                                : std::string(1, letter);
    }
    return made(std::move(out), use.budget);
}

Result<Value> toNumber(const Use& use) {
    const bool isInt = use.name == "int";
    double number = 0;
    if (const auto given = use.value.number()) {
        if (isInt && use.value.integer()) {
            return Value(*use.value.integer());
        }
        number = *given;
    } else if (const auto* text = use.value.as<std::string>()) {
        const std::string plain = stripped(*text, blanks, true, true);
        const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
        const bool read = error == std::errc{} && end == plain.data() + plain.size();
        const Value* otherwise = use.arguments.at(0, "default");
        if (!read) {
            return otherwise != nullptr ? *otherwise : isInt ? Value(std::int64_t{0}) : Value(0.0);
        }
    }
    constexpr double largest = 9e18;
    if (isInt && !(std::abs(number) < largest)) {
        return fail(ErrorCode::Limit, "a number is too large");
    }
    return isInt ? Value(static_cast<std::int64_t>(number)) : Value(number);
}

Result<Value> length(const Value& value) {
    if (const Dict* dict = value.entries()) {
        return Value(static_cast<std::int64_t>(dict->entries.size()));
    }
    ET_ASSIGN(const List items, itemsOf(value));
    return Value(static_cast<std::int64_t>(items.size()));
}

Result<Value> toJson(const Use& use) {
    const Value* indent = use.arguments.at(std::numeric_limits<std::size_t>::max(), "indent");
    const auto spaces = indent == nullptr ? std::nullopt : indent->integer();
    ET_ASSIGN(
        std::string text,
        jsonOf(use.value,
               spaces ? std::optional(static_cast<std::size_t>(std::clamp<std::int64_t>(*spaces, 0, 16)))
                      : std::nullopt,
               use.budget));
    return made(std::move(text), use.budget);
}

Result<Value> joinedItems(const Use& use, const List& items) {
    ET_ASSIGN(const std::string between, argumentText(use, 0, "d", ""));
    const Value* of = use.arguments.at(1, "attribute");
    std::string out;
    for (std::size_t i = 0; i < items.size(); ++i) {
        ET_ASSIGN(const Value item, of == nullptr ? Result<Value>(items[i]) : attribute(items[i], *of));
        ET_ASSIGN(const std::string text, textOf(item, use.budget));
        ET_TRY(use.budget.take(between.size() + text.size()));
        out += (i == 0 ? "" : between) + text;
    }
    return Value(std::move(out));
}

/// select, reject, selectattr, rejectattr.
Result<Value> selected(const Use& use, const List& items) {
    const bool byAttribute = use.name.ends_with("attr");
    const std::size_t first = byAttribute ? 1 : 0;
    if (byAttribute && use.arguments.all.empty()) {
        return fail(ErrorCode::Format, fmt::format("{}: missing attribute", use.name));
    }
    Arguments rest;
    for (std::size_t i = first + 1; i < use.arguments.all.size(); ++i) {
        rest.all.push_back(use.arguments.all[i]);
    }
    List kept;
    for (const Value& item : items) {
        ET_ASSIGN(const Value asked,
                  byAttribute ? attribute(item, use.arguments.all[0]) : Result<Value>(item));
        bool holds = asked.isTrue();
        if (use.arguments.all.size() > first) {
            ET_ASSIGN(const std::string name, textOf(use.arguments.all[first], use.budget));
            ET_ASSIGN(holds, test(name, asked, rest, use.budget));
        }
        if (holds == use.name.starts_with("select")) {
            kept.push_back(item);
        }
    }
    return Value::list(std::move(kept));
}

/// map(attribute='x', default=y) or map('filter').
Result<Value> mapped(const Use& use, const List& items) {
    const Value* of = use.arguments.at(std::numeric_limits<std::size_t>::max(), "attribute");
    const Value* otherwise = use.arguments.at(std::numeric_limits<std::size_t>::max(), "default");
    List out;
    for (const Value& item : items) {
        if (of != nullptr) {
            ET_ASSIGN(Value got, attribute(item, *of));
            if (got.isUndefined() && otherwise != nullptr) {
                got = *otherwise;
            }
            out.push_back(std::move(got));
            continue;
        }
        const Value* name = use.arguments.at(0, "");
        if (name == nullptr || name->as<std::string>() == nullptr || *name->as<std::string>() == "map") {
            return fail(ErrorCode::Unsupported, "map: expected attribute= or the name of a filter");
        }
        Arguments rest;
        rest.all.assign(use.arguments.all.begin() + 1, use.arguments.all.end());
        ET_ASSIGN(Value got, filter(*name->as<std::string>(), item, rest, use.budget));
        out.push_back(std::move(got));
    }
    return Value::list(std::move(out));
}

Result<Value> sorted(const Use& use, List items) {
    const Value* reverse = use.arguments.at(0, "reverse");
    const Value* of = use.arguments.at(std::numeric_limits<std::size_t>::max(), "attribute");
    std::vector<std::pair<Value, Value>> keyed;
    for (Value& item : items) {
        ET_ASSIGN(Value key, of == nullptr ? Result<Value>(item) : attribute(item, *of));
        ET_TRY(compare(key, keyed.empty() ? key : keyed.front().first));
        keyed.emplace_back(std::move(key), std::move(item));
    }
    std::ranges::stable_sort(
        keyed, [](const auto& a, const auto& b) { return compare(a.first, b.first).value_or(0) < 0; });
    List out;
    for (auto& [key, item] : keyed) {
        out.push_back(std::move(item));
    }
    if (reverse != nullptr && reverse->isTrue()) {
        std::ranges::reverse(out);
    }
    return Value::list(std::move(out));
}

Result<Value> pairsOf(const Use& use) {
    const Dict* dict = use.value.entries();
    if (dict == nullptr) {
        return use.value.isUndefined()
                   ? Result<Value>(Value::list({}))
                   : fail(ErrorCode::Format, fmt::format("{} is not iterable", use.value.kind()));
    }
    List pairs;
    for (const auto& [key, content] : dict->entries) {
        pairs.push_back(Value::list({Value(key), content}));
    }
    if (use.name == "dictsort") {
        std::ranges::stable_sort(
            pairs, {}, [](const Value& pair) { return lower(*pair.items()->front().as<std::string>()); });
    }
    return Value::list(std::move(pairs));
}

Result<Value> ofList(const Use& use) {
    ET_ASSIGN(List items, itemsOf(use.value));
    ET_TRY(use.budget.step(items.size()));
    if (use.name == "join") {
        return joinedItems(use, items);
    }
    if (use.name == "first" || use.name == "last") {
        return items.empty()         ? Value(Undefined{std::string(use.name)})
               : use.name == "first" ? items.front()
                                     : items.back();
    }
    if (use.name == "map") {
        return mapped(use, items);
    }
    if (use.name == "sort") {
        return sorted(use, std::move(items));
    }
    if (use.name == "reverse") {
        std::ranges::reverse(items);
        if (use.value.as<std::string>() != nullptr) {
            const Arguments none;
            return joinedItems({.name = "join", .value = use.value, .arguments = none, .budget = use.budget},
                               items);
        }
        return Value::list(std::move(items));
    }
    if (use.name == "unique") {
        List kept;
        for (const Value& item : items) {
            ET_TRY(use.budget.step(kept.size()));
            ET_ASSIGN(const bool known, contains(Value::list(kept), item, use.budget));
            if (!known) {
                kept.push_back(item);
            }
        }
        return Value::list(std::move(kept));
    }
    return use.name == "list" ? Value::list(std::move(items)) : selected(use, items);
}

Result<Value> defaulted(const Use& use) {
    const Value* otherwise = use.arguments.at(0, "default_value");
    const Value* falseToo = use.arguments.at(1, "boolean");
    const bool replaces =
        use.value.isUndefined() || (falseToo != nullptr && falseToo->isTrue() && !use.value.isTrue());
    return !replaces ? use.value : otherwise == nullptr ? Value(std::string()) : *otherwise;
}

Result<Value> absolute(const Use& use) {
    if (const auto whole = use.value.integer(); whole && *whole != std::numeric_limits<std::int64_t>::min()) {
        return Value(std::abs(*whole));
    }
    return Value(std::abs(use.value.number().value_or(0)));
}

struct FilterTraits {
    std::string_view name;
    Result<Value> (*run)(const Use&);
};
constexpr std::array filters{
    FilterTraits{"trim", ofText},
    FilterTraits{"upper", ofText},
    FilterTraits{"lower", ofText},
    FilterTraits{"title", ofText},
    FilterTraits{"capitalize", ofText},
    FilterTraits{"replace", ofText},
    FilterTraits{"indent", ofText},
    FilterTraits{"string", ofText},
    FilterTraits{"safe", ofText},
    FilterTraits{"escape", escaped},
    FilterTraits{"e", escaped},
    FilterTraits{"int", toNumber},
    FilterTraits{"float", toNumber},
    FilterTraits{"abs", absolute},
    FilterTraits{"tojson", toJson},
    FilterTraits{"default", defaulted},
    FilterTraits{"d", defaulted},
    FilterTraits{"items", pairsOf},
    FilterTraits{"dictsort", pairsOf},
    FilterTraits{"join", ofList},
    FilterTraits{"first", ofList},
    FilterTraits{"last", ofList},
    FilterTraits{"list", ofList},
    FilterTraits{"map", ofList},
    FilterTraits{"select", ofList},
    FilterTraits{"reject", ofList},
    FilterTraits{"selectattr", ofList},
    FilterTraits{"rejectattr", ofList},
    FilterTraits{"reverse", ofList},
    FilterTraits{"sort", ofList},
    FilterTraits{"unique", ofList},
    FilterTraits{"length", [](const Use& use) { return length(use.value); }},
    FilterTraits{"count", [](const Use& use) { return length(use.value); }},
};

}  // namespace

Result<Value> filter(std::string_view name, const Value& value, const Arguments& arguments, Budget& budget) {
    const auto* const found = std::ranges::find(filters, name, &FilterTraits::name);
    if (found == filters.end()) {
        return fail(ErrorCode::Unsupported, fmt::format("unknown filter '{}'", core::printable(name)));
    }
    return found->run({.name = found->name, .value = value, .arguments = arguments, .budget = budget});
}

}  // namespace et::inspector::tokenizers::detail::jinja
