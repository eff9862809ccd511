#pragma once

#include "backends/xnnpack/nodes/shapes.h"
#include "runtime/kernels/thread_pool.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::backends::xnnpack {

/// Iterates over two broadcast byte tensors in long rows along which both advance byte by byte. If one of
/// them repeats, such as the per-pixel factors of squeeze-and-excite, it is first copied several times.
class ByteRows {
  public:
    /// Allocates the memory that run() needs.
    void reshape(const ValueSizes& left, const ValueSizes& right, const ValueSizes& result);

    /// Bytes of the result that are computed without moving to another row of an input.
    [[nodiscard]] std::size_t blockBytes() const { return block; }

    /// Calls `compute(left, right, count, to)` on ranges that together cover the result.
    template <class Function>
    void run(const kernels::ThreadPool& threads, const std::uint8_t* left, const std::uint8_t* right,
             std::uint8_t* to, const Function& compute) {
        for (std::size_t group = 0; group < groups; ++group, to += block) {
            const std::uint8_t* a = left + offsetOf(group, &Dimension::leftStep);
            const std::uint8_t* b = right + offsetOf(group, &Dimension::rightStep);
            if (repeated == Side::Neither) {
                threads.parallelFor(block, bytesPerThread, [&](std::size_t begin, std::size_t end) {
                    compute(a + begin, b + begin, end - begin, to + begin);
                });
                continue;
            }
            (repeated == Side::Left ? a : b) = repeat(repeated == Side::Left ? a : b);
            const std::size_t leftStep = repeated == Side::Left ? 0 : row;
            const std::size_t rightStep = repeated == Side::Right ? 0 : row;
            threads.parallelFor((block + row - 1) / row, bytesPerThread / row + 1,
                                [&](std::size_t begin, std::size_t end) {
                                    for (std::size_t i = begin; i < end; ++i) {
                                        compute(a + i * leftStep, b + i * rightStep,
                                                std::min(row, block - i * row), to + i * row);
                                    }
                                });
        }
    }

  private:
    enum class Side : std::uint8_t { Neither, Left, Right };

    struct Dimension {
        std::size_t size = 1;
        std::size_t leftStep = 0;  ///< in bytes; 0: the input repeats
        std::size_t rightStep = 0;
    };

    /// Fewer bytes are not worth another thread.
    static constexpr std::size_t bytesPerThread = std::size_t{1} << 15U;

    void split(std::vector<Dimension> dimensions);
    [[nodiscard]] std::size_t offsetOf(std::size_t group, std::size_t Dimension::* step) const;
    /// Repeats the first `period` bytes to fill a row.
    [[nodiscard]] const std::uint8_t* repeat(const std::uint8_t* from);

    std::vector<Dimension> outer;       ///< their positions enumerate the groups
    std::size_t groups = 0;             ///< blocks
    std::size_t block = 0;              ///< result bytes per group
    std::size_t row = 0;                ///< result bytes between two restarts of the repeating input
    std::size_t period = 0;             ///< period of that input in bytes
    std::vector<std::uint8_t> pattern;  ///< a row of that input, if longer than a period
    Side repeated = Side::Neither;
};

}  // namespace et::backends::xnnpack
