#pragma once

#include "inspector/tensor_files/tensor_view.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace et::inspector {

/// Layout assumed for a raw file, which has no header.
struct RawLayout {
    core::ScalarType dtype = core::ScalarType::Float;
    std::span<const std::int64_t> sizes;
    std::span<const std::uint8_t> dimOrder = {};
};

/// Reads the tensors in a file: one from NumPy's `.npy`, any number from its `.npz` and from torch.save()
/// files (both zips), else one raw tensor with the layout `raw`. The format is detected from the content.
/// Errors: Io, Format, Unsupported, Limit (more than `maxBytes`, or `maxStream` for a pipe or a device),
/// InvalidArgument (a raw file without `raw`, or of another size).
[[nodiscard]] core::Result<std::vector<HostTensor>> readTensorFile(
    const std::filesystem::path& path, const std::optional<RawLayout>& raw, std::uint64_t maxBytes,
    std::uint64_t maxStream = core::MappedFile::maxStreamedBytes);

}  // namespace et::inspector
