#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <vector>

namespace et::inspector {

/// A sound: the mean of its channels.
struct Sound {
    std::uint32_t rate = 0;  ///< samples per second
    std::uint32_t channels = 1;
    std::vector<float> samples;  ///< integers are divided by their largest value, as ExecuTorch does
};

[[nodiscard]] bool isWav(core::Bytes bytes);

/// Reads a WAV file (RIFF; also WAVE_FORMAT_EXTENSIBLE) of integers of 8, 16, 24 or 32 bits or floats of 32
/// or
/// 64. libsndfile
/// is not used, because with its seven libraries it adds 6 MB to the single file. Errors: Format (damaged,
/// truncated, a rate of 0, a sample that is not finite), Unsupported (compressed).
[[nodiscard]] core::Result<Sound> decodeWav(core::Bytes bytes);

}  // namespace et::inspector
