#pragma once

#include "inspector/media/media_tensor.h"
#include "inspector/media/wav_file.h"
#include "runtime/core/result.h"
#include "runtime/program/constant_method.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::inspector {

/// Pre-processing of sounds, from constant methods of a model: get_sample_rate, get_n_fft, get_hop_length.
/// The defaults are Whisper's.
struct SoundSettings {
    std::uint32_t rate = 16000;
    std::size_t window = 400;  ///< n_fft
    std::size_t hop = 160;
};
/// Names may lack "get_". Errors: Mismatch (a number outside its limits).
[[nodiscard]] core::Result<SoundSettings> soundSettings(std::span<const program::ProgramConstant> constants);

/// Resamples with a windowed sinc.
[[nodiscard]] std::vector<float> resampled(const std::vector<float>& samples, std::uint32_t from,
                                           std::uint32_t to);

/// Slaney's mel filters, mels x (window / 2 + 1), row-major: triangles of equal area from 0 to rate / 2.
[[nodiscard]] std::vector<double> melFilters(std::size_t mels, const SoundSettings& settings);

/// Whisper's logarithmic mel spectrogram, mels x (samples / hop), row-major: Hann window, samples mirrored at
/// both ends, log10 of at least 1e-10 and of at most 8 below the largest, (x + 4) / 4.
[[nodiscard]] std::vector<float> melSpectrogram(const std::vector<float>& samples, std::size_t mels,
                                                const SoundSettings& settings);

/// Converts a sound to the input of an encoder: samples [N] or [1, N], or a spectrogram [mels, frames] or
/// [1, mels, frames]. A shorter sound is padded with zeros, a longer one is cut. Errors: Unsupported (another
/// shape), Limit, Mismatch.
[[nodiscard]] core::Result<MediaTensor> soundTensor(Sound sound, const SoundSettings& settings,
                                                    const MediaInput& input);

}  // namespace et::inspector
