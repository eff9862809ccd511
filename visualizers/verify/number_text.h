#pragma once

#include <QString>

#include <cstdint>
#include <span>

namespace et::visualizers {

/// An element as text: integers in full, others with seven digits, "nan", "inf", "-inf".
[[nodiscard]] QString numberText(double number, bool integral);

/// "[0, 3, 1]".
[[nodiscard]] QString indexText(std::span<const std::int64_t> index);

}  // namespace et::visualizers
