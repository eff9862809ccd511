#include "backends/reference/torch_attention.h"

#include "runtime/kernels/elementwise/torch_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace et::backends::reference {
namespace {

using core::Result;
using core::ScalarType;

constexpr std::size_t lanes = 16;
constexpr std::size_t keyBlock = 512;
constexpr float none = -std::numeric_limits<float>::infinity();

/// Lanes as AVX-512 adds them: halves, then quarters, and so on.
float sumOfLanes(std::array<float, lanes> sums) {
    for (std::size_t half = lanes / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) {
            sums[i] += sums[i + half];
        }
    }
    return sums[0];
}

/// Puts exp(x - largest) in the place of each x and gives their sum.
float exponentials(std::span<float> x, float largest) {
    std::array<float, lanes> sums{};
    const std::size_t vectors = x.size() / lanes * lanes;
    for (std::size_t i = 0; i < vectors; ++i) {
        x[i] = kernels::torch::quickExponential(x[i] - largest);
        sums[i % lanes] += x[i];
    }
    float sum = sumOfLanes(sums);
    for (std::size_t i = vectors; i < x.size(); ++i) {
        x[i] = std::exp(x[i] - largest);
        sum += x[i];
    }
    return sum;
}

/// One head of one sample; matrices are row-major.
struct Head {
    const float* query;  ///< [queries, width]
    const float* key;    ///< [keys, width]
    const float* value;  ///< [keys, width]
    const float* mask;   ///< null: none
    std::array<std::size_t, 2> maskSteps;
    std::size_t keys;
    std::size_t width;
    float scale;
};

/// What has been seen of one query's keys.
struct Progress {
    float largest = none;
    float sum = 0;
};

float dot(const float* a, const float* b, std::size_t count) {
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// Scores of a query with the keys from `first` on.
void score(const Head& head, std::size_t query, std::size_t first, std::span<float> scores) {
    const float* const mask = head.mask == nullptr ? nullptr : head.mask + query * head.maskSteps[0];
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const float product =
            dot(head.query + query * head.width, head.key + (first + i) * head.width, head.width);
        scores[i] = mask == nullptr ? product * head.scale
                                    : std::fma(product, head.scale, mask[(first + i) * head.maskSteps[1]]);
    }
}

/// Adds a block of keys to the result of a query.
void addBlock(const Head& head, std::size_t query, std::size_t first, std::span<float> scores,
              Progress& progress, std::span<float> result) {
    score(head, query, first, scores);
    const float largest = std::max(progress.largest, *std::ranges::max_element(scores));
    if (largest == none) {
        std::ranges::fill(scores, 0.0F);
        return;
    }
    const float sum = exponentials(scores, largest);
    const float shrink = std::exp(progress.largest - largest);
    progress = {.largest = largest, .sum = std::fma(shrink, progress.sum, sum)};
    if (first > 0) {
        std::ranges::for_each(result, [shrink](float& x) { x *= shrink; });
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const float* const value = head.value + (first + i) * head.width;
        for (std::size_t j = 0; j < head.width; ++j) {
            result[j] += scores[i] * value[j];
        }
    }
}

void attend(const Head& head, std::size_t query, std::size_t keys, float* out) {
    const std::span result(out, head.width);
    std::ranges::fill(result, 0.0F);
    std::array<float, keyBlock> scores;
    Progress progress;
    for (std::size_t first = 0; first < keys; first += keyBlock) {
        addBlock(head, query, first, std::span(scores).first(std::min(keyBlock, keys - first)), progress,
                 result);
    }
    const float share = progress.largest == none ? 1.0F : 1 / progress.sum;
    std::ranges::for_each(result, [share](float& x) { x *= share; });
}

bool isFloatOfFour(const ReferenceTensor& tensor) {
    return tensor.view.dtype() == ScalarType::Float && tensor.view.dim() == 4 && tensor.view.numel() > 0 &&
           tensor.view.isContiguous();
}

