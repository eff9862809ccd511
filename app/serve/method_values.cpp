#include "app/serve/method_values.h"

#include "app/serve/conversions.h"
#include "app/serve/tensors.h"

#include <span>
#include <type_traits>
#include <variant>

namespace et::serve {
namespace {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;

/// Converts the items of a list of separate values; null becomes None.
List listOfValues(const std::vector<core::Value*>& items) {
    return collected(items,
                     [](core::Value* const each) { return each == nullptr ? Value() : methodValue(*each); });
}

}  // namespace

Value methodValue(core::Value& value) {
    if (const auto* const held = value.as<core::Tensor>()) {
        return copiedArray(*held);
    }
    if (const auto* const integer = value.as<std::int64_t>()) {
        return *integer;
    }
    if (const auto* const number = value.as<double>()) {
        return *number;
    }
    if (const auto* const truth = value.as<bool>()) {
        return *truth;
    }
    if (const auto* const string = value.as<std::string_view>()) {
        return text(*string);
    }
    if (const auto* const integers = value.as<core::IntListValue>()) {
        return listOfValues(integers->items);
    }
    if (const auto* const numbers = value.as<core::DoubleListValue>()) {
        return valueOf(numbers->numbers);
    }
    if (const auto* const truths = value.as<core::BoolListValue>()) {
        return valueOf(std::span<const bool>(truths->numbers.get(), truths->size));
    }
    if (const auto* const all = value.as<core::TensorListValue>()) {
        return listOfValues(all->items);
    }
    return {};
}

Value keptValue(const ReferenceValue& value) {
    return std::visit(
        [](const auto& held) -> Value {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::monostate>) {
                return {};
            } else if constexpr (std::is_same_v<Held, ReferenceTensor>) {
                return array(static_cast<std::int8_t>(held.view.dtype()), held.view.sizes(),
                             held.view.dimOrder(), held.view.rawBytes(), held.owner);
            } else if constexpr (std::is_same_v<Held, ReferenceValue::List>) {
                return collected(held, [](const ReferenceValue& each) { return keptValue(each); });
            } else {
                return valueOf(held);
            }
        },
        value.content);
}

}  // namespace et::serve
