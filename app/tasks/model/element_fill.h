#pragma once

#include "inspector/tensor_files/tensor_view.h"
#include "runtime/core/scalar.h"
#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace et::tasks {

/// Contents that a tensor can be filled with.
enum class Fill : std::uint8_t { Random, Ones, Zeros };

/// Parses "random", "ones" or "zeros"; nothing for other text.
[[nodiscard]] std::optional<Fill> fillOf(std::string_view text);

/// Parses a number in Python syntax; nothing for other text.
[[nodiscard]] std::optional<core::Scalar> numberOf(std::string_view text);

/// Fills tensors of one dtype.
struct ElementFill {
    core::ScalarType type;
    /// Random elements: floats in [-1, 1), bytes of any value, wider integers 0 or 1; identical on every
    /// machine.
    void (*fill)(inspector::HostTensor& tensor, Fill fill, std::uint64_t seed);
    /// Sets all elements to `number`, converted.
    void (*set)(inspector::HostTensor& tensor, core::Scalar number);
};

/// Null for a dtype without numbers, such as a quantized one.
[[nodiscard]] const ElementFill* elementFill(core::ScalarType type);

}  // namespace et::tasks
