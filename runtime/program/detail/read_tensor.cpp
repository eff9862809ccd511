#include "runtime/program/detail/read_tensor.h"

#include "runtime/core/tensor_shape.h"
#include "runtime/program/schema/program_generated.h"

#include <fmt/format.h>

namespace et::program::detail {

using core::ErrorCode;
using core::FieldPath;
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

}  // namespace

Result<> readTensor(MethodScope& scope, const schema::Tensor& tensor, const FieldPath& path,
                    TensorInfo& info) {
    ET_TRY(readShape(scope, tensor, path, info));
    ET_TRY(readAllocation(scope, tensor, path, info));
    ET_TRY(readExtra(scope, tensor, path, info));
    return readData(scope, tensor, path, info);
}

}  // namespace et::program::detail
