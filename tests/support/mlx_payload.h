#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

/// Variable parts of an MLX payload; mlxPayload() describes the rest.
struct MlxChanges {
    std::string_view magic = "MLX0";
    std::uint64_t dataOffset = 0;      ///< in the header; 0: behind the flatbuffer
    std::uint32_t result = 4;          ///< tensor that the first node writes
    std::uint8_t kind = 0;             ///< of the first node; 0: that of AddmmNode
    std::uint32_t thenChain = 1;       ///< chain that the branch runs
    std::string constant = "w";        ///< name of the constant
    std::uint32_t temporaries = 1;     ///< in the header of the graph
    std::int8_t dtype = 6;             ///< of the input
    std::string_view branchKind = {};  ///< node of chain 1 instead of AddNode
};

/// float32 [2, 2]: t0 constant "w", t1 input, t2 output, t3 mutable buffer "state" and t4 temporary. t4 = t1
/// t0; v0 = size 0 of t4; if v0, t2 = t4 + t1, otherwise t2 = t4; t3 = t4.
[[nodiscard]] std::vector<std::byte> mlxPayload(const MlxChanges& changes = {});

/// A chain with a node of every kind, and three chains that its branch and its loop run.
[[nodiscard]] std::vector<std::byte> mlxPayloadOfAllKinds();

/// Chains of one branch each, both sides of which run the next chain: `count` chains, then one with a copy.
[[nodiscard]] std::vector<std::byte> mlxPayloadOfBranches(std::uint32_t count);

}  // namespace et::test
