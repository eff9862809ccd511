#include "app/serve/given_inputs.h"

#include "app/serve/conversions.h"
#include "app/serve/tensors.h"
#include "app/tasks/model/inputs.h"
#include "runtime/core/dim_order.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/element_conversion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace et::serve {
namespace {

using core::ErrorCode;
using core::ScalarType;
using executor::InputValue;

constexpr int cpuDevice = 1;  ///< DLPack's number

/// Returns the dimensions from outermost to innermost in memory, by their strides. The stride of a dimension
/// of size 1 is ignored: it stays before the dimension that follows it.
std::vector<std::uint8_t> orderOf(std::span<const std::int64_t> sizes, std::vector<std::int64_t> strides) {
    for (std::size_t i = sizes.size(); i-- > 0;) {
        if (sizes[i] == 1) {
            strides[i] = i + 1 < sizes.size() ? strides[i + 1] * sizes[i + 1] : 1;
        }
    }
    std::vector<std::uint8_t> order = core::rowMajorOrder(sizes.size());
    std::ranges::stable_sort(order, std::greater(), [&](std::uint8_t each) { return strides[each]; });
    return order;
}

/// True if the elements are contiguous in this order.
bool isDense(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides,
             std::span<const std::uint8_t> order) {
    std::int64_t expected = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
        const std::int64_t size = sizes[order[i]];
        if (size != 1 && strides[order[i]] != expected) {
            return false;
        }
        expected *= size;
    }
    return true;
}

const program::TensorInfo* tensorInfo(const program::Value* declared) {
    return declared == nullptr ? nullptr : declared->as<program::TensorInfo>();
}

/// Converts a number; nothing for other values.
std::optional<InputValue> numberOf(const Value& value, const program::Value* declared) {
    if (value.isNone()) {
        return InputValue();
    }
    if (const auto* const truth = value.as<bool>()) {
        return *truth;
    }
    if (const auto* const number = value.as<double>()) {
        return *number;
    }
    if (const auto* const integer = value.as<std::int64_t>()) {
        const bool wantsDouble = declared != nullptr && declared->is<double>();
        return wantsDouble ? InputValue(static_cast<double>(*integer)) : InputValue(*integer);
    }
    return std::nullopt;
}

/// Converts the only element of an array, such as a numpy scalar; nothing for other arrays.
std::optional<Value> itemOf(const Array& array) {
    const auto read = [&]<class T>(T number) -> std::optional<Value> {
        if (array.bytes.size() != sizeof(T)) {
            return std::nullopt;
        }
        std::memcpy(&number, array.bytes.data(), sizeof(T));
        return Value(number);
    };
    const auto type = scalarTypeOf(array.type);
    switch (type.value_or(ScalarType::QInt8)) {
        case ScalarType::Bool:
            return read(std::uint8_t{}).transform([](const Value& byte) {
                return Value(*byte.as<std::uint64_t>() != 0);
            });
        case ScalarType::Byte:
            return read(std::uint8_t{});
        case ScalarType::Char:
            return read(std::int8_t{});
        case ScalarType::Short:
            return read(std::int16_t{});
        case ScalarType::Int:
            return read(std::int32_t{});
        case ScalarType::Long:
            return read(std::int64_t{});
        case ScalarType::Float:
            return read(float{});
        case ScalarType::Double:
            return read(double{});
        default:
            return std::nullopt;
    }
}

/// Converts float32 to bfloat16, which numpy does not support.
std::vector<std::byte> asBFloat16(core::Bytes elements) {
    const std::size_t count = elements.size() / sizeof(float);
    const auto conversion = unwrap(kernels::Conversion::between(ScalarType::Float, ScalarType::BFloat16));
    std::vector<std::byte> out(2 * count);
    conversion.run(elements.data(), sizeof(float), out.data(), 2, static_cast<std::int64_t>(count));
    return out;
}

std::string expectedText(const program::Value* declared) {
    return declared == nullptr ? "a value" : tasks::describe(*declared);
}

