#include "runtime/core/value.h"

#include <array>

namespace et::core {

std::optional<Scalar> Value::scalar() const {
    if (const auto* number = as<std::int64_t>()) {
        return Scalar(*number);
    }
    if (const auto* number = as<double>()) {
        return Scalar(*number);
    }
    if (const auto* truth = as<bool>()) {
        return Scalar(*truth);
    }
    return std::nullopt;
}

std::optional<std::span<const std::int64_t>> Value::ints() {
    auto* list = as<IntListValue>();
    if (list == nullptr) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const auto* number = list->items[i]->as<std::int64_t>();
        if (number == nullptr) {
            return std::nullopt;
        }
        list->numbers[i] = *number;
    }
    return list->numbers;
}

std::optional<std::span<Tensor* const>> Value::tensors(bool allowMissing) {
    auto* list = as<TensorListValue>();
    if (list == nullptr) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        Value* item = list->items[i];
        const bool missing = item == nullptr || item->isNone();
        list->tensors[i] = missing ? nullptr : item->as<Tensor>();
        if (list->tensors[i] == nullptr && !(missing && allowMissing)) {
            return std::nullopt;
        }
    }
    return list->tensors;
}

std::string_view Value::kindName() const {
    static constexpr std::array<std::string_view, std::variant_size_v<Kind>> names{
        "None",    "Tensor",     "Int",      "Double",     "Bool",  "String",
        "IntList", "DoubleList", "BoolList", "TensorList", "Tensor"};
    return names[kind.index()];
}

}  // namespace et::core
