#include "app/python/tensors.h"

#include "app/python/cells.h"
#include "app/python/errors.h"
#include "inspector/tensor_files/debug_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <variant>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using core::ErrorCode;
using inspector::debugTensorBytes;
using inspector::dimOrderOf;

/// Returns numpy's dtype of a scalar type, or nothing if it has none.
std::optional<nb::dlpack::dtype> dtypeOf(const core::ScalarTypeInfo& type) {
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

/// `Access`: nb::ro, or nothing for a writable array.
template <class... Access>
nb::object sharedArray(void* data, const Layout& layout, nb::dlpack::dtype dtype,
                       std::shared_ptr<const void> owner) {
    auto* const kept = new std::shared_ptr<const void>(std::move(owner));
    const nb::capsule capsule(
        kept, [](void* held) noexcept { delete static_cast<std::shared_ptr<const void>*>(held); });
    const nb::ndarray<nb::numpy, Access...> view(data, layout.sizes.size(), layout.sizes.data(), capsule,
                                                 layout.strides.empty() ? nullptr : layout.strides.data(),
                                                 dtype);
    return nb::cast(view);
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

/// Copies misaligned elements (of a damaged file) to separate memory.
std::shared_ptr<std::vector<std::byte>> moved(core::Bytes bytes) {
    return std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
}

nb::object zeros(const etdump::DebugTensor& tensor) {
    // The size in the file may exceed the available memory.
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

/// Elements in memory and their owner.
struct Elements {
    std::int8_t scalarType = 0;
    std::span<const std::int64_t> sizes;
    std::span<const std::uint8_t> dimOrder;
    std::span<std::byte> bytes;
    std::shared_ptr<const void> owner;
};

template <class... Access>
nb::object arrayOf(Elements elements) {
    const std::optional<core::ScalarTypeInfo> type = core::scalarType(elements.scalarType);
    const std::optional<nb::dlpack::dtype> dtype = type ? dtypeOf(*type) : std::nullopt;
    if (!dtype) {
        raise({.code = ErrorCode::Unsupported,
               .message = "numpy has no dtype for " + core::scalarTypeName(elements.scalarType)});
    }
    const auto needed = core::tensorBytes(elements.scalarType, elements.sizes);
    if (!needed || static_cast<std::uint64_t>(*needed) != elements.bytes.size()) {
        raise({.code = ErrorCode::InvalidArgument,
               .message = fmt::format("expected {} bytes of elements, got {}", needed.value_or(0),
                                      elements.bytes.size())});
    }
    Layout layout{.sizes = {elements.sizes.begin(), elements.sizes.end()}, .strides = {}};
    if (elements.dimOrder.size() == elements.sizes.size()) {
        layout.strides = denseStrides(elements.sizes, elements.dimOrder);
    }
    if (static_cast<core::ScalarType>(elements.scalarType) == core::ScalarType::BFloat16) {
        const auto floats = widened(elements.bytes);
        return sharedArray<Access...>(floats->data(), layout, nb::dtype<float>(), floats);
    }
    if (reinterpret_cast<std::uintptr_t>(elements.bytes.data()) % type->bytes != 0) {
        const auto own = moved(elements.bytes);
        return sharedArray<Access...>(own->data(), layout, *dtype, own);
    }
    return sharedArray<Access...>(elements.bytes.data(), layout, *dtype, std::move(elements.owner));
}

}  // namespace

nb::object array(std::int8_t scalarType, std::span<const std::int64_t> sizes,
                 std::span<const std::uint8_t> dimOrder, core::Bytes bytes,
                 std::shared_ptr<const void> owner) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the array is read-only
    const std::span<std::byte> held{const_cast<std::byte*>(bytes.data()), bytes.size()};
    return arrayOf<nb::ro>({.scalarType = scalarType,
                            .sizes = sizes,
                            .dimOrder = dimOrder,
                            .bytes = held,
                            .owner = std::move(owner)});
}

nb::object copiedArray(const core::Tensor& tensor) {
    const std::size_t units = tensor.bytes() / sizeof(std::max_align_t) + 1;
    auto copy = std::make_shared_for_overwrite<std::max_align_t[]>(units);
    const std::span<std::byte> held{reinterpret_cast<std::byte*>(copy.get()), tensor.bytes()};
    std::ranges::copy(tensor.rawBytes(), held.begin());
    return arrayOf<>({.scalarType = static_cast<std::int8_t>(tensor.dtype()),
                      .sizes = tensor.sizes(),
                      .dimOrder = tensor.dimOrder(),
                      .bytes = held,
                      .owner = std::move(copy)});
}

nb::object writableArray(const core::Tensor& tensor, std::shared_ptr<const void> owner) {
    if (tensor.dtype() == core::ScalarType::BFloat16) {
        raise({.code = ErrorCode::Unsupported, .message = "numpy has no dtype for bfloat16 to write to"});
    }
    return arrayOf<>({.scalarType = static_cast<std::int8_t>(tensor.dtype()),
                      .sizes = tensor.sizes(),
                      .dimOrder = tensor.dimOrder(),
                      .bytes = tensor.rawBytes(),
                      .owner = std::move(owner)});
}

bool isDtypeOf(core::ScalarType type, nb::dlpack::dtype given) {
    if (type == core::ScalarType::BFloat16) {
        return given.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Bfloat) && given.bits == 16;
    }
    const auto traits = core::scalarType(static_cast<std::int64_t>(type));
    return traits && dtypeOf(*traits) == given;
}

std::optional<core::ScalarType> scalarTypeOf(nb::dlpack::dtype given) {
    for (const core::ScalarTypeInfo& each : core::scalarTypes()) {
        if (const auto type = static_cast<core::ScalarType>(each.code); isDtypeOf(type, given)) {
            return type;
        }
    }
    return std::nullopt;
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
                return pythonList(held, [&](const etdump::DebugTensor& tensor) {
                    return loggedTensor(tensor, buffer, owner);
                });
            } else {
                return nb::cast(held);
            }
        },
        logged.value);
}

}  // namespace et::python
