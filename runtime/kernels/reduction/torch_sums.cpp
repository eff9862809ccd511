#include "runtime/kernels/reduction/torch_sums.h"

#include "runtime/kernels/reduction/reduction_walk.h"
#include "runtime/kernels/reduction/torch_lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace et::kernels::reduction {
namespace {

constexpr std::size_t turns = 4;  ///< vectors that are summed independently
constexpr std::size_t levels = 4;
using Turns = std::array<Lanes, turns>;

void add(Lanes& sum, const float* x) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        sum[lane] += x[lane];
    }
}

/// Adds each level's sums to the next when it has had its number of rounds, and starts the level again.
void carry(std::array<Turns, levels>& sums, std::size_t rounds, unsigned power) {
    for (std::size_t level = 1; level < levels; ++level) {
        for (std::size_t turn = 0; turn < turns; ++turn) {
            add(sums[level][turn], sums[level - 1][turn].data());
            sums[level - 1][turn] = {};
        }
        const std::size_t mask = ((std::size_t{1} << power) - 1) << (level * power);
        if ((rounds & mask) != 0) {
            return;
        }
    }
}

/// `rounds` rounds of one vector for every turn.
Turns cascade(const float* x, std::size_t rounds) {
    const auto log = static_cast<unsigned>(rounds < 2 ? 0 : std::bit_width(rounds - 1));
    const unsigned power = std::max(4U, log / static_cast<unsigned>(levels));
    const std::size_t step = std::size_t{1} << power;
    std::array<Turns, levels> sums{};
    for (std::size_t round = 0; round < rounds;) {
        const std::size_t end = std::min(rounds, round + step);
        const bool isWhole = end - round == step;
        for (; round < end; ++round) {
            for (std::size_t turn = 0; turn < turns; ++turn) {
                add(sums[0][turn], x + (round * turns + turn) * lanes);
            }
        }
        if (isWhole) {
            carry(sums, round, power);
        }
    }
    for (std::size_t level = 1; level < levels; ++level) {
        for (std::size_t turn = 0; turn < turns; ++turn) {
            add(sums[0][turn], sums[level][turn].data());
        }
    }
    return sums[0];
}

/// Whether the dimensions are the last ones, and elements are in row-major order without gaps.
bool sumsRows(const Tensor& self, DimSet dims) {
    bool isInside = false;
    for (std::size_t dim = 0; dim < self.dim(); ++dim) {
        if (isInside && !dims.test(dim)) {
            return false;
        }
        isInside = isInside || dims.test(dim);
    }
    return self.isContiguous();
}

}  // namespace

float torchRowSum(const float* x, std::size_t count) {
    const std::size_t vectors = count / lanes;
    const std::size_t rounds = vectors / turns;
    Turns sums = cascade(x, rounds);
    for (std::size_t vector = rounds * turns; vector < vectors; ++vector) {
        add(sums[0], x + vector * lanes);
    }
    for (std::size_t turn = 1; turn < turns; ++turn) {
        add(sums[0], sums[turn].data());
    }
    float sum = 0;
    for (std::size_t i = vectors * lanes; i < count; ++i) {
        sum += x[i];
    }
    for (const float lane : sums[0]) {
        sum += lane;
    }
    return sum;
}

bool sumAsTorch(const KernelContext& context, const Tensor& self, DimSet dims, float divisor, Tensor& out) {
    const bool areFloats = self.dtype() == core::ScalarType::Float && out.dtype() == core::ScalarType::Float;
    if (context.arithmetic() != Arithmetic::Torch || !areFloats || self.numel() == 0 ||
        !sumsRows(self, dims) || !out.isContiguous()) {
        return false;
    }
    const auto count = static_cast<std::size_t>(reducedCount(self, dims));
    const auto* x = self.data<float>();
    auto* results = out.mutableData<float>();
    context.threads().parallelFor(static_cast<std::size_t>(out.numel()), cheapElements / count + 1,
                                  [&](std::size_t begin, std::size_t end) {
                                      for (std::size_t i = begin; i < end; ++i) {
                                          results[i] = torchRowSum(x + i * count, count) / divisor;
                                      }
                                  });
    return true;
}

}  // namespace et::kernels::reduction
