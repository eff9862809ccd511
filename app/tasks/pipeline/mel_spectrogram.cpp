#include "app/tasks/pipeline/mel_spectrogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr double windowSeconds = 0.025;
constexpr double hopSeconds = 0.010;

// Slaney's scale: linear below 1 kHz, logarithmic above (Slaney: Auditory Toolbox, 1998).
constexpr double linearHertz = 200.0 / 3.0;
constexpr double breakHertz = 1000;
constexpr double breakMel = breakHertz / linearHertz;
constexpr double logStep = 0.06875177742094912;  ///< log(6.4) / 27

double melOf(double hertz) {
    return hertz < breakHertz ? hertz / linearHertz : breakMel + (std::log(hertz / breakHertz) / logStep);
}

double hertzOf(double mel) {
    return mel < breakMel ? mel * linearHertz : breakHertz * std::exp(logStep * (mel - breakMel));
}

/// Triangular filters [bands, bins] with unit area.
std::vector<double> filters(std::int64_t rate, std::size_t window, std::size_t bands) {
    const std::size_t bins = (window / 2) + 1;
    const double nyquist = static_cast<double>(rate) / 2;
    std::vector<double> edges;
    for (std::size_t i = 0; i < bands + 2; ++i) {
        edges.push_back(hertzOf(melOf(nyquist) * static_cast<double>(i) / static_cast<double>(bands + 1)));
    }
    std::vector<double> weights(bands * bins, 0.0);
    for (std::size_t band = 0; band < bands; ++band) {
        const double low = edges[band];
        const double middle = edges[band + 1];
        const double high = edges[band + 2];
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const double hertz =
                static_cast<double>(rate) * static_cast<double>(bin) / static_cast<double>(window);
            const double rising = (hertz - low) / (middle - low);
            const double falling = (high - hertz) / (high - middle);
            weights[(band * bins) + bin] = std::max(0.0, std::min(rising, falling)) * 2 / (high - low);
        }
    }
    return weights;
}

/// The sample at a position, reflected at both ends.
double reflected(std::span<const double> audio, std::int64_t at) {
    const auto last = static_cast<std::int64_t>(audio.size()) - 1;
    if (last == 0) {
        return audio[0];
    }
    const std::int64_t period = 2 * last;
    std::int64_t inside = ((at % period) + period) % period;
    inside = inside > last ? period - inside : inside;
    return audio[static_cast<std::size_t>(inside)];
}

/// Squared magnitudes of a frame's discrete Fourier transform.
class PowerSpectrum {
  public:
    explicit PowerSpectrum(std::size_t size) : window(size) {
        for (std::size_t i = 0; i < size; ++i) {
            const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size);
            cosines.push_back(std::cos(angle));
            sines.push_back(std::sin(angle));
        }
    }

    /// `frame` has one number for each element of the window.
    void compute(std::span<const double> frame, std::vector<double>& power) const {
        for (std::size_t bin = 0; bin < power.size(); ++bin) {
            double real = 0;
            double imaginary = 0;
            std::size_t turn = 0;
            for (const double sample : frame) {
                real += sample * cosines[turn];
                imaginary -= sample * sines[turn];
                turn += bin;
                turn = turn >= window ? turn - window : turn;
            }
            power[bin] = (real * real) + (imaginary * imaginary);
        }
    }
    [[nodiscard]] double hann(std::size_t i) const { return (1 - cosines[i]) / 2; }

  private:
    std::size_t window;
    std::vector<double> cosines;
    std::vector<double> sines;
};

void scaleLogarithms(std::vector<double>& numbers) {
    constexpr double floor = 1e-10;
    constexpr double range = 8;
    for (double& number : numbers) {
        number = std::log10(std::max(number, floor));
    }
    const double most = std::ranges::max(numbers);
    for (double& number : numbers) {
        number = (std::max(number, most - range) + 4) / 4;
    }
}

Result<> check(std::span<const double> audio, const MelSettings& settings) {
    constexpr std::int64_t mostRate = 96'000;
    constexpr std::int64_t leastRate = 1000;
    constexpr std::int64_t mostBands = 1024;
    constexpr std::int64_t mostFrames = 1'000'000;
    if (audio.empty()) {
        return fail(ErrorCode::InvalidArgument, "expected audio, got no samples");
    }
    const auto range = [](std::string_view name, std::int64_t value, std::int64_t least,
                          std::int64_t most) -> Result<> {
        return value >= least && value <= most
                   ? Result<>()
                   : fail(ErrorCode::InvalidArgument,
                          fmt::format("{}: expected {} to {}, got {}", name, least, most, value));
    };
    ET_TRY(range("rate", settings.rate, leastRate, mostRate));
    ET_TRY(range("bands", settings.bands, 1, mostBands));
    return range("frames", settings.frames, 0, mostFrames);
}

}  // namespace

Result<MelSpectrogram> melSpectrogram(std::span<const double> audio, const MelSettings& settings) {
    ET_TRY(check(audio, settings));
    const auto window = static_cast<std::size_t>(static_cast<double>(settings.rate) * windowSeconds);
    const auto hop = static_cast<std::size_t>(static_cast<double>(settings.rate) * hopSeconds);
    std::vector<double> samples(audio.begin(), audio.end());
    if (settings.frames > 0) {
        samples.resize(static_cast<std::size_t>(settings.frames) * hop, 0.0);
    }
    const std::size_t frames = samples.size() / hop;
    const auto bands = static_cast<std::size_t>(settings.bands);
    constexpr std::size_t mostNumbers = std::size_t{1} << 26U;
    if (frames == 0 || frames * bands > mostNumbers) {
        return fail(ErrorCode::Limit, fmt::format("expected audio of at least one frame ({} samples), and at "
                                                  "most 2^26 numbers, got {} samples",
                                                  hop, samples.size()));
    }
    const std::size_t bins = (window / 2) + 1;
    const std::vector<double> weights = filters(settings.rate, window, bands);
    const PowerSpectrum spectrum(window);
    std::vector<double> frame(window);
    std::vector<double> power(bins);
    MelSpectrogram made{.bands = settings.bands,
                        .frames = static_cast<std::int64_t>(frames),
                        .numbers = std::vector<double>(bands * frames)};
    for (std::size_t at = 0; at < frames; ++at) {
        const std::int64_t start =
            static_cast<std::int64_t>(at * hop) - static_cast<std::int64_t>(window / 2);
        for (std::size_t i = 0; i < window; ++i) {
            frame[i] = reflected(samples, start + static_cast<std::int64_t>(i)) * spectrum.hann(i);
        }
        spectrum.compute(frame, power);
        for (std::size_t band = 0; band < bands; ++band) {
            double sum = 0;
            for (std::size_t bin = 0; bin < bins; ++bin) {
                sum += weights[(band * bins) + bin] * power[bin];
            }
            made.numbers[(band * frames) + at] = sum;
        }
    }
    scaleLogarithms(made.numbers);
    return made;
}

}  // namespace et::tasks
