#include "backends/reference/boxed_values.h"

#include "backends/reference/calls.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;
using core::Value;

template <class T>
bool holds(const ReferenceValue& value) {
    return value.as<T>() != nullptr;
}

ReferenceValue numberOf(const Value& value) {
    if (const auto* whole = value.as<std::int64_t>()) {
        return {*whole};
    }
    if (const auto* number = value.as<double>()) {
        return {*number};
    }
    const auto* truth = value.as<bool>();
    return truth == nullptr ? ReferenceValue{} : ReferenceValue{*truth};
}

}  // namespace

Result<Value*> BoxedValues::box(const ReferenceValue& value) {
    return std::visit(
        [&](const auto& content) -> Result<Value*> {
            using Content = std::remove_cvref_t<decltype(content)>;
            if constexpr (std::is_same_v<Content, ReferenceTensor>) {
                return keep(content.view);
            } else if constexpr (std::is_same_v<Content, std::string>) {
                return keep(std::string_view(content));
            } else if constexpr (std::is_same_v<Content, ReferenceValue::List>) {
                return boxList(content);
            } else {
                return keep(content);
            }
        },
        value.content);
}

Result<Value*> BoxedValues::boxList(const ReferenceValue::List& list) {
    if (std::ranges::any_of(list, holds<ReferenceTensor>) ||
        std::ranges::any_of(list, holds<std::monostate>)) {
        return boxTensors(list);
    }
    if (!std::ranges::all_of(list, [](const ReferenceValue& item) { return scalarOf(item).has_value(); })) {
        return core::fail(ErrorCode::InvalidArgument, "expected a list of tensors or of numbers");
    }
    return boxNumbers(list);
}

Result<Value*> BoxedValues::boxTensors(const ReferenceValue::List& list) {
    core::TensorListValue boxed;
    for (const ReferenceValue& item : list) {
        const auto* tensor = item.as<ReferenceTensor>();
        if (tensor == nullptr && !holds<std::monostate>(item)) {
            return core::fail(ErrorCode::InvalidArgument, "expected only tensors in a list of tensors");
        }
        boxed.optionalItems = boxed.optionalItems || tensor == nullptr;
        boxed.items.push_back(tensor == nullptr ? nullptr : keep(tensor->view));
    }
    boxed.tensors.assign(boxed.items.size(), nullptr);
    return keep(std::move(boxed));
}

Value* BoxedValues::boxNumbers(const ReferenceValue::List& list) {
    if (!list.empty() && std::ranges::all_of(list, holds<bool>)) {
        core::BoolListValue boxed{.numbers = std::make_unique<bool[]>(list.size()), .size = list.size()};
        std::ranges::transform(list, boxed.numbers.get(),
                               [](const ReferenceValue& item) { return scalarOf(item)->to<bool>(); });
        return keep(std::move(boxed));
    }
    if (std::ranges::any_of(list, holds<double>)) {
        core::DoubleListValue boxed;
        std::ranges::transform(list, std::back_inserter(boxed.numbers),
                               [](const ReferenceValue& item) { return scalarOf(item)->to<double>(); });
        return keep(std::move(boxed));
    }
    core::IntListValue boxed;
    for (const ReferenceValue& item : list) {
        boxed.items.push_back(keep(scalarOf(item)->to<std::int64_t>()));
    }
    boxed.numbers.assign(list.size(), 0);
    return keep(std::move(boxed));
}

Result<> BoxedValues::addArgument(const ReferenceValue& value) {
    ET_ASSIGN(Value * boxed, box(value));
    passed.push_back(boxed);
    return {};
}

Result<> BoxedValues::addTensor(core::ScalarType dtype, Written& result) {
    ET_ASSIGN(ResultTensor made, ResultTensor::make(dtype, budget));
    result.items.push_back(keep(made.tensor));
    result.memory.push_back(std::move(made.memory));
    return {};
}

Result<> BoxedValues::addResult(const ResultKind& kind) {
    Written result{.value = nullptr, .kind = kind.kind, .items = {}, .memory = {}};
    for (const core::ScalarType dtype : kind.dtypes) {
        ET_TRY(addTensor(dtype, result));
    }
    if (kind.kind == ResultKind::Kind::Tensors) {
        core::TensorListValue boxed{.items = result.items, .tensors = {}};
        boxed.tensors.assign(boxed.items.size(), nullptr);
        result.value = keep(std::move(boxed));
    } else {
        result.value = result.items.empty() ? keep(std::monostate{}) : result.items.front();
    }
    passed.push_back(result.value);
    written.push_back(std::move(result));
    return {};
}

std::vector<ReferenceValue> BoxedValues::takeResults() {
    std::vector<ReferenceValue> results;
    for (Written& result : written) {
        ReferenceValue::List tensors;
        for (std::size_t i = 0; i < result.items.size(); ++i) {
            tensors.push_back(
                {ResultTensor::finish(*result.items[i]->as<core::Tensor>(), std::move(result.memory[i]))});
        }
        if (result.kind == ResultKind::Kind::Tensors) {
            results.push_back({std::move(tensors)});
        } else if (!tensors.empty()) {
            results.push_back(std::move(tensors.front()));
        } else {
            results.push_back(numberOf(*result.value));
        }
    }
    return results;
}

}  // namespace et::backends::reference
