#include "inspector/tokenizers/detail/jinja_value.h"

#include "runtime/core/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace et::inspector::tokenizers::detail::jinja {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t deepest = 32;

std::unexpected<core::Error> tooDeep() {
    return fail(ErrorCode::Limit, fmt::format("values nested more than {} levels deep", deepest));
}

std::string floatText(double number) {
    return std::isfinite(number) ? core::shortestNumber(number)
           : std::isnan(number)  ? "nan"
           : number > 0          ? "inf"
                                 : "-inf";
}

std::string quotedForJson(std::string_view text) {
    core::JsonWriter writer;
    writer.string(text);
    return writer.take();
}

/// As repr(), except for control characters other than newlines and tabs, which templates do not print.
std::string quotedForPython(std::string_view text) {
    const char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
    std::string out(1, quote);
    for (const char letter : text) {
        if (letter == '\n') {
            out += "\\n";
        } else if (letter == '\t') {
            out += "\\t";
        } else {
            out += letter == quote || letter == '\\' ? std::string{'\\', letter} : std::string(1, letter);
        }
    }
    return out + quote;
}

/// Writes values as Python literals or JSON.
class Writer {
  public:
    Writer(bool asJson, std::optional<std::size_t> step, Budget& given)
        : json(asJson), indent(step), budget(given) {}

    Result<> write(const Value& value, std::size_t depth) {
        if (depth > deepest) {
            return tooDeep();
        }
        // A value may contain the same value many times.
        ET_TRY(budget.step());
        if (const List* list = value.items()) {
            return writeAll('[', ']', list->size(), depth,
                            [&](std::size_t i) { return write((*list)[i], depth + 1); });
        }
        if (const Dict* dict = value.entries()) {
            return writeAll('{', '}', dict->entries.size(), depth, [&](std::size_t i) {
                const auto& [key, content] = dict->entries[i];
                out += (json ? quotedForJson(key) : quotedForPython(key)) + ": ";
                return write(content, depth + 1);
            });
        }
        return writeScalar(value);
    }
    std::string out;

  private:
    Result<> writeScalar(const Value& value) {
        if (const auto* text = value.as<std::string>()) {
            out += json ? quotedForJson(*text) : quotedForPython(*text);
        } else if (const auto* truth = value.as<bool>()) {
            out += json ? (*truth ? "true" : "false") : (*truth ? "True" : "False");
        } else if (const auto* whole = value.as<std::int64_t>()) {
            out += fmt::format("{}", *whole);
        } else if (const auto* real = value.as<double>()) {
            out += floatText(*real);
        } else if (value.as<None>() != nullptr) {
            out += json ? "null" : "None";
        } else if (json) {
            return fail(ErrorCode::Format, fmt::format("{} cannot be converted to JSON", value.kind()));
        } else {
            out += value.isUndefined() ? "Undefined" : "<macro>";
        }
        return {};
    }

    template <class Each>
    Result<> writeAll(char open, char close, std::size_t count, std::size_t depth, Each each) {
        const auto line = [&](std::size_t level) {
            if (indent && count > 0) {
                out += '\n' + std::string(*indent * level, ' ');
            }
        };
        out += open;
        for (std::size_t i = 0; i < count; ++i) {
            out += i == 0 ? "" : indent ? "," : ", ";
            line(depth + 1);
            ET_TRY(each(i));
        }
        line(depth);
        out += close;
        return {};
    }

    bool json;
    std::optional<std::size_t> indent;
    Budget& budget;
};

Result<bool> equalAt(const Value& a, const Value& b, std::size_t depth, Budget& budget) {
    if (depth > deepest) {
        return tooDeep();
    }
    ET_TRY(budget.step());
    if (const auto left = a.number(), right = b.number(); left && right) {
        return *left == *right;
    }
    if (const auto *left = a.as<std::string>(), *right = b.as<std::string>(); left && right) {
        return *left == *right;
    }
    if (const auto *left = a.items(), *right = b.items(); left && right) {
        bool same = left->size() == right->size();
        for (std::size_t i = 0; same && i < left->size(); ++i) {
            ET_ASSIGN(same, equalAt((*left)[i], (*right)[i], depth + 1, budget));
        }
        return same;
    }
    if (const auto *left = a.entries(), *right = b.entries(); left && right) {
        bool same = left->entries.size() == right->entries.size();
        for (std::size_t i = 0; same && i < left->entries.size(); ++i) {
            const Value* other = right->find(left->entries[i].first);
            same = other != nullptr;
            if (same) {
                ET_ASSIGN(same, equalAt(left->entries[i].second, *other, depth + 1, budget));
            }
        }
        return same;
    }
    return (a.as<None>() != nullptr && b.as<None>() != nullptr) || (a.isUndefined() && b.isUndefined());
}

}  // namespace

