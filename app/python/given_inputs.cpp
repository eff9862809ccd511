#include "app/python/given_inputs.h"

#include "app/python/errors.h"
#include "app/python/tensors.h"
#include "app/tasks/model/inputs.h"
#include "runtime/core/dim_order.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/element_conversion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace et::python {
namespace {

namespace nb = nanobind;
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

/// Converts a Python number; nothing for other values.
std::optional<InputValue> numberOf(nb::handle value, const program::Value* declared) {
    const bool wantsDouble = declared != nullptr && declared->is<double>();
    if (value.is_none()) {
        return InputValue();
    }
    if (nb::isinstance<nb::bool_>(value)) {
        return nb::cast<bool>(value);
    }
    if (nb::isinstance<nb::int_>(value) && !wantsDouble) {
        std::int64_t integer = 0;
        return nb::try_cast(value, integer) ? std::optional<InputValue>(integer) : std::nullopt;
    }
    double number = 0;
    const bool isNumber = nb::isinstance<nb::int_>(value) || nb::isinstance<nb::float_>(value);
    return isNumber && nb::try_cast(value, number) ? std::optional<InputValue>(number) : std::nullopt;
}

/// Converts float32 to bfloat16, which numpy does not support.
std::vector<std::byte> asBFloat16(const std::byte* elements, std::size_t count) {
    const auto conversion = unwrap(kernels::Conversion::between(ScalarType::Float, ScalarType::BFloat16));
    std::vector<std::byte> out(2 * count);
    conversion.run(elements, sizeof(float), out.data(), 2, static_cast<std::int64_t>(count));
    return out;
}

std::string expectedText(const program::Value* declared) {
    return declared == nullptr ? "a value" : tasks::describe(*declared);
}

std::string dtypeText(nb::dlpack::dtype dtype) {
    const auto type = scalarTypeOf(dtype);
    return type ? core::scalarTypeName(*type)
                : fmt::format("a DLPack dtype with code {} and {} bits", dtype.code, dtype.bits);
}

}  // namespace

GivenInputs::GivenInputs(const program::Method& method, const std::vector<program::ValueId>& ids,
                         std::string_view noun, nb::handle values)
    : itemName(noun) {
    for (const nb::handle each : values) {
        const program::Value* const declared =
            made.size() < ids.size() ? &method.value(ids[made.size()]) : nullptr;
        made.push_back(valueOf(each, declared));
    }
}

void GivenInputs::refuse(std::string message) const {
    raise({.code = ErrorCode::InvalidArgument,
           .message = std::move(message),
           .where = {.file = {}, .field = fmt::format("{}[{}]", itemName, made.size()), .offset = {}}});
}

InputValue GivenInputs::valueOf(nb::handle value, const program::Value* declared) {
    if (const auto number = numberOf(value, declared)) {
        return *number;
    }
    if (declared != nullptr && tensorInfo(declared) == nullptr && nb::hasattr(value, "item")) {
        if (const auto number = numberOf(value.attr("item")(), declared)) {  // numpy scalars
            return *number;
        }
    }
    Held held;
    if (!nb::try_cast(value, held.array)) {
        refuse(
            fmt::format("expected {}, got {}", expectedText(declared), nb::type_name(value.type()).c_str()));
    }
    return tensorOf(tensors.emplace_back(std::move(held)), declared);
}

InputValue GivenInputs::tensorOf(Held& held, const program::Value* declared) {
    const Array& array = held.array;
    if (array.device_type() != cpuDevice) {
        refuse(fmt::format("expected a tensor in CPU memory, got one on device {}:{}", array.device_type(),
                           array.device_id()));
    }
    std::vector<std::int64_t> strides;
    for (std::size_t i = 0; i < array.ndim(); ++i) {
        held.sizes.push_back(static_cast<std::int64_t>(array.shape(i)));
        strides.push_back(array.stride(i));
    }
    const program::TensorInfo* const info = tensorInfo(declared);
    const auto planned = info == nullptr ? ScalarType::Float : static_cast<ScalarType>(info->scalarType);
    const std::optional<ScalarType> type =
        isDtypeOf(planned, array.dtype()) ? planned : scalarTypeOf(array.dtype());
    if (!type) {
        refuse(fmt::format("expected {}, got {} {}", expectedText(declared), dtypeText(array.dtype()),
                           core::sizesText(held.sizes)));
    }
    held.dimOrder = orderOf(held.sizes, strides);
    if (array.size() > 0 && !isDense(held.sizes, strides, held.dimOrder)) {
        refuse(fmt::format(
            "expected {} without gaps, got {} {} with strides [{}] (use numpy.ascontiguousarray())",
            expectedText(declared), core::scalarTypeName(*type), core::sizesText(held.sizes),
            fmt::join(strides, ", ")));
    }
    if (array.size() == 0 || std::ranges::is_sorted(held.dimOrder)) {
        held.dimOrder.clear();
    }
    const auto* const data = static_cast<const std::byte*>(array.data());
    executor::TensorInput input{
        .dtype = *type, .sizes = held.sizes, .dimOrder = held.dimOrder, .data = {data, array.nbytes()}};
    if (info != nullptr && planned == ScalarType::BFloat16 && *type == ScalarType::Float) {
        held.converted = asBFloat16(data, array.size());
        input.dtype = planned;
        input.data = held.converted;
    }
    return input;
}

}  // namespace et::python
