#include "app/python/tensors.h"

#include "app/python/cells.h"
#include "app/python/errors.h"
#include "inspector/tensors/debug_tensor.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using core::ErrorCode;
using inspector::debugTensorBytes;
using inspector::dimOrderOf;

/// numpy's dtype of a scalar type; nothing where it has none.
std::optional<nb::dlpack::dtype> dtypeOf(const core::ScalarTypeTraits& type) {
    const auto bits = static_cast<std::uint8_t>(8 * type.bytes);
    const auto code = [&]() -> std::optional<nb::dlpack::dtype_code> {
        switch (type.kind) {
            case core::ScalarKind::Bool:
                return nb::dlpack::dtype_code::Bool;
            case core::ScalarKind::Signed:
                return nb::dlpack::dtype_code::Int;
            case core::ScalarKind::Unsigned:
                return nb::dlpack::dtype_code::UInt;
            case core::ScalarKind::Float:
                return nb::dlpack::dtype_code::Float;
            case core::ScalarKind::Complex:
                return bits == 32 ? std::nullopt : std::optional(nb::dlpack::dtype_code::Complex);
            case core::ScalarKind::Other:
                break;
        }
        switch (static_cast<core::ScalarType>(type.code)) {
            case core::ScalarType::QInt8:
            case core::ScalarType::QInt32:
                return nb::dlpack::dtype_code::Int;
            case core::ScalarType::QUInt8:
            case core::ScalarType::Bits16:
                return nb::dlpack::dtype_code::UInt;
            default:
                return std::nullopt;
        }
    }();
    if (!code) {
        return std::nullopt;
    }
    return nb::dlpack::dtype{static_cast<std::uint8_t>(*code), bits, 1};
}

struct Layout {
    std::vector<std::size_t> sizes;
    std::vector<std::int64_t> strides;  ///< in elements; empty: row-major
};

nb::object sharedArray(const void* data, const Layout& layout, nb::dlpack::dtype dtype,
                       std::shared_ptr<const void> owner) {
    auto* const kept = new std::shared_ptr<const void>(std::move(owner));
    const nb::capsule capsule(
        kept, [](void* held) noexcept { delete static_cast<std::shared_ptr<const void>*>(held); });
    const nb::ndarray<nb::numpy, nb::ro> view(data, layout.sizes.size(), layout.sizes.data(), capsule,
                                              layout.strides.empty() ? nullptr : layout.strides.data(),
                                              dtype);
    return nb::cast(view);
}

/// Strides of a dense tensor whose dimensions are in this order in memory. They never leave its bytes, which
/// what a file says of strides might.
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

/// bfloat16 is the upper half of float32.
std::shared_ptr<const std::vector<float>> widened(core::Bytes bytes) {
    auto out = std::make_shared<std::vector<float>>(bytes.size() / 2);
    for (std::size_t i = 0; i < out->size(); ++i) {
        std::uint16_t upper = 0;
        std::memcpy(&upper, bytes.data() + 2 * i, sizeof upper);
        (*out)[i] = std::bit_cast<float>(static_cast<std::uint32_t>(upper) << 16U);
    }
    return out;
}

/// Elements that start where none may (a damaged file) are moved to memory of their own.
std::shared_ptr<const std::vector<std::byte>> moved(core::Bytes bytes) {
    return std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
}

nb::object zeros(const etdump::DebugTensor& tensor) {
    // As many as the file says may be more than there is memory for.
    constexpr std::int64_t most = std::int64_t{1} << 32;
    const auto bytes = core::tensorBytes(tensor.scalarType, tensor.sizes);
    if (!bytes || *bytes > most) {
        return nb::none();
    }
    const auto empty = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(*bytes));
    return array(tensor.scalarType, tensor.sizes, {}, *empty, empty);
}

nb::object loggedTensor(const etdump::DebugTensor& tensor, const core::MappedFile* buffer,
                        const std::shared_ptr<const void>& owner) {
    if (buffer != nullptr) {
        if (const auto bytes = debugTensorBytes(tensor, *buffer); bytes) {
            return array(tensor.scalarType, tensor.sizes, dimOrderOf(tensor), *bytes, owner);
        }
    }
    return zeros(tensor);
}

}  // namespace

nb::object array(std::int8_t scalarType, std::span<const std::int64_t> sizes,
                 std::span<const std::uint8_t> dimOrder, core::Bytes bytes,
                 std::shared_ptr<const void> owner) {
    const std::optional<core::ScalarTypeTraits> type = core::scalarType(scalarType);
    const std::optional<nb::dlpack::dtype> dtype = type ? dtypeOf(*type) : std::nullopt;
    if (!dtype) {
        raise({.code = ErrorCode::Unsupported,
               .message = "numpy has no dtype for " + core::scalarTypeName(scalarType)});
    }
    const auto needed = core::tensorBytes(scalarType, sizes);
    if (!needed || static_cast<std::uint64_t>(*needed) != bytes.size()) {
        raise({.code = ErrorCode::InvalidArgument,
               .message =
                   fmt::format("expected {} bytes of elements, got {}", needed.value_or(0), bytes.size())});
    }
    Layout layout{.sizes = {sizes.begin(), sizes.end()}, .strides = {}};
    if (dimOrder.size() == sizes.size()) {
        layout.strides = denseStrides(sizes, dimOrder);
    }
    if (static_cast<core::ScalarType>(scalarType) == core::ScalarType::BFloat16) {
        const auto floats = widened(bytes);
        return sharedArray(floats->data(), layout, nb::dtype<float>(), floats);
    }
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % type->bytes != 0) {
        const auto own = moved(bytes);
        return sharedArray(own->data(), layout, *dtype, own);
    }
    return sharedArray(bytes.data(), layout, *dtype, std::move(owner));
}

nb::object loggedValue(const etdump::DebugValue& logged, const core::MappedFile* buffer,
                       const std::shared_ptr<const void>& owner) {
    return std::visit(
        [&](const auto& held) -> nb::object {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::monostate>) {
                return nb::none();
            } else if constexpr (std::is_same_v<Held, std::string_view>) {
                return text(held);
            } else if constexpr (std::is_same_v<Held, etdump::DebugTensor>) {
                return loggedTensor(held, buffer, owner);
            } else if constexpr (std::is_same_v<Held, std::vector<etdump::DebugTensor>>) {
                nb::list out;
                for (const etdump::DebugTensor& tensor : held) {
                    out.append(loggedTensor(tensor, buffer, owner));
                }
                return out;
            } else {
                return nb::cast(held);
            }
        },
        logged.value);
}

}  // namespace et::python
