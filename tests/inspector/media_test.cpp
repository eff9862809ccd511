// Tests of the pre-processing of images and sounds against direct formulas in double precision.
#include "app/samples/media_files.h"
#include "inspector/media/image_file.h"
#include "inspector/media/image_steps.h"
#include "inspector/media/sound_steps.h"
#include "inspector/media/wav_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <jpeglib.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace et::test {
namespace {

using inspector::MediaInput;
using inspector::Pixels;
using program::ProgramConstant;

constexpr std::uint32_t width = 48;
constexpr std::uint32_t height = 40;

std::vector<std::byte> samplePng() {
    return samples::pngFile(samples::gradientPixels(width, height), width, height);
}

template <class T>
std::vector<T> numbersOf(const inspector::MediaTensor& media) {
    std::vector<T> numbers(media.tensor.data.size() / sizeof(T));
    std::memcpy(numbers.data(), media.tensor.data.data(), media.tensor.data.size());
    return numbers;
}

TEST(ImageFile, ReadsPixelsOfAPng) {
    const auto pixels = inspector::decodeImage(samplePng());
    ASSERT_TRUE(pixels) << pixels.error().toString();
    EXPECT_EQ(pixels->width, width);
    EXPECT_EQ(pixels->height, height);
    EXPECT_EQ(pixels->rgb, samples::gradientPixels(width, height));
}

std::vector<std::byte> jpegFile(std::vector<std::uint8_t> rgb, std::uint32_t wide, std::uint32_t high) {
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &memory, &size);
    jpeg.image_width = wide;
    jpeg.image_height = high;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 95, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    for (std::uint32_t row = 0; row < high; ++row) {
        JSAMPROW line = rgb.data() + (std::size_t{row} * wide * 3);
        jpeg_write_scanlines(&jpeg, &line, 1);
    }
    jpeg_finish_compress(&jpeg);
    const auto written = std::as_bytes(std::span(memory, size));
    std::vector<std::byte> file(written.begin(), written.end());
    jpeg_destroy_compress(&jpeg);
    std::free(memory);
    return file;
}

TEST(ImageFile, ReadsAJpeg) {
    const std::vector<std::uint8_t> grey(std::size_t{17} * 9 * 3, 100);
    const auto file = jpegFile(grey, 17, 9);
    const auto pixels = inspector::decodeImage(file);
    ASSERT_TRUE(pixels) << pixels.error().toString();
    EXPECT_EQ(pixels->width, 17U);
    EXPECT_EQ(pixels->height, 9U);
    EXPECT_TRUE(std::ranges::all_of(pixels->rgb, [](int value) { return value >= 99 && value <= 101; }));
    for (std::size_t length = 0; length < file.size() - 2; ++length) {
        EXPECT_FALSE(inspector::decodeImage(core::Bytes(file).first(length))) << length;
    }
}

TEST(ImageFile, RejectsTruncatedAndChangedFiles) {
    const auto png = samplePng();
    for (std::size_t length = 0; length < png.size(); length += 3) {
        EXPECT_FALSE(inspector::decodeImage(core::Bytes(png).first(length))) << length;
    }
    for (std::size_t at = 0; at < png.size(); ++at) {
        auto changed = png;
        changed[at] ^= std::byte{0x10};
        static_cast<void>(inspector::decodeImage(changed));
    }
}

TEST(ImageFile, RejectsHugeHeadersWithoutAllocating) {
    constexpr std::uint32_t huge = 100000;
    std::vector<std::byte> png = samples::pngFile({}, huge, 0);
    // The height, and the checksum that pngFile() made for 0 rows: libpng reports the checksum or the size.
    png[20] = std::byte{0};
    png[21] = std::byte{1};
    const auto refused = inspector::decodeImage(png);
    ASSERT_FALSE(refused);
    std::vector<std::uint8_t> oneRow(std::size_t{huge} * 3);
    const auto wide = inspector::decodeImage(samples::pngFile(oneRow, huge, 1));
    ASSERT_TRUE(wide) << wide.error().toString();
    EXPECT_EQ(wide->width, huge);
}

/// A triangle or Keys filter over all source pixels, without the tap lists of the implementation.
double resizedAt(const std::vector<double>& line, std::size_t to, std::size_t at) {
    const double scale = static_cast<double>(line.size()) / static_cast<double>(to);
    const double wide = std::max(1.0, scale);
    const double center = (static_cast<double>(at) + 0.5) * scale;
    double sum = 0;
    double weights = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const double weight = std::max(0.0, 1 - std::abs((static_cast<double>(i) + 0.5 - center) / wide));
        sum += weight * line[i];
        weights += weight;
    }
    return std::floor((sum / weights) + 0.5);
}

