#include "app/samples/media_files.h"

#include <zlib.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string_view>

namespace et::samples {
namespace {

void appendText(std::vector<std::byte>& file, std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    file.insert(file.end(), bytes.begin(), bytes.end());
}

template <class T>
void appendLittle(std::vector<std::byte>& file, T number) {
    const auto bytes = std::as_bytes(std::span(&number, 1));
    file.insert(file.end(), bytes.begin(), bytes.end());
}

void appendBig(std::vector<std::byte>& file, std::uint32_t number) {
    appendLittle(file, std::byteswap(number));
}

/// Length, type, data and checksum.
void appendChunk(std::vector<std::byte>& file, std::string_view type, std::span<const std::byte> data) {
    appendBig(file, static_cast<std::uint32_t>(data.size()));
    const std::size_t start = file.size();
    appendText(file, type);
    file.insert(file.end(), data.begin(), data.end());
    const uLong sum =
        crc32(0, reinterpret_cast<const Bytef*>(file.data() + start), static_cast<uInt>(file.size() - start));
    appendBig(file, static_cast<std::uint32_t>(sum));
}

}  // namespace

std::vector<std::byte> pngFile(std::span<const std::uint8_t> rgb, std::uint32_t width, std::uint32_t height) {
    std::vector<std::byte> file;
    appendText(file, "\x89PNG\r\n\x1A\n");
    std::vector<std::byte> header;
    appendBig(header, width);
    appendBig(header, height);
    for (const int number : {8, 2, 0, 0, 0}) {  // 8 bits, RGB, deflate, filters, not interlaced
        header.push_back(static_cast<std::byte>(number));
    }
    appendChunk(file, "IHDR", header);
    std::vector<std::byte> rows;
    const std::size_t rowBytes = std::size_t{width} * 3;
    for (std::size_t row = 0; row < height; ++row) {
        rows.push_back(std::byte{0});  // no filter
        const auto bytes = std::as_bytes(rgb.subspan(row * rowBytes, rowBytes));
        rows.insert(rows.end(), bytes.begin(), bytes.end());
    }
    uLongf size = compressBound(rows.size());
    std::vector<std::byte> packed(size);
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
             rows.size());
    packed.resize(size);
    appendChunk(file, "IDAT", packed);
    appendChunk(file, "IEND", {});
    return file;
}

std::vector<std::byte> wavFile(std::span<const std::int16_t> samples, std::uint32_t rate) {
    constexpr std::uint32_t headerBytes = 36;
    const auto dataBytes = static_cast<std::uint32_t>(samples.size_bytes());
    std::vector<std::byte> file;
    appendText(file, "RIFF");
    appendLittle(file, headerBytes + dataBytes);
    appendText(file, "WAVEfmt ");
    appendLittle(file, std::uint32_t{16});
    appendLittle(file, std::uint16_t{1});  // integers
    appendLittle(file, std::uint16_t{1});  // channels
    appendLittle(file, rate);
    appendLittle(file, rate * 2);
    appendLittle(file, std::uint16_t{2});   // bytes of a frame
    appendLittle(file, std::uint16_t{16});  // bits
    appendText(file, "data");
    appendLittle(file, dataBytes);
    const auto bytes = std::as_bytes(samples);
    file.insert(file.end(), bytes.begin(), bytes.end());
    return file;
}

std::vector<std::uint8_t> gradientPixels(std::uint32_t width, std::uint32_t height) {
    std::vector<std::uint8_t> rgb;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            rgb.push_back(static_cast<std::uint8_t>(255 * x / (width - 1)));
            rgb.push_back(static_cast<std::uint8_t>(255 * y / (height - 1)));
            rgb.push_back(static_cast<std::uint8_t>(((x / 8) + (y / 8)) % 2 * 255));
        }
    }
    return rgb;
}

std::vector<std::int16_t> toneSamples(std::size_t count, std::uint32_t rate) {
    constexpr double loudness = 12000;
    constexpr double low = 440;
    constexpr double high = 660;
    std::vector<std::int16_t> samples;
    for (std::size_t i = 0; i < count; ++i) {
        const double hertz = i < count / 2 ? low : high;
        const double angle = 2 * std::numbers::pi * hertz * static_cast<double>(i) / rate;
        samples.push_back(static_cast<std::int16_t>(std::lround(loudness * std::sin(angle))));
    }
    return samples;
}

}  // namespace et::samples