/// Steps of a mask along the four dimensions; 0 where one number is for all.
std::array<std::size_t, 4> maskSteps(const ReferenceTensor& mask) {
    std::array<std::size_t, 4> steps{};
    std::size_t step = 1;
    for (std::size_t i = 0; i < mask.view.dim(); ++i) {
        const std::size_t dim = mask.view.dim() - 1 - i;
        const auto size = static_cast<std::size_t>(mask.view.size(dim));
        steps[3 - i] = size == 1 ? 0 : step;
        step *= size;
    }
    return steps;
}

bool fitsMask(const ReferenceTensor& mask, const std::array<std::int64_t, 4>& sizes) {
    if (mask.view.dtype() != ScalarType::Float || !mask.view.isContiguous() ||
        (mask.view.dim() != 2 && mask.view.dim() != 4)) {
        return false;
    }
    for (std::size_t i = 0; i < mask.view.dim(); ++i) {
        const std::int64_t size = mask.view.size(mask.view.dim() - 1 - i);
        if (size != 1 && size != sizes[3 - i]) {
            return false;
        }
    }
    return true;
}

/// Whether the flash kernel takes the tensors.
bool suits(const ReferenceTensor& query, const ReferenceTensor& key, const ReferenceTensor& value) {
    return isFloatOfFour(query) && isFloatOfFour(key) && isFloatOfFour(value) &&
           std::ranges::equal(key.view.sizes(), value.view.sizes()) &&
           query.view.size(0) == key.view.size(0) && query.view.size(1) == key.view.size(1) &&
           query.view.size(3) == key.view.size(3);
}

}  // namespace

Result<std::optional<ReferenceTensor>> torchAttention(Calls& calls, const ReferenceTensor& query,
                                                      const ReferenceTensor& key,
                                                      const ReferenceTensor& value,
                                                      const ReferenceTensor* mask, bool isCausal,
                                                      double scale) {
    if (calls.precision() != Precision::AsExported || calls.arithmetic() != kernels::Arithmetic::Torch ||
        !suits(query, key, value)) {
        return std::nullopt;
    }
    const std::array<std::int64_t, 4> scores{query.view.size(0), query.view.size(1), query.view.size(2),
                                             key.view.size(2)};
    if (mask != nullptr && !fitsMask(*mask, scores)) {
        return std::nullopt;
    }
    const auto heads = static_cast<std::size_t>(scores[1]);
    const auto queries = static_cast<std::size_t>(scores[2]);
    const auto keys = static_cast<std::size_t>(scores[3]);
    const auto width = static_cast<std::size_t>(query.view.size(3));
    const std::array<std::size_t, 4> steps =
        mask == nullptr ? std::array<std::size_t, 4>{} : maskSteps(*mask);
    ET_ASSIGN(ResultTensor made, calls.empty(ScalarType::Float, query.view.sizes()));
    auto* const out = made.tensor.mutableData<float>();
    calls.threads().parallelFor(
        static_cast<std::size_t>(scores[0]) * heads * queries, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t row = begin; row < end; ++row) {
                const std::size_t head = row / queries;
                const float* const added =
                    mask == nullptr
                        ? nullptr
                        : mask->view.data<float>() + head / heads * steps[0] + head % heads * steps[1];
                const Head part{.query = query.view.data<float>() + head * queries * width,
                                .key = key.view.data<float>() + head * keys * width,
                                .value = value.view.data<float>() + head * keys * width,
                                .mask = added,
                                .maskSteps = {steps[2], steps[3]},
                                .keys = keys,
                                .width = width,
                                .scale = static_cast<float>(scale)};
                const std::size_t q = row % queries;
                attend(part, q, isCausal ? std::min(keys, q + 1) : keys, out + row * width);
            }
        });
    return std::move(made).finish();
}

}  // namespace et::backends::reference
