#include "inspector/media/sound_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

constexpr double tau = 2 * std::numbers::pi;
constexpr std::size_t maxSoundSamples = std::size_t{1} << 27;

/// Sets `target` from a constant, if the model has it.
template <class T>
Result<> readSoundConstant(std::span<const program::ProgramConstant> constants, std::string_view name,
                           std::int64_t most, T& target) {
    for (const program::ProgramConstant& constant : constants) {
        std::string_view own = constant.name;
        own.remove_prefix(own.starts_with("get_") ? 4 : 0);
        if (own != name) {
            continue;
        }
        const auto number = constant.number();
        if (!number || *number < 1 || *number > most) {
            return fail(ErrorCode::Mismatch, fmt::format("expected a number from 1 to {}", most),
                        {.file = {}, .field = fmt::format("get_{}", name), .offset = {}});
        }
        target = static_cast<T>(*number);
    }
    return {};
}

/// Hertz of a mel number, linear below 1000 Hz.
double hertzOfMel(double mel) {
    constexpr double step = 200.0 / 3;
    constexpr double linearEnd = 1000;
    const double first = linearEnd / step;
    return mel < first ? mel * step : linearEnd * std::exp(std::log(6.4) / 27 * (mel - first));
}

double melOfHertz(double hertz) {
    constexpr double step = 200.0 / 3;
    constexpr double linearEnd = 1000;
    return hertz < linearEnd ? hertz / step
                             : (linearEnd / step) + (std::log(hertz / linearEnd) * 27 / std::log(6.4));
}

/// The sample at a position, mirrored at both ends.
double mirrored(const std::vector<float>& samples, std::int64_t at) {
    const auto count = static_cast<std::int64_t>(samples.size());
    if (count == 1) {
        return samples.front();
    }
    const std::int64_t period = 2 * (count - 1);
    at = ((at % period) + period) % period;
    return samples[static_cast<std::size_t>(at < count ? at : period - at)];
}

/// Squared magnitudes of a window's frequencies.
class PowerSpectrum {
  public:
    explicit PowerSpectrum(std::size_t length) : cosines(length), sines(length), hann(length) {
        for (std::size_t i = 0; i < length; ++i) {
            const double angle = tau * static_cast<double>(i) / static_cast<double>(length);
            cosines[i] = std::cos(angle);
            sines[i] = std::sin(angle);
            hann[i] = 0.5 * (1 - cosines[i]);
        }
        windowed.resize(length);
        powers.resize((length / 2) + 1);
    }
    /// Of the window with this middle.
    const std::vector<double>& at(const std::vector<float>& samples, std::int64_t middle) {
        const std::size_t length = hann.size();
        const std::int64_t start = middle - static_cast<std::int64_t>(length / 2);
        for (std::size_t i = 0; i < length; ++i) {
            windowed[i] = hann[i] * mirrored(samples, start + static_cast<std::int64_t>(i));
        }
        for (std::size_t bin = 0; bin < powers.size(); ++bin) {
            double real = 0;
            double imaginary = 0;
            std::size_t phase = 0;
            for (std::size_t i = 0; i < length; ++i) {
                real += windowed[i] * cosines[phase];
                imaginary += windowed[i] * sines[phase];
                phase += bin;
                phase -= phase >= length ? length : 0;
            }
            powers[bin] = (real * real) + (imaginary * imaginary);
        }
        return powers;
    }

  private:
    std::vector<double> cosines, sines, hann, windowed, powers;
};

Result<> storeSound(MediaTensor& media, const std::vector<float>& numbers, std::vector<std::int64_t> sizes,
                    std::string name) {
    const auto bytes = std::as_bytes(std::span(numbers));
    media.tensor = {.dtype = ScalarType::Float,
                    .sizes = std::move(sizes),
                    .dimOrder = {},
                    .data = {bytes.begin(), bytes.end()}};
    return media.addStep(std::move(name));
}

/// Pads or cuts to the samples that the encoder takes.
Result<> setLength(MediaTensor& media, std::vector<float>& samples, std::size_t wanted, bool isDynamic) {
    if (samples.size() == wanted || (isDynamic && samples.size() < wanted)) {
        return {};
    }
    const char* verb = samples.size() < wanted ? "pad" : "cut";
    samples.resize(wanted, 0);
    return storeSound(media, samples, {static_cast<std::int64_t>(wanted)},
                      fmt::format("{} to {} samples", verb, wanted));
}

}  // namespace

Result<SoundSettings> soundSettings(std::span<const program::ProgramConstant> constants) {
    SoundSettings settings;
    constexpr std::int64_t mostRate = 1'000'000;
    constexpr std::int64_t mostWindow = 1 << 16;
    ET_TRY(readSoundConstant(constants, "sample_rate", mostRate, settings.rate));
    ET_TRY(readSoundConstant(constants, "n_fft", mostWindow, settings.window));
    ET_TRY(readSoundConstant(constants, "hop_length", mostWindow, settings.hop));
    return settings;
}

