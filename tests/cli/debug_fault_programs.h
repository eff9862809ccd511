#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// Small programs with a parameter that may be wrong, for the debugger.
namespace et::test {

/// acc += x; y = acc * x. The correct program sets acc to 0 first.
[[nodiscard]] std::vector<std::byte> accumulator(bool resets);

/// Rows of x up to `end`, in memory for four rows.
[[nodiscard]] std::vector<std::byte> sliced(std::int64_t end);

/// x, quantized to int8 and back.
[[nodiscard]] std::vector<std::byte> quantized(double scale);

/// abs of x with a border.
[[nodiscard]] std::vector<std::byte> padded(double border);

/// abs(x) + OPERATOR(x), where the result of abs follows that of the operator in memory.
[[nodiscard]] std::vector<std::byte> besidePlugin(std::string_view op);

}  // namespace et::test
