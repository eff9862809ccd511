#pragma once

#include "inspector/size/size_map.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::inspector {

/// What bytes are summed up by.
enum class SizeBy : std::uint8_t { Kind, Module, Dtype, Scheme, Backend, Tensor };

/// Whom a piece is counted for. What has no module (dtype, backend) is summed up by its kind, in parentheses.
/// `depth`: parts of a module's name that are kept; 0: all.
[[nodiscard]] std::string sizeOwner(const SizePiece& piece, SizeBy by, std::size_t depth = 0);

/// "features.0.weight", or else its kind.
[[nodiscard]] std::string sizeLabel(const SizePiece& piece);

struct SizeNode {
    std::string name;
    std::uint64_t bytes = 0;              ///< of all that is below it
    std::size_t parent = 0;               ///< of the root: itself
    std::optional<std::size_t> piece{};   ///< into SizeMap::pieces; nothing: a sum
    std::vector<std::size_t> children{};  ///< the largest first
};

/// Whether modules stand inside of one another, or next to each other.
enum class ModuleNesting : std::uint8_t { Flat, Nested };

/// The pieces of a map below the owners that they are counted for; the root, which comes first, has all.
/// By tensor, an owner with one piece is that piece.
[[nodiscard]] std::vector<SizeNode> sizeTree(const SizeMap& map, SizeBy by, std::size_t depth = 0,
                                             ModuleNesting nesting = ModuleNesting::Flat);

}  // namespace et::inspector