Result<> Budget::step(std::uint64_t count) {
    if (count > steps) {
        return fail(ErrorCode::Limit, "the template takes too many steps");
    }
    steps -= count;
    return {};
}

Result<> Budget::take(std::uint64_t count) {
    if (count > bytes) {
        return fail(ErrorCode::Limit, "the template produces too much text");
    }
    bytes -= count;
    return {};
}

const Value* Dict::find(std::string_view key) const {
    const auto found = std::ranges::find(entries, key, &std::pair<std::string, Value>::first);
    return found == entries.end() ? nullptr : &found->second;
}

void Dict::set(std::string_view key, Value value) {
    const auto found = std::ranges::find(entries, key, &std::pair<std::string, Value>::first);
    if (found == entries.end()) {
        entries.emplace_back(std::string(key), std::move(value));
    } else {
        found->second = std::move(value);
    }
}

const List* Value::items() const {
    const auto* list = as<std::shared_ptr<const List>>();
    return list == nullptr ? nullptr : list->get();
}

Dict* Value::entries() const {
    const auto* dict = as<std::shared_ptr<Dict>>();
    return dict == nullptr ? nullptr : dict->get();
}

bool Value::isNamespace() const {
    return entries() != nullptr && entries()->isNamespace;
}

bool Value::isTrue() const {
    if (const auto* text = as<std::string>()) {
        return !text->empty();
    }
    if (const List* list = items()) {
        return !list->empty();
    }
    if (const Dict* dict = entries()) {
        return dict->isNamespace || !dict->entries.empty();
    }
    const auto value = number();
    return value ? *value != 0 : as<const MacroNode*>() != nullptr;
}

std::optional<double> Value::number() const {
    if (const auto* real = as<double>()) {
        return *real;
    }
    const auto whole = integer();
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

std::optional<std::int64_t> Value::integer() const {
    if (const auto* truth = as<bool>()) {
        return *truth ? 1 : 0;
    }
    const auto* whole = as<std::int64_t>();
    return whole == nullptr ? std::nullopt : std::optional(*whole);
}

std::string_view Value::kind() const {
    constexpr std::array<std::string_view, 9> kinds{
        "an undefined value", "none",   "a bool",       "an integer", "a float",
        "a string",           "a list", "a dictionary", "a macro"};
    return kinds[content.index()];
}

Result<std::string> textOf(const Value& value, Budget& budget) {
    if (const auto* text = value.as<std::string>()) {
        return *text;
    }
    if (value.isUndefined()) {
        return std::string();
    }
    Writer writer(false, std::nullopt, budget);
    ET_TRY(writer.write(value, 0));
    return std::move(writer.out);
}

Result<std::string> jsonOf(const Value& value, std::optional<std::size_t> indent, Budget& budget) {
    Writer writer(true, indent, budget);
    ET_TRY(writer.write(value, 0));
    return std::move(writer.out);
}

Result<bool> equal(const Value& a, const Value& b, Budget& budget) {
    return equalAt(a, b, 0, budget);
}

Result<int> compare(const Value& a, const Value& b) {
    if (const auto left = a.number(), right = b.number(); left && right) {
        return *left < *right ? -1 : *left > *right ? 1 : 0;
    }
    if (const auto *left = a.as<std::string>(), *right = b.as<std::string>(); left && right) {
        return left->compare(*right);
    }
    return fail(ErrorCode::Format, fmt::format("{} and {} cannot be ordered", a.kind(), b.kind()));
}

Result<bool> contains(const Value& container, const Value& item, Budget& budget) {
    if (const auto* text = container.as<std::string>()) {
        const auto* part = item.as<std::string>();
        return part != nullptr
                   ? Result<bool>(text->contains(*part))
                   : fail(ErrorCode::Format, fmt::format("cannot search {} in a string", item.kind()));
    }
    if (const Dict* dict = container.entries()) {
        const auto* key = item.as<std::string>();
        return key != nullptr && dict->find(*key) != nullptr;
    }
    const List* list = container.items();
    if (list == nullptr) {
        return fail(ErrorCode::Format, fmt::format("{} does not contain values", container.kind()));
    }
    for (const Value& each : *list) {
        ET_ASSIGN(const bool same, equal(each, item, budget));
        if (same) {
            return true;
        }
    }
    return false;
}

}  // namespace et::inspector::tokenizers::detail::jinja
