#include "runtime/program/detail/read_values.h"

#include "runtime/program/detail/read_tensor.h"
#include "runtime/program/schema/program_generated.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::program::detail {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

namespace {

Result<Value> readOptionalTensorList(MethodScope& scope, const schema::OptionalTensorList& list,
                                     const FieldPath& path) {
    constexpr std::int32_t none = -1;
    const FieldPath itemsPath = path.field("items");
    auto items =
        scope.view.map(list.items(), itemsPath,
                       [&](std::int32_t index, const FieldPath& at) -> Result<std::optional<ValueId>> {
                           if (index == none) {
                               return std::nullopt;
                           }
                           return valueId(scope, index, at, list.items());
                       });
    return std::move(items).transform([](auto all) { return Value(OptionalTensorList{std::move(all)}); });
}

Result<Value> readTensorValue(MethodScope& scope, const schema::Tensor& tensor, const FieldPath& path) {
    Value value = core::Boxed<TensorInfo>(std::in_place);
    ET_TRY(readTensor(scope, tensor, path, *value.as<TensorInfo>()));
    return value;
}

/// Reads a list of value indices as `List`.
template <class List, class Index>
Result<Value> readIdList(MethodScope& scope, const flatbuffers::Vector<Index>* items, const FieldPath& path) {
    const FieldPath itemsPath = path.field("items");
    return valueIds(scope, items, itemsPath).transform([](auto ids) { return Value(List{std::move(ids)}); });
}

/// Reads a list of plain elements as `List`.
template <class List, class To, class From>
Result<Value> readPlainList(MethodScope& scope, const flatbuffers::Vector<From>* items,
                            const FieldPath& path) {
    const FieldPath itemsPath = path.field("items");
    return scope.view.copy<To>(items, itemsPath).transform([](auto all) {
        return Value(List{std::move(all)});
    });
}

/// `content` is the table in the union of `row`.
Result<Value> readList(MethodScope& scope, const schema::EValue& row, const void* content,
                       const FieldPath& path) {
    switch (row.val_type()) {
        case schema::KernelTypes::IntList:
            return readIdList<IntList>(scope, FlatView::unionAs<schema::IntList>(content).items(), path);
        case schema::KernelTypes::DoubleList:
            return readPlainList<DoubleList, double>(
                scope, FlatView::unionAs<schema::DoubleList>(content).items(), path);
        case schema::KernelTypes::BoolList:
            return readPlainList<BoolList, bool>(scope, FlatView::unionAs<schema::BoolList>(content).items(),
                                                 path);
        case schema::KernelTypes::TensorList:
            return readIdList<TensorList>(scope, FlatView::unionAs<schema::TensorList>(content).items(),
                                          path);
        case schema::KernelTypes::OptionalTensorList:
            return readOptionalTensorList(scope, FlatView::unionAs<schema::OptionalTensorList>(content),
                                          path);
        default: {
            const FieldPath typePath = path.field("val_type");
            return scope.view.fail(ErrorCode::Unsupported, typePath, &row,
                                   fmt::format("expected a value kind from 1 to {}, got {}",
                                               std::to_underlying(schema::KernelTypes::MAX),
                                               std::to_underlying(row.val_type())));
        }
    }
}

Result<Value> readValue(MethodScope& scope, const schema::EValue* row, const FieldPath& path) {
    const void* content = row->val();
    if (content == nullptr) {
        return scope.view.fail(ErrorCode::Format, path, row, "expected a value, got none");
    }
    switch (row->val_type()) {
        case schema::KernelTypes::Null:
            return Value();
        case schema::KernelTypes::Int:
            return Value(std::int64_t{FlatView::unionAs<schema::Int>(content).int_val()});
        case schema::KernelTypes::Bool:
            return Value(FlatView::unionAs<schema::Bool>(content).bool_val());
        case schema::KernelTypes::Double:
            return Value(FlatView::unionAs<schema::Double>(content).double_val());
        case schema::KernelTypes::String:
            return Value(flatbuffers::GetStringView(FlatView::unionAs<schema::String>(content).string_val()));
        case schema::KernelTypes::Tensor:
            return readTensorValue(scope, FlatView::unionAs<schema::Tensor>(content), path);
        default:
            return readList(scope, *row, content, path);
    }
}

/// Checks that all items of a list have the declared type.
struct ItemCheck {
    const std::vector<Value>& values;

    template <class Wanted>
    [[nodiscard]] bool all(const std::vector<ValueId>& items) const {
        return std::ranges::all_of(items, [&](ValueId id) { return is<Wanted>(id); });
    }
    template <class Wanted>
    [[nodiscard]] bool is(ValueId id) const {
        return values[id.value].is<Wanted>();
    }
    bool operator()(const IntList& list) const { return all<std::int64_t>(list.items); }
    bool operator()(const TensorList& list) const { return all<TensorInfo>(list.items); }
    bool operator()(const OptionalTensorList& list) const {
        return std::ranges::all_of(list.items, [&](const std::optional<ValueId>& id) {
            return !id || is<TensorInfo>(*id) || is<std::monostate>(*id);
        });
    }
    bool operator()(const auto&) const { return true; }
};

Result<> checkItems(const MethodScope& scope, const std::vector<Value>& values,
                    const schema::ExecutionPlan& plan, const FieldPath& path) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i].visit(ItemCheck{values})) {
            const FieldPath at = path.at(i);
            return scope.view.fail(
                ErrorCode::Format, at, plan.values()->Get(static_cast<flatbuffers::uoffset_t>(i)),
                fmt::format("expected all items of a {} to have its type, got another type",
                            valueTypeName(values[i])));
        }
    }
    return {};
}

}  // namespace

Result<std::vector<Value>> readValues(MethodScope& scope, const schema::ExecutionPlan& plan,
                                      const FieldPath& path) {
    const FieldPath valuesPath = path.field("values");
    ET_ASSIGN(std::vector<Value> values,
              scope.view.map(plan.values(), valuesPath, [&](const schema::EValue* row, const FieldPath& at) {
                  return readValue(scope, row, at);
              }));
    ET_TRY(checkItems(scope, values, plan, valuesPath));
    return values;
}

}  // namespace et::program::detail
