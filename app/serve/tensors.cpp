#include "app/serve/tensors.h"

#include "app/serve/conversions.h"
#include "inspector/tensor_files/debug_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <variant>
#include <vector>

namespace et::serve {
namespace {

using core::ErrorCode;
using inspector::debugTensorBytes;
using inspector::dimOrderOf;

/// numpy has no bfloat16; torch has.
constexpr ElementType bfloat16{.kind = 'B', .bytes = 2};

/// Returns numpy's dtype of a scalar type, or nothing if it has none.
std::optional<ElementType> elementTypeOf(const core::ScalarTypeInfo& type) {
    const auto kind = [&]() -> char {
        switch (type.kind) {
            case core::ScalarKind::Bool:
                return 'b';
            case core::ScalarKind::Signed:
                return 'i';
            case core::ScalarKind::Unsigned:
                return 'u';
            case core::ScalarKind::Float:
                return 'f';
            case core::ScalarKind::Complex:
                return type.bytes == 4 ? '\0' : 'c';
            case core::ScalarKind::Other:
                break;
        }
        switch (static_cast<core::ScalarType>(type.code)) {
            case core::ScalarType::QInt8:
            case core::ScalarType::QInt32:
                return 'i';
            case core::ScalarType::QUInt8:
            case core::ScalarType::Bits16:
                return 'u';
            default:
                return '\0';
        }
    }();
    return kind == '\0' ? std::nullopt : std::optional(ElementType{.kind = kind, .bytes = type.bytes});
}

/// Returns the strides of a dense tensor with this order of dimensions in memory. Unlike strides from a file,
/// they cannot leave its bytes.
std::vector<std::int64_t> denseStrides(std::span<const std::int64_t> sizes,
                                       std::span<const std::uint8_t> dimOrder) {
    std::vector<std::int64_t> strides(sizes.size());
    std::int64_t stride = 1;
    for (std::size_t i = dimOrder.size(); i-- > 0;) {
        strides[dimOrder[i]] = stride;
        stride *= std::max<std::int64_t>(sizes[dimOrder[i]], 1);
    }
    return strides;
}

/// Converts bfloat16, the upper half of float32.
std::shared_ptr<std::vector<float>> widened(core::Bytes bytes) {
    auto out = std::make_shared<std::vector<float>>(bytes.size() / 2);
    for (std::size_t i = 0; i < out->size(); ++i) {
        std::uint16_t upper = 0;
        std::memcpy(&upper, bytes.data() + 2 * i, sizeof upper);
        (*out)[i] = std::bit_cast<float>(static_cast<std::uint32_t>(upper) << 16U);
    }
    return out;
}

Value zeros(const etdump::DebugTensor& tensor) {
    // The size in the file may exceed the available memory.
    constexpr std::int64_t most = std::int64_t{1} << 32;
    const auto bytes = core::tensorBytes(tensor.scalarType, tensor.sizes);
    if (!bytes || *bytes > most) {
        return {};
    }
    const auto empty = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(*bytes));
    return array(tensor.scalarType, tensor.sizes, {}, *empty, empty);
}

Value loggedTensor(const etdump::DebugTensor& tensor, const core::MappedFile* buffer,
                   const std::shared_ptr<const void>& owner) {
    if (buffer != nullptr) {
        if (const auto bytes = debugTensorBytes(tensor, *buffer); bytes) {
            return array(tensor.scalarType, tensor.sizes, dimOrderOf(tensor), *bytes, owner);
        }
    }
    return zeros(tensor);
}

Array arrayOf(std::int8_t scalarType, std::span<const std::int64_t> sizes,
              std::span<const std::uint8_t> dimOrder, core::Bytes bytes, std::shared_ptr<const void> owner) {
    const std::optional<core::ScalarTypeInfo> type = core::scalarType(scalarType);
    const std::optional<ElementType> element = type ? elementTypeOf(*type) : std::nullopt;
    if (!element) {
        raise({.code = ErrorCode::Unsupported,
               .message = "numpy has no dtype for " + core::scalarTypeName(scalarType)});
    }
    const auto needed = core::tensorBytes(scalarType, sizes);
    if (!needed || static_cast<std::uint64_t>(*needed) != bytes.size()) {
        raise({.code = ErrorCode::InvalidArgument,
               .message =
                   fmt::format("expected {} bytes of elements, got {}", needed.value_or(0), bytes.size())});
    }
    Array made{.type = *element, .sizes = {sizes.begin(), sizes.end()}};
    if (dimOrder.size() == sizes.size() && !std::ranges::is_sorted(dimOrder)) {
        made.strides = denseStrides(sizes, dimOrder);
    }
    made.bytes = bytes;
    made.owner = std::move(owner);
    if (static_cast<core::ScalarType>(scalarType) == core::ScalarType::BFloat16) {
        const auto floats = widened(bytes);
        made.type = {.kind = 'f', .bytes = sizeof(float)};
        made.bytes = std::as_bytes(std::span(*floats));
        made.owner = floats;
    }
    return made;
}

}  // namespace

Value array(std::int8_t scalarType, std::span<const std::int64_t> sizes,
            std::span<const std::uint8_t> dimOrder, core::Bytes bytes, std::shared_ptr<const void> owner) {
    return arrayOf(scalarType, sizes, dimOrder, bytes, std::move(owner));
}

Value copiedArray(const core::Tensor& tensor) {
    const auto type = static_cast<std::int8_t>(tensor.dtype());
    const auto shared = tensor.bytes() > maxInlineBytes ? SharedMemory::make(tensor.bytes()) : nullptr;
    Array made;
    if (shared && *shared != nullptr) {
        std::ranges::copy(tensor.rawBytes(), (*shared)->bytes().begin());
        made = arrayOf(type, tensor.sizes(), tensor.dimOrder(), (*shared)->bytes(), *shared);
        made.shared = made.owner == *shared ? *shared : nullptr;
    } else {
        const auto copy =
            std::make_shared<std::vector<std::byte>>(tensor.rawBytes().begin(), tensor.rawBytes().end());
        made = arrayOf(type, tensor.sizes(), tensor.dimOrder(), *copy, copy);
    }
    made.writable = true;
    return made;
}

bool isDtypeOf(core::ScalarType type, ElementType given) {
    if (type == core::ScalarType::BFloat16) {
        return given == bfloat16;
    }
    const auto traits = core::scalarType(static_cast<std::int64_t>(type));
    return traits && elementTypeOf(*traits) == given;
}

std::optional<core::ScalarType> scalarTypeOf(ElementType given) {
    for (const core::ScalarTypeInfo& each : core::scalarTypes()) {
        if (const auto type = static_cast<core::ScalarType>(each.code); isDtypeOf(type, given)) {
            return type;
        }
    }
    return std::nullopt;
}

Value loggedValue(const etdump::DebugValue& logged, const core::MappedFile* buffer,
                  const std::shared_ptr<const void>& owner) {
    return std::visit(
        [&](const auto& held) -> Value {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::monostate>) {
                return {};
            } else if constexpr (std::is_same_v<Held, etdump::DebugTensor>) {
                return loggedTensor(held, buffer, owner);
            } else if constexpr (std::is_same_v<Held, std::vector<etdump::DebugTensor>>) {
                return collected(held, [&](const etdump::DebugTensor& tensor) {
                    return loggedTensor(tensor, buffer, owner);
                });
            } else {
                return valueOf(held);
            }
        },
        logged.value);
}

}  // namespace et::serve
