#include "inspector/tensors/stored_values.h"

#include "inspector/numeric_gap/tensor_numbers.h"
#include "inspector/tensor_files/tensor_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <utility>

namespace et::inspector {
namespace {

using backends::StoredElements;
using core::Bytes;
using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

/// Offset that makes 4-bit elements non-negative.
constexpr int packedOffset = 8;

Result<std::size_t> sizeOf(std::int8_t scalarType, std::span<const std::int64_t> sizes) {
    const auto bytes = core::tensorBytes(scalarType, sizes);
    if (!bytes) {
        return fail(ErrorCode::Unsupported, fmt::format("elements of type {} have an unknown size",
                                                        core::scalarTypeName(scalarType)));
    }
    if (static_cast<std::uint64_t>(*bytes) > TensorCatalog::maxBytes) {
        return fail(ErrorCode::Limit,
                    fmt::format("{} bytes, max {}", *bytes, std::uint64_t{TensorCatalog::maxBytes}));
    }
    return static_cast<std::size_t>(*bytes);
}

/// Unpacks 4-bit elements to bytes.
Result<HostTensor> unpacked(Bytes data, const StoredElements& how) {
    ET_ASSIGN(const std::size_t count, sizeOf(static_cast<std::int8_t>(ScalarType::Char), how.sizes));
    const auto columns = how.sizes.empty() ? std::size_t{1} : static_cast<std::size_t>(how.sizes.back());
    const std::size_t rowBytes = (columns + 1) / 2;
    const std::size_t rows = columns == 0 ? 0 : count / columns;
    if (rowBytes != 0 && data.size() / rowBytes < rows) {
        return fail(ErrorCode::Format,
                    fmt::format("expected {} bytes of data, got {}", rows * rowBytes, data.size()));
    }
    HostTensor tensor{.dtype = ScalarType::Char, .sizes = how.sizes, .dimOrder = {}, .data = {}};
    tensor.data.reserve(count);
    for (std::size_t row = 0; row < rows; ++row) {
        const Bytes from = data.subspan(row * rowBytes, rowBytes);
        for (std::size_t i = 0; i < columns; ++i) {
            const auto both = std::to_integer<unsigned>(from[i / 2]);
            const auto one = static_cast<int>(i % 2 == 0 ? both & 15U : both >> 4U);
            tensor.data.push_back(static_cast<std::byte>(one - packedOffset));
        }
    }
    return tensor;
}

/// Maps elements to their scales.
class ScaleOf {
  public:
    explicit ScaleOf(const StoredElements& elements) : how(elements) {
        for (std::size_t dim = how.channelDim + 1; dim < how.sizes.size(); ++dim) {
            inner *= static_cast<std::size_t>(how.sizes[dim]);
        }
        channels =
            how.channelDim < how.sizes.size() ? static_cast<std::size_t>(how.sizes[how.channelDim]) : 1;
        const auto block = static_cast<std::size_t>(how.blockSize);
        blocks = block == 0 ? 1 : (inner + block - 1) / block;
    }

    [[nodiscard]] bool fits() const {
        return how.scales.size() == 1 || how.scales.size() == channels * blocks;
    }
    [[nodiscard]] float operator()(std::size_t element) const {
        if (how.scales.size() == 1) {
            return how.scales.front();
        }
        const std::size_t channel = element / inner % channels;
        const auto block = static_cast<std::size_t>(how.blockSize);
        return how.scales[channel * blocks + (block == 0 ? 0 : element % inner / block)];
    }

  private:
    const StoredElements& how;
    std::size_t inner = 1;  ///< consecutive elements of a channel
    std::size_t channels = 1;
    std::size_t blocks = 1;
};

Result<HostTensor> real(const HostTensor& whole, const StoredElements& how) {
    ET_ASSIGN(const std::vector<double> numbers, numbersOf(whole));
    const ScaleOf scale(how);
    if (!scale.fits()) {
        return fail(ErrorCode::Format, fmt::format("{} scales do not fit a tensor of sizes [{}]",
                                                   how.scales.size(), fmt::join(how.sizes, ", ")));
    }
    HostTensor tensor{.dtype = ScalarType::Float, .sizes = how.sizes, .dimOrder = {}, .data = {}};
    ET_ASSIGN(const std::size_t bytes, sizeOf(static_cast<std::int8_t>(ScalarType::Float), how.sizes));
    tensor.data.resize(bytes);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        // Computed in float32, like the kernels.
        const float number = static_cast<float>(numbers[i] - static_cast<double>(how.zeroPoint)) * scale(i);
        std::memcpy(tensor.data.data() + i * sizeof number, &number, sizeof number);
    }
    return tensor;
}

}  // namespace

std::vector<SideStatistics> channelStatistics(std::span<const double> numbers,
                                              std::span<const std::int64_t> sizes, std::size_t dim) {
    std::size_t inner = 1;
    for (std::size_t i = dim + 1; i < sizes.size(); ++i) {
        inner *= static_cast<std::size_t>(sizes[i]);
    }
    const auto channels = static_cast<std::size_t>(sizes[dim]);
    const std::size_t step = inner * channels;
    std::vector<SideStatistics> all;
    std::vector<double> channel;
    for (std::size_t i = 0; i < channels && step != 0; ++i) {
        channel.clear();
        for (std::size_t first = i * inner; first < numbers.size(); first += step) {
            const auto part = numbers.subspan(first, inner);
            channel.insert(channel.end(), part.begin(), part.end());
        }
        all.push_back(computeStatistics(channel));
    }
    return all;
}

Result<HostTensor> denseTensor(Bytes data, std::int8_t scalarType, std::span<const std::int64_t> sizes,
                               std::span<const std::uint8_t> dimOrder) {
    ET_ASSIGN(const std::size_t bytes, sizeOf(scalarType, sizes));
    if (data.size() < bytes) {
        return fail(ErrorCode::Format, fmt::format("expected {} bytes of data, got {}", bytes, data.size()));
    }
    const Bytes own = data.first(bytes);
    return HostTensor{.dtype = static_cast<ScalarType>(scalarType),
                      .sizes = {sizes.begin(), sizes.end()},
                      .dimOrder = {dimOrder.begin(), dimOrder.end()},
                      .data = {own.begin(), own.end()}};
}

Result<HostTensor> storedTensor(Bytes data, const StoredElements& how, TensorForm form) {
    ET_ASSIGN(HostTensor tensor, how.packed
                                     ? unpacked(data, how)
                                     : denseTensor(data, static_cast<std::int8_t>(how.dtype), how.sizes, {}));
    if (form == TensorForm::Stored || how.scales.empty()) {
        return tensor;
    }
    return real(tensor, how);
}

Result<std::vector<double>> numbersOf(const HostTensor& tensor) {
    ET_ASSIGN(const core::Tensor view, viewOf(tensor));
    return numbersOf(view);
}

}  // namespace et::inspector
