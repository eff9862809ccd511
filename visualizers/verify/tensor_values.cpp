#include "visualizers/verify/tensor_values.h"

#include "bundled_program/compare.h"
#include "inspector/tensor_files/tensor_file.h"
#include "inspector/tensor_files/tensor_view.h"
#include "runtime/core/element_types.h"
#include "runtime/core/tensor.h"
#include "visualizers/toolkit/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <type_traits>
#include <utility>
#include <variant>

namespace et::visualizers {

namespace {

using core::ErrorCode;
using core::Result;
using core::Tensor;

/// A bool in a file may have any byte value.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

/// Calls `take` with the memory position of each element, in row-major order of the dimensions.
template <class Take>
void walk(const Tensor& tensor, Take&& take) {
    std::vector<std::int64_t> index(tensor.dim(), 0);
    std::int64_t place = 0;
    for (std::int64_t left = tensor.numel(); left > 0; --left) {
        take(static_cast<std::size_t>(place));
        for (std::size_t dim = tensor.dim(); dim-- > 0;) {
            place += tensor.stride(dim);
            if (++index[dim] < tensor.size(dim)) {
                break;
            }
            place -= tensor.stride(dim) * tensor.size(dim);
            index[dim] = 0;
        }
    }
}

template <class T>
void readAll(const Tensor& tensor, std::vector<double>& numbers) {
    walk(tensor, [&](std::size_t place) {
        T element{};  // data in a file may be unaligned
        std::memcpy(&element, tensor.raw() + place * sizeof(T), sizeof(T));
        numbers.push_back(static_cast<double>(element));
    });
}

Result<TensorValues> valuesOf(const Tensor& tensor) {
    TensorValues values;
    values.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
    values.type = fmt::format("{} [{}]", core::scalarTypeName(tensor.dtype()), fmt::join(values.sizes, ", "));
    if (tensor.numel() > maxElements) {
        return core::fail(ErrorCode::Limit,
                          fmt::format("too many elements to show: {}, max {}", tensor.numel(), maxElements));
    }
    values.integral = core::isIntegral(tensor.dtype()) || tensor.dtype() == core::ScalarType::Bool;
    values.numbers.reserve(static_cast<std::size_t>(tensor.numel()));
    const bool known = core::visitRealType(
        tensor.dtype(),
        [&]<class T>(std::type_identity<T>) {
            readAll<Stored<T>>(tensor, values.numbers);
            return true;
        },
        [] { return false; });
    if (!known) {
        return core::fail(ErrorCode::Unsupported, fmt::format("cannot show elements of type {}",
                                                              core::scalarTypeName(tensor.dtype())));
    }
    return values;
}

}  // namespace

Result<TensorValues> valuesOf(const bundled_program::BundledValue& value) {
    if (const auto* const tensor = std::get_if<bundled_program::BundledTensor>(&value)) {
        ET_ASSIGN(const Tensor view, bundled_program::tensorOver(*tensor));
        return valuesOf(view);
    }
    return std::visit(
        [&]<class T>(const T& content) -> Result<TensorValues> {
            if constexpr (std::is_arithmetic_v<T>) {
                return TensorValues{.type = std::string(bundled_program::valueTypeName(value)),
                                    .sizes = {},
                                    .numbers = {static_cast<double>(content)},
                                    .integral = std::is_integral_v<T>};
            } else {
                return core::fail(ErrorCode::NotFound, "no value");
            }
        },
        value);
}

Result<TensorValues> valuesOf(const inspector::HostTensor& tensor) {
    ET_ASSIGN(const Tensor view, inspector::viewOf(tensor));
    return valuesOf(view);
}

std::optional<TensorValues> difference(const TensorValues& given, const TensorValues& expected) {
    if (given.sizes != expected.sizes || given.numbers.size() != expected.numbers.size()) {
        return std::nullopt;
    }
    TensorValues result{.type = "actual - expected",
                        .sizes = given.sizes,
                        .numbers = {},
                        .integral = given.integral && expected.integral};
    result.numbers.reserve(given.numbers.size());
    for (std::size_t i = 0; i < given.numbers.size(); ++i) {
        const double left = given.numbers[i];
        const double right = expected.numbers[i];
        result.numbers.push_back(left == right ? 0.0 : left - right);
    }
    return result;
}

Result<TensorValues> readValues(const std::filesystem::path& file) {
    constexpr std::uint64_t maxBytes = std::uint64_t{1} << 30;
    ET_ASSIGN(const auto tensors, inspector::readTensorFile(file, std::nullopt, maxBytes));
    if (tensors.size() != 1) {
        return core::fail(ErrorCode::Format, "expected one tensor");
    }
    return valuesOf(tensors.front());
}

std::shared_ptr<const TensorValues> shownValues(Result<TensorValues> read, QString& problem) {
    if (!read) {
        problem = toQString(read.error().message);
        return nullptr;
    }
    return std::make_shared<const TensorValues>(*std::move(read));
}

std::vector<std::int64_t> elementIndex(std::size_t place, const std::vector<std::int64_t>& sizes) {
    std::vector<std::int64_t> index(sizes.size());
    auto rest = static_cast<std::int64_t>(place);
    for (std::size_t dim = sizes.size(); dim-- > 0;) {
        index[dim] = rest % sizes[dim];
        rest /= sizes[dim];
    }
    return index;
}

}  // namespace et::visualizers
