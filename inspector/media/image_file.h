#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::inspector {

/// The pixels of an image: RGB, row by row. Alpha is dropped and gamma ignored, as exporters' pre-processing
/// does; palettes and grey become RGB, 16 bits become 8.
struct Pixels {
    std::size_t width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
};

/// Maximum pixels of an image.
inline constexpr std::uint64_t maxPixels = std::uint64_t{1} << 26;

[[nodiscard]] bool isPng(core::Bytes bytes);
[[nodiscard]] bool isJpeg(core::Bytes bytes);

/// Decodes a PNG or JPEG file. Errors: Format (damaged or truncated), Limit (more than maxPixels),
/// Unsupported (another format; CMYK).
[[nodiscard]] core::Result<Pixels> decodeImage(core::Bytes bytes);

}  // namespace et::inspector
