#include "runtime/kernels/reduction/torch_layer_norm.h"

#include "runtime/kernels/reduction/torch_lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace et::kernels::reduction {
namespace {

constexpr std::size_t chunkVectors = 16;
constexpr std::size_t mostLevels = 64;

/// Of `count` elements in each lane.
struct LaneMoments {
    std::int64_t count = 0;
    Lanes mean{};
    Lanes squares{};
};

void join(std::int64_t added, float addedMean, float addedSquares, std::int64_t count, float& mean,
          float& squares) {
    const std::int64_t total = count + added;
    const float share = total == 0 ? 0 : static_cast<float>(added) / static_cast<float>(total);
    const float delta = addedMean - mean;
    mean = std::fma(share, delta, mean);
    squares += std::fma(delta * delta * share, static_cast<float>(count), addedSquares);
}

void join(const LaneMoments& added, LaneMoments& all) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        join(added.count, added.mean[lane], added.squares[lane], all.count, all.mean[lane],
             all.squares[lane]);
    }
    all.count += added.count;
}

LaneMoments ofChunk(const float* x, std::size_t vectors) {
    LaneMoments moments{.count = static_cast<std::int64_t>(vectors)};
    for (std::size_t i = 0; i < vectors; ++i) {
        const float share = 1.0F / static_cast<float>(i + 1);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const float value = x[i * lanes + lane];
            const float delta = value - moments.mean[lane];
            moments.mean[lane] = std::fma(delta, share, moments.mean[lane]);
            moments.squares[lane] = std::fma(delta, value - moments.mean[lane], moments.squares[lane]);
        }
    }
    return moments;
}

/// Of all whole vectors: a binary counter of chunks.
LaneMoments ofVectors(const float* x, std::size_t vectors) {
    const std::size_t chunks = (vectors + chunkVectors - 1) / chunkVectors;
    const auto depth = static_cast<std::size_t>(chunks < 2 ? 0 : std::bit_width(chunks - 1));
    std::array<LaneMoments, mostLevels> levels{};
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        const std::size_t first = chunk * chunkVectors;
        join(ofChunk(x + first * lanes, std::min(chunkVectors, vectors - first)), levels[0]);
        std::size_t mask = chunk + 1;
        for (std::size_t level = 1; level < depth && (mask & 1) == 0; ++level) {
            join(levels[level - 1], levels[level]);
            levels[level - 1] = {};
            mask >>= 1;
        }
    }
    for (std::size_t level = 1; level < depth; ++level) {
        join(levels[level], levels[0]);
    }
    return levels[0];
}

}  // namespace

TorchMoments torchMoments(std::span<const float> x) {
    const std::size_t vectors = x.size() / lanes;
    const LaneMoments all = ofVectors(x.data(), vectors);
    std::int64_t count = 0;
    float mean = 0;
    float squares = 0;
    for (const float value : x.subspan(vectors * lanes)) {
        const float delta = value - mean;
        ++count;
        mean += delta / static_cast<float>(count);
        squares += delta * (value - mean);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        join(all.count, all.mean[lane], all.squares[lane], count, mean, squares);
        count += all.count;
    }
    return {.mean = mean, .variance = squares / static_cast<float>(x.size())};
}

TorchScale torchLayerNorm(std::span<const float> x, std::span<const float> weight,
                          std::span<const float> bias, float eps, float* y) {
    const TorchMoments moments = torchMoments(x);
    const float scale = 1 / std::sqrt(std::max(moments.variance, 0.0F) + eps);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float normal = (x[i] - moments.mean) * scale;
        const float factor = weight.empty() ? 1 : weight[i];
        const float addend = bias.empty() ? 0 : bias[i];
        y[i] = std::fma(normal, factor, addend);
    }
    return {.mean = moments.mean, .reciprocal = scale};
}

}  // namespace et::kernels::reduction
