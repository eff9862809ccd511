#include "runtime/kernels/quantized/sign_flipped_row.h"

#include <algorithm>

namespace et::kernels::quantized {

void turnRow(const dense::ImageConvolution& shape, const std::int8_t* image, std::size_t y, std::uint8_t zero,
             std::span<std::uint8_t> row) {
    const bool isInside = y >= shape.height.padding && y - shape.height.padding < shape.height.input;
    const std::size_t line = shape.width.input * shape.inputChannels;
    const std::size_t before = std::min(row.size(), shape.width.padding * shape.inputChannels);
    const std::size_t count = isInside ? std::min(row.size() - before, line) : 0;
    const std::int8_t* const from = isInside ? image + (y - shape.height.padding) * line : image;
    const auto first = std::fill_n(row.begin(), before, zero);
    const auto last = std::transform(from, from + count, first, [](std::int8_t byte) {
        return static_cast<std::uint8_t>(static_cast<std::uint8_t>(byte) ^ signBit);
    });
    std::fill(last, row.end(), zero);
}

}  // namespace et::kernels::quantized
