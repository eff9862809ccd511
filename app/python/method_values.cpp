#include "app/python/method_values.h"

#include "app/python/cells.h"
#include "app/python/errors.h"
#include "app/python/tensors.h"

#include <span>
#include <type_traits>
#include <variant>

namespace et::python {
namespace {

namespace nb = nanobind;
using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;

template <class Items>
nb::object listOf(const Items& items) {
    return pythonList(items, [](const auto& each) { return nb::cast(each); });
}

/// Converts the items of a list of separate values; null becomes None.
nb::object listOfValues(const std::vector<core::Value*>& items, const TensorObject& tensor) {
    nb::list out;
    for (core::Value* const each : items) {
        out.append(each == nullptr ? nb::object(nb::none()) : methodValue(*each, tensor));
    }
    return out;
}

}  // namespace

nb::object methodValue(core::Value& value, const TensorObject& tensor) {
    if (auto* const held = value.as<core::Tensor>()) {
        return tensor(*held);
    }
    if (const auto* const integer = value.as<std::int64_t>()) {
        return nb::cast(*integer);
    }
    if (const auto* const number = value.as<double>()) {
        return nb::cast(*number);
    }
    if (const auto* const truth = value.as<bool>()) {
        return nb::cast(*truth);
    }
    if (const auto* const string = value.as<std::string_view>()) {
        return text(*string);
    }
    if (const auto* const integers = value.as<core::IntListValue>()) {
        return listOfValues(integers->items, tensor);
    }
    if (const auto* const numbers = value.as<core::DoubleListValue>()) {
        return listOf(numbers->numbers);
    }
    if (const auto* const truths = value.as<core::BoolListValue>()) {
        return listOf(std::span<const bool>(truths->numbers.get(), truths->size));
    }
    if (const auto* const all = value.as<core::TensorListValue>()) {
        return listOfValues(all->items, tensor);
    }
    return nb::none();
}

nb::object keptValue(const ReferenceValue& value) {
    return std::visit(
        [](const auto& held) -> nb::object {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::monostate>) {
                return nb::none();
            } else if constexpr (std::is_same_v<Held, ReferenceTensor>) {
                return array(static_cast<std::int8_t>(held.view.dtype()), held.view.sizes(),
                             held.view.dimOrder(), held.view.rawBytes(), held.owner);
            } else if constexpr (std::is_same_v<Held, std::string>) {
                return text(held);
            } else if constexpr (std::is_same_v<Held, ReferenceValue::List>) {
                return pythonList(held, [](const ReferenceValue& each) { return keptValue(each); });
            } else {
                return nb::cast(held);
            }
        },
        value.content);
}

}  // namespace et::python
