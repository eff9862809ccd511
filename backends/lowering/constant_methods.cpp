#include "backends/lowering/constant_methods.h"

#include "runtime/core/scalar_type.h"
#include "runtime/program/constant_method.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace et::backends::lowering {
namespace {

using program::ValueId;

/// Whether copied() supports the value.
bool isPlain(const program::Value& value) {
    if (const auto* tensor = value.as<program::TensorInfo>()) {
        return core::scalarType(tensor->scalarType) && tensor->initialData == program::InitialData::Program;
    }
    return !value.is<program::TensorList>() && !value.is<program::OptionalTensorList>();
}

ValueId copied(const program::Method& method, const program::Value& value, builder::MethodBuilder& to) {
    if (const auto* number = value.as<std::int64_t>()) {
        return to.integer(*number);
    }
    if (const auto* truth = value.as<bool>()) {
        return to.boolean(*truth);
    }
    if (const auto* real = value.as<double>()) {
        return to.real(*real);
    }
    if (const auto* text = value.as<std::string_view>()) {
        return to.text(*text);
    }
    if (const auto* list = value.as<program::IntList>()) {
        std::vector<std::int64_t> numbers;
        for (const ValueId item : list->items) {
            const auto* number = method.value(item).as<std::int64_t>();
            numbers.push_back(number == nullptr ? 0 : *number);
        }
        return to.integers(numbers);
    }
    if (const auto* list = value.as<program::DoubleList>()) {
        return to.reals(list->items);
    }
    if (const auto* list = value.as<program::BoolList>()) {
        return to.booleans(list->items);
    }
    if (const auto* tensor = value.as<program::TensorInfo>()) {
        return to.constant({.dtype = static_cast<core::ScalarType>(tensor->scalarType),
                            .sizes = {tensor->sizes.begin(), tensor->sizes.end()},
                            .dimOrder = {tensor->dimOrder.begin(), tensor->dimOrder.end()}},
                           tensor->data);
    }
    return to.none();
}

}  // namespace

void addConstantMethods(const program::Program& from, builder::ProgramBuilder& to) {
    for (const program::Method& method : from.methods) {
        const bool isWanted =
            program::isConstantMethod(method) &&
            std::ranges::all_of(method.outputs, [&](ValueId id) { return isPlain(method.value(id)); });
        if (!isWanted) {
            continue;
        }
        builder::MethodBuilder& made = to.method(method.name);
        for (const ValueId id : method.outputs) {
            made.output(copied(method, method.value(id), made));
        }
    }
}

}  // namespace et::backends::lowering
