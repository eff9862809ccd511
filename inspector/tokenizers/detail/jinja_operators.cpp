#include "inspector/tokenizers/detail/jinja_functions.h"
#include "inspector/tokenizers/detail/jinja_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace et::inspector::tokenizers::detail::jinja {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

std::unexpected<core::Error> cannot(std::string_view sign, const Value& left, const Value& right) {
    return fail(ErrorCode::Format,
                fmt::format("unsupported operands: {} {} {}", left.kind(), sign, right.kind()));
}

/// As in Python: // and % round down.
Result<Value> whole(std::string_view sign, std::int64_t left, std::int64_t right) {
    std::int64_t out = 0;
    const bool divides = sign == "//" || sign == "%";
    if (divides && right == 0) {
        return fail(ErrorCode::Format, "division by zero");
    }
    bool over = false;
    if (sign == "+") {
        over = __builtin_add_overflow(left, right, &out);
    } else if (sign == "-") {
        over = __builtin_sub_overflow(left, right, &out);
    } else if (sign == "*") {
        over = __builtin_mul_overflow(left, right, &out);
    } else if (right == -1) {
        over = left == std::numeric_limits<std::int64_t>::min();
        out = sign == "%" || over ? 0 : -left;
    } else {
        const std::int64_t rest = left % right;
        const bool down = rest != 0 && (rest < 0) != (right < 0);
        out = sign == "%" ? rest + (down ? right : 0) : left / right - (down ? 1 : 0);
    }
    return over ? fail(ErrorCode::Limit, "a number is too large") : Result<Value>(out);
}

Result<Value> real(std::string_view sign, double left, double right) {
    if ((sign == "/" || sign == "//" || sign == "%") && right == 0) {
        return fail(ErrorCode::Format, "division by zero");
    }
    if (sign == "/") {
        return Value(left / right);
    }
    if (sign == "//") {
        return Value(std::floor(left / right));
    }
    if (sign == "%") {
        return Value(left - std::floor(left / right) * right);
    }
    return Value(sign == "+" ? left + right : sign == "-" ? left - right : left * right);
}

Result<Value> repeated(const std::string& text, std::int64_t count, Budget& budget) {
    const std::uint64_t times = count > 0 ? static_cast<std::uint64_t>(count) : 0;
    if (!text.empty() && times > budget.bytes / text.size()) {
        return fail(ErrorCode::Limit, "string too long");
    }
    ET_TRY(budget.take(text.size() * times));
    std::string out;
    for (std::uint64_t i = 0; i < times && !text.empty(); ++i) {
        out += text;
    }
    return Value(std::move(out));
}

/// Concatenates lists or texts.
Result<Value> joined(const Value& left, const Value& right, Budget& budget) {
    if (const auto *first = left.as<std::string>(), *second = right.as<std::string>();
        first != nullptr && second != nullptr) {
        ET_TRY(budget.take(first->size() + second->size()));
        return Value(*first + *second);
    }
    if (const List *first = left.items(), *second = right.items(); first != nullptr && second != nullptr) {
        ET_TRY(budget.step(first->size() + second->size()));
        List all = *first;
        all.insert(all.end(), second->begin(), second->end());
        return Value::list(std::move(all));
    }
    return cannot("+", left, right);
}

/// Clamps a slice bound to 0 to `size` (or -1 to size - 1 backwards).
Result<std::int64_t> bound(const Value& given, std::int64_t otherwise, std::int64_t size, bool backwards) {
    if (given.as<None>() != nullptr || given.isUndefined()) {
        return otherwise;
    }
    const auto at = given.integer();
    if (!at) {
        return fail(ErrorCode::Format, fmt::format("invalid slice bound: {}", given.kind()));
    }
    const std::int64_t from = *at < 0 ? std::max(*at, -size - 1) + size : *at;
    return backwards ? std::clamp<std::int64_t>(from, -1, size - 1) : std::clamp<std::int64_t>(from, 0, size);
}

}  // namespace

