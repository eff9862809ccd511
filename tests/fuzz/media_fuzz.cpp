// Fuzzes images and sounds: decoded data has the size that the header declares, and every number is finite.
#include "inspector/media/image_file.h"
#include "inspector/media/wav_file.h"
#include "tests/fuzz/support/byte_source.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const et::core::Bytes bytes = std::as_bytes(std::span(data, size));
    if (const auto sound = et::inspector::decodeWav(bytes)) {
        et::fuzz::require(sound->rate > 0 && !sound->samples.empty());
        et::fuzz::require(
            std::ranges::all_of(sound->samples, [](float sample) { return std::isfinite(sample); }));
    }
    // Decoding megapixels takes long and reaches nothing more.
    constexpr std::size_t mostBytes = 1 << 14;
    if (size <= mostBytes) {
        if (const auto pixels = et::inspector::decodeImage(bytes)) {
            et::fuzz::require(pixels->rgb.size() == pixels->width * pixels->height * 3);
        }
    }
    return 0;
}
