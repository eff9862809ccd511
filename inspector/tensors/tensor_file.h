#pragma once

#include "inspector/tensors/host_tensor.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace et::inspector {

/// What a raw file is taken for: it says nothing about itself.
struct RawLayout {
    core::ScalarType dtype = core::ScalarType::Float;
    std::span<const std::int64_t> sizes;
    std::span<const std::uint8_t> dimOrder = {};
};

/// The tensors in a file: one in NumPy's `.npy`, any number in its `.npz` and in what torch.save() wrote
/// (both zips), else the bytes of one as `raw` says. What a file is shows in its content. Errors: Io, Format,
/// Unsupported, Limit (more than `maxBytes`, or `maxStream` where it is a pipe or a device), InvalidArgument
/// (a raw file without `raw`, or of another size).
[[nodiscard]] core::Result<std::vector<HostTensor>> readTensorFile(
    const std::filesystem::path& path, const std::optional<RawLayout>& raw, std::uint64_t maxBytes,
    std::uint64_t maxStream = core::MappedFile::maxStreamedBytes);

}  // namespace et::inspector
