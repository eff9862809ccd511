#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace et::tasks {

/// Parameters of a spectrogram; window and hop are 25 ms and 10 ms, as in Whisper.
struct MelSettings {
    std::int64_t rate = 16'000;  ///< samples per second
    std::int64_t bands = 80;
    std::int64_t frames =
        0;  ///< the audio is padded with silence or cut to this number; 0: as many as it has
};

struct MelSpectrogram {
    std::int64_t bands = 0;
    std::int64_t frames = 0;
    std::vector<double> numbers;  ///< [bands, frames]
};

/// Logarithmic mel spectrogram with Whisper's definition (openai/whisper, audio.py): Hann window, centered
/// frames with reflected edges, Slaney's mel scale and normalization, log10 clamped to 8 below the maximum,
/// scaled by (x + 4) / 4. Errors: InvalidArgument (no audio, a parameter out of range), Limit.
[[nodiscard]] core::Result<MelSpectrogram> melSpectrogram(std::span<const double> audio,
                                                          const MelSettings& settings);

}  // namespace et::tasks
