#include "runtime/kernels/quantized/embedding.h"

#include "runtime/kernels/elements.h"
#include "runtime/kernels/quantized/affine_simd.h"
#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace et::kernels::quantized {
namespace {

/// Number of row elements unpacked at a time.
constexpr std::size_t blockNumbers = 512;

core::Result<> checkEmbedding(const QuantizedEmbedding& embedding, const Tensor& indices) {
    const Tensor& weight = embedding.weight;
    const Tensor& scales = embedding.scales;
    const bool signedBytes = embedding.bits == 8 && weight.dtype() == ScalarType::Char;
    if (weight.dim() != 2 || !(weight.dtype() == ScalarType::Byte || signedBytes)) {
        return invalid(
            fmt::format("expected a byte-sized weight with 2 dimensions, got {}", core::describe(weight)));
    }
    if ((scales.dim() != 1 && scales.dim() != 2) || scales.size(0) != weight.size(0)) {
        return invalid(fmt::format("expected scales for {} rows, got {}", weight.size(0),
                                   core::sizesText(scales.sizes())));
    }
    if (embedding.zeroPoints != nullptr && embedding.zeroPoints->sizes() != scales.sizes()) {
        return invalid(fmt::format("expected zero points of {}, got {}", core::sizesText(scales.sizes()),
                                   core::sizesText(embedding.zeroPoints->sizes())));
    }
    if (!core::isFloating(scales.dtype())) {
        return unsupportedType(scales.dtype());
    }
    if (!weight.isContiguous() || !scales.isContiguous() || !indices.isContiguous() ||
        (embedding.zeroPoints != nullptr && !embedding.zeroPoints->isContiguous())) {
        return core::fail(core::ErrorCode::Unsupported, "expected row-major tensors");
    }
    if (indices.dtype() != ScalarType::Long && indices.dtype() != ScalarType::Int) {
        return invalid(
            fmt::format("expected indices of int64 or int32, got {}", core::scalarTypeName(indices.dtype())));
    }
    return {};
}

/// Unpacks `count` elements of a packed row starting at `begin`, which is a multiple of the elements per
/// byte.
void unpack(const std::uint8_t* row, int bits, std::size_t begin, std::size_t count, std::int8_t* numbers) {
    if (bits == 4) {
        // The high half is first.
        for (std::size_t i = 0; i < count; ++i) {
            const unsigned byte = row[(begin + i) / 2];
            numbers[i] = static_cast<std::int8_t>(static_cast<int>(i % 2 == 0 ? byte >> 4U : byte & 15U) - 8);
        }
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned byte = row[(begin + i) / 4];
        numbers[i] = static_cast<std::int8_t>(static_cast<int>(byte >> (2 * (i % 4)) & 3U) - 2);
    }
}

/// Rows of a weight, dequantized one at a time.
class Rows {
  public:
    explicit Rows(const QuantizedEmbedding& from)
        : embedding(from),
          width(static_cast<std::size_t>(from.weight.size(1)) * 8 / static_cast<std::size_t>(from.bits)),
          groups(from.scales.dim() == 2 ? static_cast<std::size_t>(from.scales.size(1)) : 1),
          loadScale(elementLoader<float>(from.scales.dtype())),
          loadZeroPoint(from.zeroPoints == nullptr ? nullptr
                                                   : elementLoader<float>(from.zeroPoints->dtype())) {}

    [[nodiscard]] core::Result<> check() const {
        if (groups == 0 || width % groups != 0) {
            return invalid(fmt::format("expected a number of groups that divides {}, got {}", width, groups));
        }
        if (loadScale == nullptr || (embedding.zeroPoints != nullptr && loadZeroPoint == nullptr)) {
            return core::fail(core::ErrorCode::Unsupported, "expected numeric scales and zero points");
        }
        return {};
    }

    [[nodiscard]] std::size_t numbers() const { return width; }

