#pragma once

#include "inspector/tensor_files/tensor_view.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace et::inspector {

/// A tensor after a step of pre-processing.
struct MediaStep {
    std::string name;  ///< "resize to 32x32 (bilinear)"
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;
    double least = 0;  ///< of the finite numbers
    double most = 0;
    double mean = 0;
    std::uint64_t notFinite = 0;  ///< NaN and infinite numbers
};

/// An image or a sound on its way into an encoder, with the steps so far.
struct MediaTensor {
    HostTensor tensor;
    std::vector<MediaStep> steps;

    /// Records the tensor as the result of a step. Errors: Unsupported (a dtype without real numbers).
    [[nodiscard]] core::Result<> addStep(std::string name);
};

/// The input of an encoder.
struct MediaInput {
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;  ///< upper bounds if `isDynamic`
    bool isDynamic = false;
};

/// Maximum bytes of a tensor of pre-processing.
inline constexpr std::uint64_t maxMediaBytes = std::uint64_t{1} << 30;

/// Reads a tensor that needs no pre-processing (.npy, .npz, torch archive, or raw elements of the input's
/// dtype and sizes). Errors: those of readTensorFile(); Unsupported (more than one tensor).
[[nodiscard]] core::Result<MediaTensor> readMediaTensor(const std::filesystem::path& file,
                                                        const MediaInput& input);

/// Adds or removes leading sizes of 1, and converts a floating-point tensor to the dtype of the input.
/// Errors: Mismatch (other sizes or another dtype than the input's).
[[nodiscard]] core::Result<> fitTo(const MediaInput& input, MediaTensor& media);

}  // namespace et::inspector