TEST(ImageSteps, ResizesBilinearlyOverTheWholeScale) {
    const Pixels pixels{.width = width, .height = height, .rgb = samples::gradientPixels(width, height)};
    for (const auto& [toWidth, toHeight] : {std::pair<std::size_t, std::size_t>{32, 32}, {96, 13}, {5, 80}}) {
        const Pixels result = inspector::resized(pixels, toWidth, toHeight, inspector::Resample::Bilinear);
        for (std::size_t y = 0; y < toHeight; ++y) {
            for (std::size_t x = 0; x < toWidth; ++x) {
                for (std::size_t color = 0; color < 3; ++color) {
                    std::vector<double> column;
                    for (std::size_t row = 0; row < height; ++row) {
                        std::vector<double> line;
                        for (std::size_t i = 0; i < width; ++i) {
                            line.push_back(pixels.rgb[(((row * width) + i) * 3) + color]);
                        }
                        column.push_back(resizedAt(line, toWidth, x));
                    }
                    // Sums in another order may round a half differently.
                    EXPECT_NEAR(result.rgb[(((y * toWidth) + x) * 3) + color], resizedAt(column, toHeight, y),
                                1);
                }
            }
        }
    }
}

TEST(ImageSteps, ConvertsAsTheConstantsSay) {
    const std::vector<ProgramConstant> constants{{.name = "get_image_mean", .items = {0.5, 0.25, 0.125}},
                                                 {.name = "image_std", .items = {0.5}},
                                                 {.name = "get_image_rescale", .items = {1.0 / 128}}};
    const auto settings = inspector::imageSettings(constants);
    ASSERT_TRUE(settings);
    const Pixels pixels{.width = 2, .height = 1, .rgb = {0, 64, 128, 192, 255, 10}};
    const MediaInput input{.dtype = core::ScalarType::Float, .sizes = {1, 3, 1, 2}};
    const auto media = inspector::imageTensor(pixels, "PNG", *settings, input);
    ASSERT_TRUE(media) << media.error().toString();
    EXPECT_EQ(media->tensor.sizes, input.sizes);
    const std::vector<double> mean{0.5, 0.25, 0.125};
    std::vector<float> expected;
    for (std::size_t color = 0; color < 3; ++color) {
        for (std::size_t pixel = 0; pixel < 2; ++pixel) {
            expected.push_back(
                static_cast<float>(((pixels.rgb[(pixel * 3) + color] / 128.0) - mean[color]) / 0.5));
        }
    }
    EXPECT_EQ(numbersOf<float>(*media), expected);
    ASSERT_EQ(media->steps.size(), 5U);
    EXPECT_EQ(media->steps[0].most, 255);
    EXPECT_EQ(media->steps[2].name, "normalize: mean 0.5 0.25 0.125, std 0.5 0.5 0.5");
    EXPECT_EQ(media->steps[3].name, "channels first");
}

TEST(ImageSteps, RejectsADeviationOfZero) {
    const auto refused =
        inspector::imageSettings(std::vector<ProgramConstant>{{.name = "get_image_std", .items = {0.0}}});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().toString(), testing::HasSubstr("get_image_std"));
}

TEST(ImageSteps, CutsPatches) {
    Pixels pixels{.width = 4, .height = 2, .rgb = {}};
    for (std::uint8_t i = 0; i < 24; ++i) {
        pixels.rgb.push_back(i);
    }
    const MediaInput input{.dtype = core::ScalarType::Byte, .sizes = {1, 2, 12}};
    const auto media = inspector::imageTensor(
        pixels, "PNG", {.mean = {}, .deviation = {}, .rescale = {}, .patch = 2}, input);
    ASSERT_TRUE(media) << media.error().toString();
    EXPECT_THAT(numbersOf<std::uint8_t>(*media),
                testing::ElementsAre(0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17, 6, 7, 8, 9, 10, 11, 18, 19, 20,
                                     21, 22, 23));
}

TEST(WavFile, ReadsIntegersAsExecuTorchDoes) {
    const std::vector<std::int16_t> samples{0, 32767, -32767, 100};
    const auto sound = inspector::decodeWav(samples::wavFile(samples, 8000));
    ASSERT_TRUE(sound) << sound.error().toString();
    EXPECT_EQ(sound->rate, 8000U);
    EXPECT_THAT(sound->samples, testing::ElementsAre(0.0F, 1.0F, -1.0F, static_cast<float>(100 / 32767.0)));
}

TEST(WavFile, RejectsDamagedFiles) {
    const auto wav = samples::wavFile(samples::toneSamples(100, 8000), 8000);
    for (std::size_t length = 0; length < wav.size(); ++length) {
        EXPECT_FALSE(inspector::decodeWav(core::Bytes(wav).first(length))) << length;
    }
    auto silent = wav;
    std::fill_n(silent.begin() + 24, 4, std::byte{0});
    const auto zeroRate = inspector::decodeWav(silent);
    ASSERT_FALSE(zeroRate);
    EXPECT_THAT(zeroRate.error().toString(), testing::HasSubstr("0 samples per second"));
    // 32-bit floats, the first of which is NaN.
    auto floats = wav;
    floats[20] = std::byte{3};
    floats[34] = std::byte{32};
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(floats.data() + 44, &nan, sizeof(nan));
    const auto notFinite = inspector::decodeWav(floats);
    ASSERT_FALSE(notFinite);
    EXPECT_THAT(notFinite.error().toString(), testing::HasSubstr("sample 0 is not a finite number"));
}

