#pragma once

#include "inspector/media/image_file.h"
#include "inspector/media/media_tensor.h"
#include "runtime/core/result.h"
#include "runtime/program/constant_method.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Filter of a resize; numbers as in PIL and in preprocessor_config.json.
enum class Resample : std::uint8_t { Nearest = 0, Bilinear = 2, Bicubic = 3 };

/// Pre-processing of images, from constant methods of a model: get_image_mean, get_image_std (one number or
/// three), get_image_rescale (the factor of pixels), get_image_resample, get_patch_size.
struct ImageSettings {
    std::vector<double> mean, deviation;  ///< empty: not normalized
    std::optional<double> rescale;        ///< default: 1/255 for an encoder of floats
    Resample resample = Resample::Bilinear;
    std::size_t patch = 0;  ///< for an encoder of patches [1, N, 3*P*P]
};
/// Names may lack "get_". Errors: Mismatch (another number of values; a deviation of 0).
[[nodiscard]] core::Result<ImageSettings> imageSettings(std::span<const program::ProgramConstant> constants);

/// Resizes with the filter of PIL's Image.resize(): as wide as the scale if the image becomes smaller, each
/// pass rounded to 8 bits.
[[nodiscard]] Pixels resized(const Pixels& from, std::size_t width, std::size_t height, Resample resample);

/// Converts pixels to the input of an encoder, [1, 3, H, W], [1, H, W, 3] or patches: resize, rescale,
/// normalize, order. Errors: Unsupported (another shape), Mismatch.
[[nodiscard]] core::Result<MediaTensor> imageTensor(Pixels pixels, std::string_view format,
                                                    const ImageSettings& settings, const MediaInput& input);

}  // namespace et::inspector
