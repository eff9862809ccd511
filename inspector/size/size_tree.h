#pragma once

#include "inspector/events/group_keys.h"
#include "inspector/size/size_map.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::inspector {

/// Criterion by which bytes are summed.
enum class SizeBy : std::uint8_t { Kind, Module, Dtype, Scheme, Backend, Tensor };

/// The group to which a piece is added. Pieces without a module (dtype, backend) are grouped by kind, in
/// parentheses. `modules`: how the module's name is shortened.
[[nodiscard]] std::string sizeOwner(const SizePiece& piece, SizeBy by,
                                    const events::ModuleRollUp& modules = {});

/// "features.0.weight", or the kind if the piece has no tensor name.
[[nodiscard]] std::string sizeLabel(const SizePiece& piece);

struct SizeNode {
    std::string name;
    std::uint64_t bytes = 0;              ///< total of all nodes below
    std::size_t parent = 0;               ///< of the root: itself
    std::optional<std::size_t> piece{};   ///< index into SizeMap::pieces; nothing: a group
    std::vector<std::size_t> children{};  ///< largest first
};

/// Whether modules are shown as a hierarchy or a flat list.
enum class ModuleNesting : std::uint8_t { Flat, Nested };

/// Builds a tree of a map's pieces below their groups; the root comes first. By tensor, a group with one
/// piece is replaced by the piece.
[[nodiscard]] std::vector<SizeNode> sizeTree(const SizeMap& map, SizeBy by,
                                             const events::ModuleRollUp& modules = {},
                                             ModuleNesting nesting = ModuleNesting::Flat);

}  // namespace et::inspector