    void write(std::size_t row, StoreElements<float> store, std::byte* out, std::size_t outWidth) const {
        const std::size_t group = width / groups;
        for (std::size_t g = 0; g < groups; ++g) {
            const float scale = parameter(embedding.scales, loadScale, row * groups + g);
            const float zeroPoint = embedding.zeroPoints == nullptr
                                        ? 0.0F
                                        : parameter(*embedding.zeroPoints, loadZeroPoint, row * groups + g);
            for (std::size_t done = 0; done < group; done += blockNumbers) {
                std::array<float, blockNumbers> floats;
                const std::size_t count = std::min(blockNumbers, group - done);
                const std::size_t begin = g * group + done;
                readBlock(row, begin, count, scale, zeroPoint, floats.data());
                store(floats.data(), out + begin * outWidth, 1, count);
            }
        }
    }

  private:
    static float parameter(const Tensor& tensor, LoadElements<float> load, std::size_t at) {
        float number = 0;
        load(tensor.raw() + at * tensor.elementSize(), 1, &number, 1);
        return number;
    }

    void readBlock(std::size_t row, std::size_t begin, std::size_t count, float scale, float zeroPoint,
                   float* floats) const {
        const auto rowBytes = static_cast<std::size_t>(embedding.weight.size(1));
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(embedding.weight.raw()) + row * rowBytes;
        if (embedding.bits != 8) {
            // Groups may start in the middle of a byte.
            const std::size_t perByte = 8 / static_cast<std::size_t>(embedding.bits);
            const std::size_t skip = begin % perByte;
            std::array<std::int8_t, blockNumbers + 4> numbers;
            unpack(bytes, embedding.bits, begin - skip, count + skip, numbers.data());
            dequantize(numbers.data() + skip, count, scale, zeroPoint, floats);
        } else if (embedding.weight.dtype() == ScalarType::Byte) {
            dequantize(bytes + begin, count, scale, zeroPoint, floats);
        } else {
            dequantize(reinterpret_cast<const std::int8_t*>(bytes) + begin, count, scale, zeroPoint, floats);
        }
    }

    const QuantizedEmbedding& embedding;
    std::size_t width;
    std::size_t groups;
    LoadElements<float> loadScale;
    LoadElements<float> loadZeroPoint;
};

}  // namespace

core::Result<> embed(KernelContext& context, const QuantizedEmbedding& embedding, const Tensor& indices,
                     std::optional<ScalarType> dtype, Tensor& out) {
    ET_TRY(checkEmbedding(embedding, indices));
    const Rows rows(embedding);
    ET_TRY(rows.check());
    if (indices.dim() >= core::maxDims) {
        return core::fail(core::ErrorCode::Limit, fmt::format("{} dimensions", indices.dim() + 1));
    }
    Sizes sizes = indices.sizes();
    sizes.push_back(static_cast<std::int64_t>(rows.numbers()));
    ET_TRY(out.resize(sizes));
    if (!core::isFloating(out.dtype()) || (dtype && *dtype != out.dtype()) || !out.isContiguous()) {
        return invalid(fmt::format("expected a row-major result of {}, got {}",
                                   dtype ? core::scalarTypeName(*dtype) : "a floating dtype",
                                   core::describe(out)));
    }
    const auto count = static_cast<std::size_t>(indices.numel());
    ET_ASSIGN(const auto chosen, context.scratch<std::int64_t>(count));
    elementLoader<std::int64_t>(indices.dtype())(indices.raw(), 1, chosen.data(), count);
    for (const std::int64_t row : chosen) {
        if (row < 0 || row >= embedding.weight.size(0)) {
            return invalid(
                fmt::format("expected indices from 0 to {}, got {}", embedding.weight.size(0) - 1, row));
        }
    }
    const StoreElements<float> store = elementStorer<float>(out.dtype());
    const std::size_t rowBytes = rows.numbers() * out.elementSize();
    context.threads().parallelFor(count, (std::size_t{1} << 15) / (rows.numbers() + 1) + 1,
                                  [&](std::size_t begin, std::size_t end) {
                                      for (std::size_t i = begin; i < end; ++i) {
                                          rows.write(static_cast<std::size_t>(chosen[i]), store,
                                                     out.raw() + i * rowBytes, out.elementSize());
                                      }
                                  });
    return {};
}

}  // namespace et::kernels::quantized
