#pragma once

#include "runtime/program/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace et::program {

/// A method without inputs and instructions, used by exporters to store a constant: "get_max_seq_len".
struct ProgramConstant {
    using Item = std::variant<bool, std::int64_t, double, std::string>;
    std::string name;
    std::vector<Item> items;  ///< return values; a tensor's elements individually

    /// The only item as a number; empty if there are several or none.
    [[nodiscard]] std::optional<std::int64_t> number() const;
    /// All items that are whole numbers.
    [[nodiscard]] std::vector<std::int64_t> numbers() const;
};

/// Whether a method has neither inputs nor instructions.
[[nodiscard]] bool isConstantMethod(const Method& method);

/// All constants, in file order.
[[nodiscard]] std::vector<ProgramConstant> programConstants(const Program& program);

}  // namespace et::program