std::string dtypeText(ElementType type) {
    const auto known = scalarTypeOf(type);
    return known ? core::scalarTypeName(*known)
                 : fmt::format("a dtype of kind {} and {} bytes", type.kind, type.bytes);
}

}  // namespace

GivenInputs::GivenInputs(const program::Method& method, const std::vector<program::ValueId>& ids,
                         std::string_view noun, List values)
    : itemName(noun) {
    for (Value& each : values) {
        const program::Value* const declared =
            made.size() < ids.size() ? &method.value(ids[made.size()]) : nullptr;
        made.push_back(inputOf(each, declared));
    }
}

void GivenInputs::refuse(std::string message) const {
    raise({.code = ErrorCode::InvalidArgument,
           .message = std::move(message),
           .where = {.file = {}, .field = fmt::format("{}[{}]", itemName, made.size()), .offset = {}}});
}

InputValue GivenInputs::inputOf(Value& value, const program::Value* declared) {
    if (const auto number = numberOf(value, declared)) {
        return *number;
    }
    auto* const array = value.as<Array>();
    if (array == nullptr) {
        refuse(fmt::format("expected {}, got {}", expectedText(declared), core::printable(value.typeName())));
    }
    if (declared != nullptr && tensorInfo(declared) == nullptr) {
        const std::optional<Value> item = itemOf(*array);
        if (const auto number = item ? numberOf(*item, declared) : std::nullopt) {
            return *number;
        }
    }
    return tensorOf(tensors.emplace_back(Held{.array = std::move(*array), .dimOrder = {}, .converted = {}}),
                    declared);
}

/// Rejects arrays that are not dense, and those whose bytes do not match their sizes.
void GivenInputs::checkElements(const Held& held, const program::Value* declared, ScalarType type) const {
    const Array& array = held.array;
    if (std::ranges::contains(array.sizes, 0)) {
        return;
    }
    if (!isDense(array.sizes, array.strides, held.dimOrder)) {
        refuse(fmt::format(
            "expected {} without gaps, got {} {} with strides [{}] (use numpy.ascontiguousarray())",
            expectedText(declared), core::scalarTypeName(type), core::sizesText(array.sizes),
            fmt::join(array.strides, ", ")));
    }
    const auto bytes = core::tensorBytes(static_cast<std::int64_t>(type), array.sizes);
    if (!bytes || static_cast<std::uint64_t>(*bytes) != array.bytes.size()) {
        refuse(fmt::format("expected {} bytes of elements, got {}", bytes.value_or(0), array.bytes.size()));
    }
}

InputValue GivenInputs::tensorOf(Held& held, const program::Value* declared) {
    const Array& array = held.array;
    if (array.device != cpuDevice) {
        refuse(fmt::format("expected a tensor in CPU memory, got one on device {}", array.device));
    }
    if (array.strides.size() != array.sizes.size()) {
        refuse("expected a stride for each dimension");
    }
    const program::TensorInfo* const info = tensorInfo(declared);
    const auto planned = info == nullptr ? ScalarType::Float : static_cast<ScalarType>(info->scalarType);
    const std::optional<ScalarType> type =
        isDtypeOf(planned, array.type) ? planned : scalarTypeOf(array.type);
    if (!type) {
        refuse(fmt::format("expected {}, got {} {}", expectedText(declared), dtypeText(array.type),
                           core::sizesText(array.sizes)));
    }
    held.dimOrder = orderOf(array.sizes, array.strides);
    checkElements(held, declared, *type);
    if (array.bytes.empty() || std::ranges::is_sorted(held.dimOrder)) {
        held.dimOrder.clear();
    }
    executor::TensorInput input{
        .dtype = *type, .sizes = array.sizes, .dimOrder = held.dimOrder, .data = array.bytes};
    if (info != nullptr && planned == ScalarType::BFloat16 && *type == ScalarType::Float) {
        held.converted = asBFloat16(array.bytes);
        input.dtype = planned;
        input.data = held.converted;
    }
    return input;
}

}  // namespace et::serve
