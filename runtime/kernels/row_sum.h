#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace et::kernels {

/// The sum of floats that lie side by side, added in the order of PyTorch's CPU kernels on x86 (sum, mean;
/// aten/src/ATen/native/cpu/SumKernel.cpp): vectors of 32 bytes, also where the processor has wider ones, in
/// four chains, of which 16 elements each are added up before they join the others, those joined likewise.
/// The same on every processor. The order matters where a result is rounded: the mean of integers that
/// share a scale is halfway between two as often as one time in their count.
template <class T>
class RowSum {
  public:
    [[nodiscard]] static T of(std::span<const T> row) {
        RowSum sum;
        const std::size_t vectors = row.size() / lanes;
        const std::size_t steps = vectors / chains;
        sum.addSteps(row.data(), steps);
        Vector total = sum.levels[0][0];
        for (std::size_t i = steps * chains; i < vectors; ++i) {
            add(total, row.data() + i * lanes);
        }
        for (std::size_t chain = 1; chain < chains; ++chain) {
            add(total, sum.levels[0][chain].data());
        }
        T all{};
        for (const T element : row.subspan(vectors * lanes)) {
            all += element;
        }
        for (const T lane : total) {
            all += lane;
        }
        return all;
    }

  private:
    static constexpr std::size_t lanes = 32 / sizeof(T);
    static constexpr std::size_t chains = 4;
    static constexpr std::size_t depth = 4;
    using Vector = std::array<T, lanes>;

    static void add(Vector& to, const T* from) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            to[lane] += from[lane];
        }
    }

    /// Elements of a level before they join the next, as a power of two: 16, or more where four levels of 16
    /// do not reach.
    static std::size_t bitsOfLevel(std::size_t steps) {
        std::size_t bits = 0;
        while ((std::size_t{1} << bits) < steps) {
            ++bits;
        }
        return bits / depth > 4 ? bits / depth : 4;
    }

    /// Leaves the sums of the chains in level 0.
    void addSteps(const T* row, std::size_t steps) {
        const std::size_t bits = bitsOfLevel(steps);
        const std::size_t mask = (std::size_t{1} << bits) - 1;
        for (std::size_t step = 1; step <= steps; ++step) {
            for (std::size_t chain = 0; chain < chains; ++chain, row += lanes) {
                add(levels[0][chain], row);
            }
            for (std::size_t level = 1; level < depth; ++level) {
                if (((step >> ((level - 1) * bits)) & mask) != 0) {
                    break;
                }
                carry(level);
            }
        }
        for (std::size_t level = 1; level < depth; ++level) {
            for (std::size_t chain = 0; chain < chains; ++chain) {
                add(levels[0][chain], levels[level][chain].data());
            }
        }
    }

    void carry(std::size_t level) {
        for (std::size_t chain = 0; chain < chains; ++chain) {
            add(levels[level][chain], levels[level - 1][chain].data());
            levels[level - 1][chain].fill(T{});
        }
    }

    std::array<std::array<Vector, chains>, depth> levels{};
};

}  // namespace et::kernels
