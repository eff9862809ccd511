#include "inspector/tokenizers/detail/jinja_functions.h"
#include "inspector/tokenizers/detail/jinja_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace et::inspector::tokenizers::detail::jinja {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

std::size_t mostOf(const Value* given) {
    const auto most = given == nullptr ? std::nullopt : given->integer();
    return most && *most >= 0 ? static_cast<std::size_t>(*most) : all;
}

std::string textAt(const Arguments& arguments, std::size_t place, std::string_view otherwise) {
    const Value* given = arguments.at(place, "");
    const auto* text = given == nullptr ? nullptr : given->as<std::string>();
    return std::string(text == nullptr ? otherwise : *text);
}

/// startswith and endswith accept a text or a list of texts.
bool beginsOrEnds(std::string_view text, const Arguments& arguments, bool begins) {
    const auto holds = [&](const Value& part) {
        const auto* piece = part.as<std::string>();
        return piece != nullptr && (begins ? text.starts_with(*piece) : text.ends_with(*piece));
    };
    const Value* given = arguments.at(0, "");
    const List* several = given == nullptr ? nullptr : given->items();
    return several != nullptr ? std::ranges::any_of(*several, holds) : given != nullptr && holds(*given);
}

Result<Value> ofString(std::string_view name, const std::string& text, const Arguments& arguments,
                       Budget& budget) {
    ET_TRY(budget.take(text.size()));
    if (name == "strip" || name == "lstrip" || name == "rstrip") {
        return Value(stripped(text, textAt(arguments, 0, blanks), name != "rstrip", name != "lstrip"));
    }
    if (name == "startswith" || name == "endswith") {
        return Value(beginsOrEnds(text, arguments, name == "startswith"));
    }
    if (name == "split") {
        List parts;
        for (std::string& part : split(text, textAt(arguments, 0, ""), mostOf(arguments.at(1, "maxsplit")))) {
            parts.emplace_back(std::move(part));
        }
        return Value::list(std::move(parts));
    }
    if (name == "upper" || name == "lower") {
        return Value(name == "upper" ? upper(text) : lower(text));
    }
    if (name == "title" || name == "capitalize") {
        return Value(capitalized(text, name == "title"));
    }
    if (name == "find" || name == "count") {
        const std::string part = textAt(arguments, 0, "");
        const std::size_t at = text.find(part);
        if (name == "find") {
            return Value(at == std::string::npos
                             ? std::int64_t{-1}
                             : static_cast<std::int64_t>(splitCharacters(text.substr(0, at)).size()));
        }
        const std::size_t parts =
            part.empty() ? splitCharacters(text).size() + 2 : split(text, part, all).size();
        return Value(static_cast<std::int64_t>(parts - 1));
    }
    return filter(name, Value(text), arguments, budget);  // replace, join
}

Result<Value> ofDict(std::string_view name, const Value& value, const Arguments& arguments, Budget& budget) {
    const Dict& dict = *value.entries();
    if (name == "items") {
        return filter("items", value, {}, budget);
    }
    if (name == "keys") {
        return filter("list", value, {}, budget);
    }
    if (name == "values") {
        List values;
        for (const auto& [key, content] : dict.entries) {
            values.push_back(content);
        }
        return Value::list(std::move(values));
    }
    const Value* found = dict.find(textAt(arguments, 0, ""));
    const Value* otherwise = arguments.at(1, "default");
    return found != nullptr ? *found : otherwise != nullptr ? *otherwise : Value(None{});
}

constexpr std::array<std::string_view, 13> stringMethods{
    "strip", "lstrip", "rstrip",     "startswith", "endswith", "split",  "upper",
    "lower", "title",  "capitalize", "find",       "count",    "replace"};
constexpr std::array<std::string_view, 4> dictMethods{"items", "keys", "values", "get"};

bool isWhole(const Value& value) {
    return value.as<std::int64_t>() != nullptr;
}
bool isReal(const Value& value) {
    return value.as<double>() != nullptr;
}
bool isText(const Value& value) {
    return value.as<std::string>() != nullptr;
}
bool isBool(const Value& value) {
    return value.as<bool>() != nullptr;
}
bool isSequence(const Value& value) {
    return isText(value) || value.items() != nullptr || value.entries() != nullptr;
}