std::vector<float> resampled(const std::vector<float>& samples, std::uint32_t from, std::uint32_t to) {
    constexpr double lobes = 16;
    const double step = static_cast<double>(from) / to;
    const double cutoff = std::min(1.0, 1 / step);
    const double reach = lobes / cutoff;
    const auto count = static_cast<std::size_t>(static_cast<double>(samples.size()) / step);
    std::vector<float> result(std::max<std::size_t>(count, 1));
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double center = static_cast<double>(i) * step;
        const auto first = static_cast<std::int64_t>(std::ceil(center - reach));
        const auto last = static_cast<std::int64_t>(std::floor(center + reach));
        double sum = 0;
        for (std::int64_t at = std::max<std::int64_t>(first, 0);
             at <= std::min(last, static_cast<std::int64_t>(samples.size()) - 1); ++at) {
            const double x = static_cast<double>(at) - center;
            const double angle = std::numbers::pi * x * cutoff;
            const double sinc = x == 0 ? 1 : std::sin(angle) / angle;
            sum += samples[static_cast<std::size_t>(at)] * sinc * cutoff * 0.5 *
                   (1 + std::cos(std::numbers::pi * x / reach));
        }
        result[i] = static_cast<float>(sum);
    }
    return result;
}

std::vector<double> melFilters(std::size_t mels, const SoundSettings& settings) {
    const std::size_t bins = (settings.window / 2) + 1;
    const double highest = melOfHertz(settings.rate / 2.0);
    std::vector<double> edges(mels + 2);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        edges[i] = hertzOfMel(highest * static_cast<double>(i) / static_cast<double>(mels + 1));
    }
    std::vector<double> filters(mels * bins);
    for (std::size_t mel = 0; mel < mels; ++mel) {
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const double hertz =
                static_cast<double>(bin) * settings.rate / static_cast<double>(settings.window);
            const double rising = (hertz - edges[mel]) / (edges[mel + 1] - edges[mel]);
            const double falling = (edges[mel + 2] - hertz) / (edges[mel + 2] - edges[mel + 1]);
            filters[(mel * bins) + bin] =
                std::max(0.0, std::min(rising, falling)) * 2 / (edges[mel + 2] - edges[mel]);
        }
    }
    return filters;
}

std::vector<float> melSpectrogram(const std::vector<float>& samples, std::size_t mels,
                                  const SoundSettings& settings) {
    const std::size_t frames = samples.size() / settings.hop;
    const std::size_t bins = (settings.window / 2) + 1;
    const std::vector<double> filters = melFilters(mels, settings);
    std::vector<double> logs(mels * frames);
    PowerSpectrum spectrum(settings.window);
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const auto& powers = spectrum.at(samples, static_cast<std::int64_t>(frame * settings.hop));
        for (std::size_t mel = 0; mel < mels; ++mel) {
            const double energy = std::inner_product(
                powers.begin(), powers.end(), filters.begin() + static_cast<std::ptrdiff_t>(mel * bins), 0.0);
            constexpr double least = 1e-10;
            logs[(mel * frames) + frame] = std::log10(std::max(energy, least));
            largest = std::max(largest, logs[(mel * frames) + frame]);
        }
    }
    std::vector<float> result(logs.size());
    constexpr double range = 8;
    std::ranges::transform(logs, result.begin(), [&](double each) {
        return static_cast<float>((std::max(each, largest - range) + 4) / 4);
    });
    return result;
}

Result<MediaTensor> soundTensor(Sound sound, const SoundSettings& settings, const MediaInput& input) {
    const std::vector<std::int64_t>& sizes = input.sizes;
    const std::size_t rank = sizes.size();
    const bool isRaw = rank == 1 || (rank == 2 && sizes[0] == 1);
    const bool isMel = (rank == 2 && !isRaw) || (rank == 3 && sizes[0] == 1);
    const std::int64_t last = rank == 0 ? 0 : sizes.back();
    const auto hop = isRaw ? std::int64_t{1} : static_cast<std::int64_t>(settings.hop);
    if ((!isRaw && !isMel) || last < 1 || last > static_cast<std::int64_t>(maxSoundSamples) / hop ||
        (isMel && (sizes[rank - 2] < 1 || sizes[rank - 2] > 4096))) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("the audio encoder takes [{}]: expected samples [1, N] or a spectrogram "
                                "[1, mels, frames]",
                                fmt::join(sizes, ", ")));
    }
    MediaTensor media;
    std::vector<float>& samples = sound.samples;
    const auto length = [&] { return std::vector{static_cast<std::int64_t>(samples.size())}; };
    ET_TRY(storeSound(media, samples, length(),
                      fmt::format("decode WAV ({} Hz, {} channel{})", sound.rate, sound.channels,
                                  sound.channels == 1 ? "" : "s")));
    if (sound.rate != settings.rate) {
        if (static_cast<double>(samples.size()) * settings.rate / sound.rate > maxSoundSamples) {
            return fail(ErrorCode::Limit, fmt::format("the sound has more than {} samples at {} Hz",
                                                      maxSoundSamples, settings.rate));
        }
        samples = resampled(samples, sound.rate, settings.rate);
        ET_TRY(storeSound(media, samples, length(), fmt::format("resample to {} Hz", settings.rate)));
    }
    ET_TRY(setLength(media, samples, static_cast<std::size_t>(last * hop), input.isDynamic));
    if (isMel) {
        const auto mels = static_cast<std::size_t>(sizes[rank - 2]);
        const std::vector<float> spectrogram = melSpectrogram(samples, mels, settings);
        ET_TRY(storeSound(
            media, spectrogram, {sizes[rank - 2], static_cast<std::int64_t>(samples.size() / settings.hop)},
            fmt::format("log mel spectrogram (n_fft {}, hop {})", settings.window, settings.hop)));
    }
    ET_TRY(fitTo(input, media));
    return media;
}

}  // namespace et::inspector