Result<Value> binary(std::string_view sign, const Value& left, const Value& right, Budget& budget) {
    if (sign == "==" || sign == "!=") {
        ET_ASSIGN(const bool same, equal(left, right, budget));
        return Value(same == (sign == "=="));
    }
    if (sign == "in") {
        ET_ASSIGN(const bool there, contains(right, left, budget));
        return Value(there);
    }
    if (sign == "~") {
        ET_ASSIGN(const std::string first, textOf(left, budget));
        ET_ASSIGN(const std::string second, textOf(right, budget));
        ET_TRY(budget.take(first.size() + second.size()));
        return Value(first + second);
    }
    if (sign[0] == '<' || sign[0] == '>') {
        ET_ASSIGN(const int order, compare(left, right));
        return Value(sign == "<"    ? order < 0
                     : sign == "<=" ? order <= 0
                     : sign == ">"  ? order > 0
                                    : order >= 0);
    }
    if (const auto first = left.integer(), second = right.integer(); first && second && sign != "/") {
        return whole(sign, *first, *second);
    }
    if (const auto first = left.number(), second = right.number(); first && second) {
        return real(sign, *first, *second);
    }
    if (const auto* text = left.as<std::string>(); sign == "*" && text != nullptr && right.integer()) {
        return repeated(*text, *right.integer(), budget);
    }
    return sign == "+" ? joined(left, right, budget) : cannot(sign, left, right);
}

Result<Value> slice(const Value& value, const std::vector<Value>& bounds, Budget& budget) {
    ET_ASSIGN(const List items, itemsOf(value));
    const bool isText = value.as<std::string>() != nullptr;
    if (!isText && value.items() == nullptr) {
        return fail(ErrorCode::Format, fmt::format("cannot slice {}", value.kind()));
    }
    const auto size = static_cast<std::int64_t>(items.size());
    ET_TRY(budget.step(items.size()));
    const bool hasStep = !bounds[2].isUndefined() && bounds[2].as<None>() == nullptr;
    const std::int64_t step = hasStep ? bounds[2].integer().value_or(0) : 1;
    if (step == 0) {
        return fail(ErrorCode::Format, "the step of a slice is zero or not a number");
    }
    const bool back = step < 0;
    ET_ASSIGN(const std::int64_t start, bound(bounds[0], back ? size - 1 : 0, size, back));
    ET_ASSIGN(const std::int64_t stop, bound(bounds[1], back ? -1 : size, size, back));
    List kept;
    std::string text;
    const std::int64_t stride = std::clamp<std::int64_t>(step, -size - 1, size + 1);
    for (std::int64_t at = start; back ? at > stop : at < stop; at += stride) {
        const Value& item = items[static_cast<std::size_t>(at)];
        if (isText) {
            text += *item.as<std::string>();
        } else {
            kept.push_back(item);
        }
    }
    ET_TRY(budget.take(text.size()));
    return isText ? Value(std::move(text)) : Value::list(std::move(kept));
}

Result<List> itemsOf(const Value& value) {
    if (const List* list = value.items()) {
        return *list;
    }
    List items;
    if (const Dict* dict = value.entries(); dict != nullptr && !dict->isNamespace) {
        for (const auto& [key, content] : dict->entries) {
            items.emplace_back(key);
        }
        return items;
    }
    if (const auto* text = value.as<std::string>()) {
        for (const std::string_view each : splitCharacters(*text)) {
            items.emplace_back(std::string(each));
        }
        return items;
    }
    if (value.isUndefined()) {
        return items;
    }
    return fail(ErrorCode::Format, fmt::format("{} is not a list", value.kind()));
}

Result<Value> attribute(const Value& value, const Value& name) {
    const auto* key = name.as<std::string>();
    if (const auto* missing = value.as<Undefined>()) {
        return fail(ErrorCode::Format, fmt::format("'{}' is undefined", core::printable(missing->name)));
    }
    if (const Dict* dict = value.entries(); dict != nullptr && key != nullptr) {
        const Value* found = dict->find(*key);
        return found != nullptr ? *found : Value(Undefined{*key});
    }
    if (const auto index = name.integer(); index && value.entries() == nullptr) {
        List characters;
        if (value.items() == nullptr) {
            ET_ASSIGN(characters, itemsOf(value));
        }
        const List& items = value.items() == nullptr ? characters : *value.items();
        const auto size = static_cast<std::int64_t>(items.size());
        const std::int64_t at = *index < 0 ? std::max(*index, -size - 1) + size : *index;
        return at >= 0 && at < size ? items[static_cast<std::size_t>(at)]
                                    : Value(Undefined{fmt::format("[{}]", *index)});
    }
    return Value(Undefined{key != nullptr ? *key : std::string("[]")});
}

}  // namespace et::inspector::tokenizers::detail::jinja
