#include "inspector/media/wav_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

namespace et::inspector {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::uint16_t integerFormat = 1;
constexpr std::uint16_t floatFormat = 3;
constexpr std::uint16_t extensibleFormat = 0xFFFE;
constexpr std::size_t riffHeader = 12;
constexpr std::size_t chunkHeader = 8;
constexpr std::size_t formatBytes = 16;
constexpr std::size_t extensibleFormatAt = 24;  ///< the first two bytes of the sub-format's GUID
constexpr std::uint32_t maxChannels = 64;

template <class T>
T littleEndian(Bytes bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}
static_assert(std::endian::native == std::endian::little);

bool hasText(Bytes bytes, std::size_t at, std::string_view text) {
    return bytes.size() >= at + text.size() && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

struct WavFormat {
    std::uint16_t format = 0;
    std::uint16_t channels = 0;
    std::uint32_t rate = 0;
    std::uint16_t bits = 0;
};

std::unexpected<core::Error> damagedWav(std::string message, std::uint64_t offset) {
    return fail(ErrorCode::Format, "damaged WAV: " + std::move(message),
                {.file = {}, .field = {}, .offset = offset});
}

Result<WavFormat> readWavFormat(Bytes chunk, std::uint64_t offset) {
    if (chunk.size() < formatBytes) {
        return damagedWav("the chunk \"fmt \" is too short", offset);
    }
    WavFormat format{.format = littleEndian<std::uint16_t>(chunk, 0),
                     .channels = littleEndian<std::uint16_t>(chunk, 2),
                     .rate = littleEndian<std::uint32_t>(chunk, 4),
                     .bits = littleEndian<std::uint16_t>(chunk, 14)};
    if (format.format == extensibleFormat && chunk.size() >= extensibleFormatAt + 2) {
        format.format = littleEndian<std::uint16_t>(chunk, extensibleFormatAt);
    }
    if (format.channels == 0 || format.channels > maxChannels || format.rate == 0) {
        return damagedWav(fmt::format("{} channels, {} samples per second", format.channels, format.rate),
                          offset);
    }
    const bool known = (format.format == integerFormat &&
                        (format.bits == 8 || format.bits == 16 || format.bits == 24 || format.bits == 32)) ||
                       (format.format == floatFormat && (format.bits == 32 || format.bits == 64));
    if (!known) {
        return fail(
            ErrorCode::Unsupported,
            fmt::format("WAV format {} with {} bits is not supported: expected integers of 8 to 32 bits or "
                        "floats of 32 or 64",
                        format.format, format.bits));
    }
    return format;
}

/// A sample as a number from -1 to 1.
double sampleAt(Bytes data, std::size_t at, const WavFormat& format) {
    constexpr double byteMiddle = 128;
    constexpr double largest8 = 127;
    constexpr double largest16 = 32767;
    constexpr double largest24 = 8388607;
    constexpr double largest32 = 2147483647;
    if (format.format == floatFormat) {
        return format.bits == 32 ? littleEndian<float>(data, at) : littleEndian<double>(data, at);
    }
    switch (format.bits) {
        case 8:
            return (std::to_integer<int>(data[at]) - byteMiddle) / largest8;
        case 16:
            return littleEndian<std::int16_t>(data, at) / largest16;
        case 24: {
            const std::uint32_t low = littleEndian<std::uint16_t>(data, at);
            const auto high = std::to_integer<std::uint32_t>(data[at + 2]);
            const auto shifted = std::bit_cast<std::int32_t>((high << 24U) | (low << 8U));
            return (shifted >> 8) / largest24;
        }
        default:
            return littleEndian<std::int32_t>(data, at) / largest32;
    }
}

Result<Sound> readSamples(Bytes data, const WavFormat& format, std::uint64_t offset) {
    const std::size_t sampleBytes = format.bits / 8U;
    const std::size_t frameBytes = sampleBytes * format.channels;
    const std::size_t frames = data.size() / frameBytes;
    if (frames == 0) {
        return damagedWav("no samples", offset);
    }
    Sound sound{.rate = format.rate, .channels = format.channels, .samples = {}};
    sound.samples.reserve(frames);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        double sum = 0;
        for (std::size_t channel = 0; channel < format.channels; ++channel) {
            sum += sampleAt(data, (frame * frameBytes) + (channel * sampleBytes), format);
        }
        const auto mean = static_cast<float>(sum / format.channels);
        if (!std::isfinite(mean)) {
            return damagedWav(fmt::format("sample {} is not a finite number", frame), offset);
        }
        sound.samples.push_back(mean);
    }
    return sound;
}

}  // namespace

bool isWav(Bytes bytes) {
    return hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WAVE");
}

Result<Sound> decodeWav(Bytes bytes) {
    if (!isWav(bytes)) {
        return fail(ErrorCode::Unsupported, "expected a WAV file");
    }
    std::optional<WavFormat> format;
    std::size_t at = riffHeader;
    while (bytes.size() - at >= chunkHeader) {
        const std::uint64_t size = littleEndian<std::uint32_t>(bytes, at + 4);
        const std::size_t start = at + chunkHeader;
        const bool isData = hasText(bytes, at, "data");
        if (size > bytes.size() - start) {
            return damagedWav(
                fmt::format("truncated: a chunk of {} bytes, {} are left", size, bytes.size() - start), at);
        }
        const Bytes chunk = bytes.subspan(start, size);
        if (hasText(bytes, at, "fmt ")) {
            ET_ASSIGN(format, readWavFormat(chunk, at));
        } else if (isData) {
            return format ? readSamples(chunk, *format, at)
                          : Result<Sound>(damagedWav("samples before the chunk \"fmt \"", at));
        }
        at = std::min<std::size_t>(bytes.size(), start + size + (size % 2));
    }
    return damagedWav("no chunk \"data\"", at);
}

}  // namespace et::inspector
