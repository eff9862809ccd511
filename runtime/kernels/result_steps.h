#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace et::kernels {

/// Elementwise operation of an instruction on the previous instruction's result.
struct ResultStep {
    enum class Kind : std::uint8_t {
        Affine,  ///< x = (x - ofChannels[0]) * ofChannels[1] + ofChannels[2]
        Bounds,  ///< clamps to [numbers[0], numbers[1]]; NaN propagates
    };
    Kind kind = Kind::Bounds;
    std::array<const float*, 3> ofChannels{};  ///< values per channel
    std::array<float, 2> numbers{};            ///< the same for all channels; not NaN

    /// Operations per element, counted as in docs/how_to/roofline.md.
    [[nodiscard]] double operations() const { return kind == Kind::Affine ? 2 : 1; }
};

/// Maximum number of fused instructions, each reading the previous one's result.
inline constexpr std::size_t maxFused = 4;

/// Steps applied to the results of a kernel, preferably before it stores them (result_steps-inl.h). At most
/// maxFused.
using ResultSteps = std::span<const ResultStep>;

// Apply steps to results in memory, on this thread.

/// For `columns` elements of one channel.
void doStepsToChannel(ResultSteps steps, float* elements, std::size_t columns, std::size_t channel);
/// For `pixels` contiguous pixels with all their channels.
void doStepsToPixels(ResultSteps steps, float* elements, std::size_t pixels, std::size_t channels);

}  // namespace et::kernels