/// Whisper's spectrogram from its definition, with complex exponentials.
std::vector<double> spectrogram(const std::vector<float>& samples, std::size_t mels,
                                const inspector::SoundSettings& settings) {
    const std::size_t window = settings.window;
    const std::size_t frames = samples.size() / settings.hop;
    const std::vector<double> filters = inspector::melFilters(mels, settings);
    std::vector<double> logs(mels * frames);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        std::vector<double> powers;
        for (std::size_t bin = 0; bin <= window / 2; ++bin) {
            std::complex<double> sum;
            for (std::size_t i = 0; i < window; ++i) {
                auto at = static_cast<std::int64_t>((frame * settings.hop) + i) -
                          static_cast<std::int64_t>(window / 2);
                at = std::abs(at);
                const auto last = static_cast<std::int64_t>(samples.size()) - 1;
                at = at > last ? (2 * last) - at : at;
                const double angle =
                    2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(window);
                sum += 0.5 * (1 - std::cos(angle)) *
                       static_cast<double>(samples[static_cast<std::size_t>(at)]) *
                       std::polar(1.0, -angle * static_cast<double>(bin));
            }
            powers.push_back(std::norm(sum));
        }
        for (std::size_t mel = 0; mel < mels; ++mel) {
            double energy = 0;
            for (std::size_t bin = 0; bin < powers.size(); ++bin) {
                energy += powers[bin] * filters[(mel * powers.size()) + bin];
            }
            logs[(mel * frames) + frame] = std::log10(std::max(energy, 1e-10));
        }
    }
    const double largest = std::ranges::max(logs);
    for (double& each : logs) {
        each = (std::max(each, largest - 8) + 4) / 4;
    }
    return logs;
}

TEST(SoundSteps, ComputesWhispersSpectrogram) {
    constexpr std::uint32_t rate = 16000;
    const auto sound = inspector::decodeWav(samples::wavFile(samples::toneSamples(1600, rate), rate));
    ASSERT_TRUE(sound);
    const inspector::SoundSettings settings;
    const auto computed = inspector::melSpectrogram(sound->samples, 80, settings);
    const auto expected = spectrogram(sound->samples, 80, settings);
    ASSERT_EQ(computed.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(computed[i], expected[i], 1e-6);
    }
}

TEST(SoundSteps, MelFiltersHaveEqualArea) {
    // A triangle of height 2 / (width) has the area 1 in hertz, whatever its width.
    const inspector::SoundSettings settings{.rate = 16000, .window = 65536, .hop = 160};
    const auto filters = inspector::melFilters(8, settings);
    const std::size_t bins = filters.size() / 8;
    for (std::size_t mel = 0; mel < 8; ++mel) {
        double area = 0;
        for (std::size_t bin = 0; bin < bins; ++bin) {
            area += filters[(mel * bins) + bin] * 16000 / 65536;
        }
        EXPECT_NEAR(area, 1, 1e-3);
    }
}

TEST(SoundSteps, ResamplesATone) {
    std::vector<float> tone;
    for (int i = 0; i < 8000; ++i) {
        tone.push_back(static_cast<float>(std::sin(2 * std::numbers::pi * 440 * i / 8000)));
    }
    const auto faster = inspector::resampled(tone, 8000, 16000);
    ASSERT_EQ(faster.size(), 16000U);
    for (std::size_t i = 1000; i < 15000; ++i) {
        EXPECT_NEAR(faster[i], std::sin(2 * std::numbers::pi * 440 * static_cast<double>(i) / 16000), 2e-3);
    }
}

TEST(SoundSteps, PadsAndCuts) {
    const MediaInput input{.dtype = core::ScalarType::Float, .sizes = {1, 10}};
    for (const std::size_t count : {3U, 10U, 25U}) {
        inspector::Sound sound{.rate = 16000, .samples = std::vector<float>(count, 1.0F)};
        const auto media = inspector::soundTensor(sound, {}, input);
        ASSERT_TRUE(media) << media.error().toString();
        const auto numbers = numbersOf<float>(*media);
        EXPECT_EQ(std::ranges::count(numbers, 1.0F),
                  std::min<std::ptrdiff_t>(10, static_cast<std::ptrdiff_t>(count)));
        EXPECT_EQ(numbers.size(), 10U);
    }
}

}  // namespace
}  // namespace et::test