/// A test with one operand.
struct TestTraits {
    std::string_view name;
    bool (*holds)(const Value&);
};
constexpr std::array tests{
    TestTraits{"defined", [](const Value& value) { return !value.isUndefined(); }},
    TestTraits{"undefined", [](const Value& value) { return value.isUndefined(); }},
    TestTraits{"none", [](const Value& value) { return value.as<None>() != nullptr; }},
    TestTraits{"string", isText},
    TestTraits{"mapping", [](const Value& value) { return value.entries() != nullptr; }},
    TestTraits{"sequence", isSequence},
    TestTraits{"iterable", isSequence},
    TestTraits{"number", [](const Value& value) { return value.number().has_value(); }},
    TestTraits{"integer", isWhole},
    TestTraits{"float", isReal},
    TestTraits{"boolean", isBool},
    TestTraits{"true", [](const Value& value) { return isBool(value) && value.isTrue(); }},
    TestTraits{"false", [](const Value& value) { return isBool(value) && !value.isTrue(); }},
    TestTraits{"callable", [](const Value& value) { return value.as<const MacroNode*>() != nullptr; }},
    TestTraits{"odd", [](const Value& value) { return value.integer().value_or(0) % 2 != 0; }},
    TestTraits{"even", [](const Value& value) { return value.integer().value_or(1) % 2 == 0; }},
    TestTraits{"lower",
               [](const Value& value) {
                   return isText(value) && lower(*value.as<std::string>()) == *value.as<std::string>();
               }},
    TestTraits{"upper",
               [](const Value& value) {
                   return isText(value) && upper(*value.as<std::string>()) == *value.as<std::string>();
               }},
};

/// A test that is equivalent to a comparison operator.
struct ComparingTest {
    std::string_view name;
    std::string_view sign;
};
constexpr std::array comparingTests{
    ComparingTest{"eq", "=="}, ComparingTest{"equalto", "=="}, ComparingTest{"==", "=="},
    ComparingTest{"ne", "!="}, ComparingTest{"!=", "!="},      ComparingTest{"lt", "<"},
    ComparingTest{"gt", ">"},  ComparingTest{"le", "<="},      ComparingTest{"ge", ">="},
    ComparingTest{"in", "in"},
};

}  // namespace

const Value* Arguments::at(std::size_t place, std::string_view name) const {
    const auto found = std::ranges::find(named, name, &std::pair<std::string, Value>::first);
    if (found != named.end()) {
        return &found->second;
    }
    return place < all.size() ? &all[place] : nullptr;
}

Result<bool> test(std::string_view name, const Value& value, const Arguments& arguments, Budget& budget) {
    if (const auto* const found = std::ranges::find(tests, name, &TestTraits::name); found != tests.end()) {
        return found->holds(value);
    }
    const Value* other = arguments.at(0, "");
    if (name == "divisibleby" && other != nullptr) {
        const std::int64_t by = other->integer().value_or(0);
        return by != 0 && by != -1 ? value.integer().value_or(1) % by == 0 : by == -1;
    }
    const auto* const compares = std::ranges::find(comparingTests, name, &ComparingTest::name);
    if (compares == comparingTests.end() || other == nullptr) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("unknown test '{}'{}", core::printable(name),
                                compares == comparingTests.end() ? "" : " with one argument"));
    }
    ET_ASSIGN(const Value holds, binary(compares->sign, value, *other, budget));
    return holds.isTrue();
}

Result<Value> method(std::string_view name, const Value& value, const Arguments& arguments, Budget& budget) {
    if (const auto* text = value.as<std::string>()) {
        if (name == "join") {
            const Value* items = arguments.at(0, "");
            return filter("join", items == nullptr ? Value() : *items, {.all = {value}, .named = {}}, budget);
        }
        if (std::ranges::contains(stringMethods, name)) {
            return ofString(name, *text, arguments, budget);
        }
    }
    if (value.entries() != nullptr && std::ranges::contains(dictMethods, name)) {
        return ofDict(name, value, arguments, budget);
    }
    if (const auto* missing = value.as<Undefined>()) {
        return fail(ErrorCode::Format, fmt::format("'{}' is undefined", core::printable(missing->name)));
    }
    return fail(ErrorCode::Unsupported,
                fmt::format("{} has no method '{}'", value.kind(), core::printable(name)));
}

}  // namespace et::inspector::tokenizers::detail::jinja
