#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace et::kernels {

/// What an instruction does to each element of the result of the one before it.
struct ResultStep {
    enum class Kind : std::uint8_t {
        Affine,  ///< x becomes (x - ofChannels[0]) * ofChannels[1] + ofChannels[2]
        Bounds,  ///< at least numbers[0], at most numbers[1]; NaN stays
    };
    Kind kind = Kind::Bounds;
    std::array<const float*, 3> ofChannels{};  ///< numbers of every channel
    std::array<float, 2> numbers{};            ///< the same for all; not NaN

    /// Operations on one element, as docs/limits.md counts them.
    [[nodiscard]] double operations() const { return kind == Kind::Affine ? 2 : 1; }
};

/// Instructions one behind the other, of which each reads the result of the one before.
inline constexpr std::size_t maxFused = 4;

/// What is done to the results of a kernel, best before it stores them (result_steps-inl.h). At most
/// maxFused.
using ResultSteps = std::span<const ResultStep>;

// Steps for results in memory, on this thread.

/// `columns` elements of one channel.
void doStepsToChannel(ResultSteps steps, float* elements, std::size_t columns, std::size_t channel);
/// `pixels` one behind the other, with all their channels.
void doStepsToPixels(ResultSteps steps, float* elements, std::size_t pixels, std::size_t channels);

}  // namespace et::kernels
