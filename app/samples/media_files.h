#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::samples {

/// A PNG file of RGB pixels, row by row.
[[nodiscard]] std::vector<std::byte> pngFile(std::span<const std::uint8_t> rgb, std::uint32_t width,
                                             std::uint32_t height);
/// A WAV file of 16-bit samples, one channel.
[[nodiscard]] std::vector<std::byte> wavFile(std::span<const std::int16_t> samples, std::uint32_t rate);

/// A picture of colour gradients.
[[nodiscard]] std::vector<std::uint8_t> gradientPixels(std::uint32_t width, std::uint32_t height);
/// Two tones, the second half an octave higher.
[[nodiscard]] std::vector<std::int16_t> toneSamples(std::size_t count, std::uint32_t rate);

}  // namespace et::samples
