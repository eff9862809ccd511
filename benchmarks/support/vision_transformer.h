#pragma once

#include "app/samples/net.h"

#include <cstdint>

namespace et::benchmarks {

/// Sizes of a vision transformer (Dosovitskiy et al., 2021); the default is ViT-B/16 with 86 million
/// parameters.
struct VisionTransformerShape {
    std::int64_t image = 224;  ///< height and width
    std::int64_t patch = 16;
    std::int64_t dim = 768;
    std::int64_t heads = 12;
    std::int64_t hidden = 3072;
    std::int64_t layers = 12;
    std::int64_t classes = 1000;
};

/// forward(image [1, 3, H, W]) with random weights; the mean of all patches is classified.
[[nodiscard]] samples::Net makeVisionTransformer(const VisionTransformerShape& shape = {});

}  // namespace et::benchmarks
