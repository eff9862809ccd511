#include "inspector/media/image_file.h"

#include <fmt/format.h>
#include <jpeglib.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t channels = 3;

core::Error damagedImage(std::string_view format, const std::string& message) {
    return {
        .code = ErrorCode::Format, .message = fmt::format("damaged {}: {}", format, message), .where = {}};
}

Result<> checkPixels(std::uint64_t width, std::uint64_t height) {
    if (width == 0 || height == 0 || width > maxPixels / height) {
        return fail(ErrorCode::Limit, fmt::format("the image has {} x {} pixels, at most {} are supported",
                                                  width, height, maxPixels));
    }
    return {};
}

/// Reading a PNG file. Both libraries report errors by longjmp(), so no function between setjmp() and their
/// calls owns memory.
struct PngReading {
    core::Bytes rest;
    std::array<char, 160> message{};
    png_structp png = nullptr;
    png_infop info = nullptr;

    PngReading() = default;
    PngReading(const PngReading&) = delete;
    PngReading& operator=(const PngReading&) = delete;
    ~PngReading() { png_destroy_read_struct(&png, &info, nullptr); }
};

[[noreturn]] void failPng(png_structp png, png_const_charp message) {
    auto* reading = static_cast<PngReading*>(png_get_error_ptr(png));
    std::snprintf(reading->message.data(), reading->message.size(), "%s", message);
    png_longjmp(png, 1);
}

void ignorePngWarning(png_structp /*png*/, png_const_charp /*message*/) {
}

void readPngBytes(png_structp png, png_bytep to, std::size_t count) {
    auto* reading = static_cast<PngReading*>(png_get_io_ptr(png));
    if (count > reading->rest.size()) {
        png_error(png, "truncated");
    }
    std::memcpy(to, reading->rest.data(), count);
    reading->rest = reading->rest.subspan(count);
}

bool readPngHeader(PngReading& reading) {
    if (setjmp(png_jmpbuf(reading.png)) != 0) {  // NOLINT(cert-err52-cpp): libpng's error handling
        return false;
    }
    png_set_read_fn(reading.png, &reading, &readPngBytes);
    png_set_user_limits(reading.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(reading.png, png_alloc_size_t{1} << 24U);
    png_read_info(reading.png, reading.info);
    png_set_expand(reading.png);
    png_set_scale_16(reading.png);
    png_set_gray_to_rgb(reading.png);
    png_set_strip_alpha(reading.png);
    return true;
}

bool readPngRows(PngReading& reading, std::uint8_t* pixels, std::size_t height, std::size_t rowBytes) {
    if (setjmp(png_jmpbuf(reading.png)) != 0) {  // NOLINT(cert-err52-cpp)
        return false;
    }
    const int passes = png_set_interlace_handling(reading.png);
    png_read_update_info(reading.png, reading.info);
    if (png_get_rowbytes(reading.png, reading.info) != rowBytes) {
        png_error(reading.png, "unexpected row size");
    }
    for (int pass = 0; pass < passes; ++pass) {
        for (std::size_t row = 0; row < height; ++row) {
            png_read_row(reading.png, pixels + (row * rowBytes), nullptr);
        }
    }
    png_read_end(reading.png, nullptr);
    return true;
}

Result<Pixels> decodePng(core::Bytes bytes) {
    PngReading reading;
    reading.rest = bytes;
    reading.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, &failPng, &ignorePngWarning);
    reading.info = reading.png == nullptr ? nullptr : png_create_info_struct(reading.png);
    if (reading.info == nullptr) {
        return fail(ErrorCode::Limit, "libpng is out of memory");
    }
    if (!readPngHeader(reading)) {
        return std::unexpected(damagedImage("PNG", reading.message.data()));
    }
    Pixels pixels{.width = png_get_image_width(reading.png, reading.info),
                  .height = png_get_image_height(reading.png, reading.info),
                  .rgb = {}};
    ET_TRY(checkPixels(pixels.width, pixels.height));
    pixels.rgb.resize(pixels.width * pixels.height * channels);
    if (!readPngRows(reading, pixels.rgb.data(), pixels.height, pixels.width * channels)) {
        return std::unexpected(damagedImage("PNG", reading.message.data()));
    }
    return pixels;
}

