#include "runtime/program/detail/read_values.h"

#include "runtime/core/tensor_shape.h"
#include "runtime/program/detail/method_scope.h"
#include "runtime/program/schema/program_generated.h"
#include "runtime/program/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::program::detail {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

namespace {

constexpr std::int8_t dynamismUnbounded = 2;
constexpr std::int8_t locationExternal = 1;

/// Checks an enumeration value of the file: `code` is one of `count` cases.
Result<> checkCode(const MethodScope& scope, std::int64_t code, std::int64_t count, const FieldPath& path,
                   const void* place) {
    if (code >= 0 && code < count) {
        return {};
    }
    return scope.view.fail(ErrorCode::Unsupported, path, place,
                           fmt::format("expected 0 to {}, got {}", count - 1, code));
}

Result<> readShape(MethodScope& scope, const schema::Tensor& tensor, const FieldPath& path,
                   TensorInfo& info) {
    const FieldPath offsetPath = path.field("storage_offset");
    ET_TRY(checkCode(scope, tensor.storage_offset(), 1, offsetPath, &tensor));
    const FieldPath dynamismPath = path.field("shape_dynamism");
    ET_TRY(checkCode(scope, tensor.shape_dynamism(), dynamismUnbounded + 1, dynamismPath, &tensor));
    info.scalarType = tensor.scalar_type();
    info.layout = tensor.layout();
    info.requiresGrad = tensor.requires_grad();
    info.dynamism = static_cast<ShapeDynamism>(tensor.shape_dynamism());
    ET_ASSIGN(core::TensorShape shape, core::readTensorShape(scope.view, tensor.scalar_type(), tensor.sizes(),
                                                             tensor.dim_order(), path, &tensor));
    info.sizes = std::move(shape.sizes);
    info.dimOrder = std::move(shape.dimOrder);
    info.byteSize = shape.byteSize;
    return {};
}

/// Bytes that the tensor needs before it runs; 0 if only known at run time.
std::uint64_t minBytes(const TensorInfo& info) {
    const bool known = info.byteSize && info.dynamism != ShapeDynamism::Unbounded;
    return known ? static_cast<std::uint64_t>(*info.byteSize) : 0;
}

Result<> readAllocation(MethodScope& scope, const schema::Tensor& tensor, const FieldPath& path,
                        TensorInfo& info) {
    const schema::AllocationDetails* row = tensor.allocation_info();
    if (row == nullptr) {
        return {};
    }
    const FieldPath rowPath = path.field("allocation_info");
    const std::uint32_t arena = row->memory_id();
    if (arena == 0 || arena >= scope.arenas.size()) {
        const FieldPath idPath = rowPath.field("memory_id");
        return scope.view.fail(ErrorCode::Format, idPath, row,
                               fmt::format("expected an arena from 1 to {}, got {}",
                                           static_cast<std::int64_t>(scope.arenas.size()) - 1, arena));
    }
    constexpr int halfBits = 32;
    const std::uint64_t offset =
        std::uint64_t{row->memory_offset_high()} << halfBits | row->memory_offset_low();
    const std::uint64_t room = scope.arenas[arena].bytes;
    const std::uint64_t size = minBytes(info);
    if (offset > room || size > room - offset) {
        const FieldPath lowPath = rowPath.field("memory_offset_low");
        return scope.view.fail(
            ErrorCode::Format, lowPath, row,
            fmt::format("expected the tensor within the {} bytes of arena {}, got {} bytes at {}", room,
                        arena, size, offset));
    }
    info.allocation = Allocation{.arena = ArenaId(arena), .offset = offset};
    return {};
}

Result<> readExtra(MethodScope& scope, const schema::Tensor& tensor, const FieldPath& path,
                   TensorInfo& info) {
    const schema::ExtraTensorInfo* row = tensor.extra_tensor_info();
    if (row == nullptr) {
        return {};
    }
    const FieldPath rowPath = path.field("extra_tensor_info");
    const FieldPath locationPath = rowPath.field("location");
    ET_TRY(checkCode(scope, row->location(), locationExternal + 1, locationPath, row));
    info.name = flatbuffers::GetStringView(row->fully_qualified_name());
    info.device = {.type = row->device_type(), .index = row->device_index()};
    if (row->location() == locationExternal) {
        info.initialData = InitialData::External;
        const FieldPath namePath = rowPath.field("fully_qualified_name");
        ET_TRY(scope.view.required(row->fully_qualified_name(), namePath, row));
    }
    return {};
}

/// Finds the bytes of a constant or of a mutable buffer; external tensors have none here.
Result<> readData(MethodScope& scope, const schema::Tensor& tensor, const FieldPath& path, TensorInfo& info) {
    info.dataIndex = tensor.data_buffer_idx();
    if (info.dataIndex == 0 || info.initialData == InitialData::External) {
        return {};
    }
    const FieldPath dataPath = path.field("data_buffer_idx");
    const schema::ExtraTensorInfo* extra = tensor.extra_tensor_info();
    const std::uint64_t table = extra == nullptr ? 0 : extra->mutable_data_segments_idx();
    ET_ASSIGN(const core::Bytes rest,
              info.allocation
                  ? scope.tensors.mutableState(table, info.dataIndex, scope.view, dataPath, &tensor)
                  : scope.tensors.constant(info.dataIndex, scope.view, dataPath, &tensor));
    const std::uint64_t size = minBytes(info);
    if (size > rest.size()) {
        return scope.view.fail(ErrorCode::Format, dataPath, &tensor,
                               fmt::format("expected {} bytes of data, got {}", size, rest.size()));
    }
    info.initialData = InitialData::Program;
    info.data = rest.first(static_cast<std::size_t>(size));
    return {};
}

/// Fills `info`, which is new. Errors: Format (an invalid shape, memory outside the arena, data outside the
/// file), Unsupported (a storage offset, an unknown location or dynamism), Limit.
Result<> readTensor(MethodScope& scope, const schema::Tensor& tensor, const FieldPath& path,
                    TensorInfo& info) {
    ET_TRY(readShape(scope, tensor, path, info));
    ET_TRY(readAllocation(scope, tensor, path, info));
    ET_TRY(readExtra(scope, tensor, path, info));
    return readData(scope, tensor, path, info);
}

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
