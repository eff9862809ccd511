#pragma once

#include "backends/compile_spec_rules.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace et::backends {

/// Name of a number; empty if it has none.
[[nodiscard]] std::optional<std::string_view> labelOf(std::int64_t number, std::span<const SpecLabel> labels);

/// The name of a number, or its digits.
[[nodiscard]] std::string labelText(std::uint64_t number, std::span<const SpecLabel> labels);

/// "false" for 0, "true" for 1, else the number.
[[nodiscard]] std::string flagText(std::uint8_t flag);

}  // namespace et::backends