struct JpegReading {
    jpeg_error_mgr errors{};  ///< first, because libjpeg passes its address
    std::jmp_buf onError{};
    std::array<char, JMSG_LENGTH_MAX> message{};
    jpeg_decompress_struct jpeg{};

    JpegReading() = default;
    JpegReading(const JpegReading&) = delete;
    JpegReading& operator=(const JpegReading&) = delete;
    ~JpegReading() { jpeg_destroy_decompress(&jpeg); }
};

[[noreturn]] void failJpeg(j_common_ptr jpeg) {
    auto* reading = reinterpret_cast<JpegReading*>(jpeg->err);
    jpeg->err->format_message(jpeg, reading->message.data());
    std::longjmp(reading->onError, 1);  // NOLINT(cert-err52-cpp): libjpeg's error handling
}

/// Warnings are about damaged data.
void checkJpegMessage(j_common_ptr jpeg, int level) {
    if (level < 0) {
        failJpeg(jpeg);
    }
}

bool readJpegHeader(JpegReading& reading, core::Bytes bytes) {
    if (setjmp(reading.onError) != 0) {  // NOLINT(cert-err52-cpp)
        return false;
    }
    jpeg_create_decompress(&reading.jpeg);
    reading.jpeg.mem->max_memory_to_use = 1L << 30U;
    jpeg_mem_src(&reading.jpeg, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&reading.jpeg, TRUE);
    reading.jpeg.out_color_space = JCS_RGB;
    reading.jpeg.dct_method = JDCT_ISLOW;
    return true;
}

bool readJpegRows(JpegReading& reading, std::uint8_t* pixels) {
    if (setjmp(reading.onError) != 0) {  // NOLINT(cert-err52-cpp)
        return false;
    }
    jpeg_start_decompress(&reading.jpeg);
    const std::size_t rowBytes = std::size_t{reading.jpeg.output_width} * channels;
    while (reading.jpeg.output_scanline < reading.jpeg.output_height) {
        JSAMPROW row = pixels + (reading.jpeg.output_scanline * rowBytes);
        jpeg_read_scanlines(&reading.jpeg, &row, 1);
    }
    jpeg_finish_decompress(&reading.jpeg);
    return true;
}

Result<Pixels> decodeJpeg(core::Bytes bytes) {
    JpegReading reading;
    reading.jpeg.err = jpeg_std_error(&reading.errors);
    reading.errors.error_exit = &failJpeg;
    reading.errors.emit_message = &checkJpegMessage;
    if (!readJpegHeader(reading, bytes)) {
        return std::unexpected(damagedImage("JPEG", reading.message.data()));
    }
    const J_COLOR_SPACE space = reading.jpeg.jpeg_color_space;
    if (space == JCS_CMYK || space == JCS_YCCK) {
        return fail(ErrorCode::Unsupported, "CMYK images are not supported: convert it to RGB");
    }
    Pixels pixels{.width = reading.jpeg.image_width, .height = reading.jpeg.image_height, .rgb = {}};
    ET_TRY(checkPixels(pixels.width, pixels.height));
    pixels.rgb.resize(pixels.width * pixels.height * channels);
    if (!readJpegRows(reading, pixels.rgb.data())) {
        return std::unexpected(damagedImage("JPEG", reading.message.data()));
    }
    return pixels;
}

bool startsWithBytes(core::Bytes bytes, std::initializer_list<std::uint8_t> start) {
    return bytes.size() >= start.size() &&
           std::ranges::equal(bytes.first(start.size()), start, [](std::byte given, std::uint8_t wanted) {
               return std::to_integer<std::uint8_t>(given) == wanted;
           });
}

}  // namespace

bool isPng(core::Bytes bytes) {
    return startsWithBytes(bytes, {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'});
}

bool isJpeg(core::Bytes bytes) {
    return startsWithBytes(bytes, {0xFF, 0xD8, 0xFF});
}

Result<Pixels> decodeImage(core::Bytes bytes) {
    if (isPng(bytes)) {
        return decodePng(bytes);
    }
    if (isJpeg(bytes)) {
        return decodeJpeg(bytes);
    }
    return fail(ErrorCode::Unsupported, "expected a PNG or JPEG file");
}

}  // namespace et::inspector
