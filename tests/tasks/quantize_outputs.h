#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

// Shared functions of quantization tests.
namespace et::tasks {

/// Folder of a model with measured conversions.
[[nodiscard]] std::filesystem::path quantFolder(std::string_view model);

/// The first outputs of a program for each row of an input file, concatenated.
[[nodiscard]] std::vector<float> outputsOf(const std::filesystem::path& program,
                                           const std::filesystem::path& inputs);

/// SQNR over all rows in decibels.
[[nodiscard]] double decibelsOf(std::span<const float> outputs, std::span<const float> reference);

/// The array with this index in an .npz file.
[[nodiscard]] std::vector<float> arrayOf(const std::filesystem::path& file, std::size_t index);

}  // namespace et::tasks
