#pragma once

#include "backends/xnnpack/own/node_path.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>

namespace et::backends::xnnpack {

/// Clamps that a convolution of ours computes as well: each is the only one that reads what the convolution
/// makes, and changes neither its datatype nor its scale. The library joins them likewise.
class JoinedClamps {
  public:
    /// `paths`: by node, with OwnFaster.
    [[nodiscard]] static JoinedClamps find(const Payload& payload, std::span<const NodePath> paths);

    /// The clamp that is joined with `node`, as an index of Payload::nodes.
    [[nodiscard]] std::optional<std::size_t> of(std::size_t node) const;
    /// Whether `node` is such a clamp.
    [[nodiscard]] bool isJoined(std::size_t node) const { return hosts.contains(node); }
    /// A node that has one, as one node.
    [[nodiscard]] PayloadNode joined(const Payload& payload, std::size_t node) const;

  private:
    std::map<std::size_t, std::size_t> clamps;  ///< by convolution
    std::map<std::size_t, std::size_t> hosts;   ///< by clamp
};

}  // namespace et::backends::xnnpack
