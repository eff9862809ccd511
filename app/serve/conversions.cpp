#include "app/serve/conversions.h"

#include <fmt/format.h>

#include <type_traits>
#include <variant>

namespace et::serve {
namespace {

using inspector::format::Cell;

Value dictOfCells(const inspector::format::Dict& entries) {
    Dict out;
    for (const auto& [key, cell] : entries) {
        out[key] = cellValue(cell);
    }
    return out;
}

}  // namespace

Value text(std::string_view bytes) {
    return Text{.bytes = std::string(bytes)};
}

List texts(std::span<const std::string> all) {
    return collected(all, [](const std::string& each) { return text(each); });
}

Value printed(std::string_view bytes) {
    return Text{.bytes = std::string(bytes), .escaped = true};
}

Value bytesValue(std::vector<std::byte> bytes) {
    auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return Blob{.bytes = *owner, .owner = owner};
}

Value cellValue(const Cell& cell) {
    return std::visit(
        [](const auto& held) -> Value {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::monostate>) {
                return {};
            } else if constexpr (std::is_same_v<Held, inspector::format::List>) {
                return collected(held, [](const Cell& each) { return cellValue(each); });
            } else if constexpr (std::is_same_v<Held, inspector::format::Dict>) {
                return dictOfCells(held);
            } else {
                return valueOf(held);
            }
        },
        static_cast<const Cell::variant&>(cell));
}

void refuseType(std::string_view expected, const Value& given) {
    raise("TypeError", fmt::format("expected {}, got {}", expected, given.typeName()));
}

void refuseRange(const Value& given) {
    if (given.as<std::int64_t>() != nullptr || given.as<std::uint64_t>() != nullptr) {
        raise("TypeError", "an integer is out of range");
    }
    refuseType("int", given);
}

Value takeEntry(Dict& dict, std::string_view key) {
    for (auto& [name, value] : dict.entries) {
        if (const auto* const given = name.as<Text>(); given != nullptr && given->bytes == key) {
            return std::move(value);
        }
    }
    raise("KeyError", std::string(key));
}

List Argument<List>::from(Value& value) {
    if (auto* const list = value.as<List>()) {
        return std::move(*list);
    }
    if (auto* const tuple = value.as<Tuple>()) {
        return std::move(tuple->items);
    }
    refuseType("list", value);
}

Dict Argument<Dict>::from(Value& value) {
    if (auto* const dict = value.as<Dict>()) {
        return std::move(*dict);
    }
    refuseType("dict", value);
}

bool Argument<bool>::from(Value& value) {
    if (const auto* const truth = value.as<bool>()) {
        return *truth;
    }
    refuseType("bool", value);
}

double Argument<double>::from(Value& value) {
    if (const auto* const number = value.as<double>()) {
        return *number;
    }
    if (const auto* const integer = value.as<std::int64_t>()) {
        return static_cast<double>(*integer);
    }
    refuseType("float", value);
}

std::string Argument<std::string>::from(Value& value) {
    if (auto* const given = value.as<Text>()) {
        return std::move(given->bytes);
    }
    refuseType("str", value);
}

std::filesystem::path Argument<std::filesystem::path>::from(Value& value) {
    std::string name = Argument<std::string>::from(value);
    if (name.contains('\0')) {
        raise("ValueError", "a path with a null byte");
    }
    return name;
}

}  // namespace et::serve
