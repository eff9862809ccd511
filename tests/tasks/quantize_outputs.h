#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

// What tests of quantized programs ask of them.
namespace et::app {

/// Of a model whose conversions were measured.
[[nodiscard]] std::filesystem::path quantFolder(std::string_view model);

/// A program's first outputs on each row of a file of inputs, one behind the other.
[[nodiscard]] std::vector<float> outputsOf(const std::filesystem::path& program,
                                           const std::filesystem::path& inputs);

/// SQNR over all rows together.
[[nodiscard]] double decibelsOf(std::span<const float> outputs, std::span<const float> reference);

/// The array of that place in an .npz file.
[[nodiscard]] std::vector<float> arrayOf(const std::filesystem::path& file, std::size_t index);

}  // namespace et::app
