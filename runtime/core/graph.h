#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/strong_id.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// One graph model for everything that is drawn or walked: a method's instructions, the Edge dialect graph of
// an ETRecord, the inside of a delegate, the difference of two of these.
namespace et::core {

using GraphNodeId = StrongId<struct GraphNodeTag, std::uint32_t>;
using GraphValueId = StrongId<struct GraphValueTag, std::uint32_t>;
using GraphGroupId = StrongId<struct GraphGroupTag, std::uint32_t>;

/// A property for people: "stride" "[2, 2]".
struct GraphAttribute {
    std::string name;
    std::string text;

    bool operator==(const GraphAttribute&) const = default;
};

/// What flows along edges, most often a tensor.
struct GraphValue {
    enum class Role : std::uint8_t { Intermediate, Input, Output, Constant };

    std::string name;
    std::string type;  ///< "float32 [1, 3, 96, 96]"
    Role role = Role::Intermediate;
    std::uint64_t bytes = 0;                ///< of the dense data; 0: not known, or none
    std::optional<GraphNodeId> producer{};  ///< nothing: an input or a constant
    std::vector<GraphNodeId> consumers{};   ///< each once for each use
    std::vector<GraphAttribute> attributes{};
    Bytes data{};  ///< of a constant, where they are at hand; borrowed from what the graph was made of
};

/// An operation.
struct GraphNode {
    std::string name;
    std::string kind;  ///< the operator: "aten.convolution.default", "Conv2d"
    /// What it computes, without what backends put in front: "Conv2d"; static. Empty: as `kind` says.
    std::string_view operation{};
    std::vector<GraphValueId> inputs{};
    std::vector<GraphValueId> outputs{};
    std::string_view inputNames{};  ///< with blanks between, of static storage; empty: nothing to tell apart
    std::vector<DebugHandle> debugHandles{};  ///< empty: none is known
    std::optional<GraphGroupId> group{};      ///< the innermost
    std::vector<GraphAttribute> attributes{};
    std::optional<InstructionId>
        instruction{};  ///< that runs it; of the delegate call for what is in a delegate
};

/// A module, a delegate or any other part that can be folded to one box.
struct GraphGroup {
    std::string name;
    std::optional<GraphGroupId> parent{};
    std::string kind{};  ///< "module", "delegate", "subgraph", "branch", "loop", "section"; may be empty
    std::vector<GraphAttribute> attributes{};
};

/// Nodes in an order in which they can run, values between them, and groups that nest. Ids are positions.
class ModelGraph {
  public:
    std::string name;

    GraphValueId addValue(GraphValue value);
    /// Links the node with its values: it becomes the producer of its outputs (the last one to write a value
    /// that several write). Ids must be of values that are there.
    GraphNodeId addNode(GraphNode node);
    GraphGroupId addGroup(std::string_view groupName, std::optional<GraphGroupId> parent = std::nullopt);
    GraphGroupId addGroup(GraphGroup group);
    void setGroup(GraphNodeId id, GraphGroupId group) { nodeList[id.value].group = group; }
    /// `parent` must not lie inside of the group.
    void setParent(GraphGroupId id, GraphGroupId parent) { groupList[id.value].parent = parent; }
    void setRole(GraphValueId id, GraphValue::Role role) { valueList[id.value].role = role; }

    [[nodiscard]] const std::vector<GraphNode>& nodes() const { return nodeList; }
    [[nodiscard]] const std::vector<GraphValue>& values() const { return valueList; }
    [[nodiscard]] const std::vector<GraphGroup>& groups() const { return groupList; }
    [[nodiscard]] const GraphNode& node(GraphNodeId id) const { return nodeList[id.value]; }
    [[nodiscard]] const GraphValue& value(GraphValueId id) const { return valueList[id.value]; }
    [[nodiscard]] const GraphGroup& group(GraphGroupId id) const { return groupList[id.value]; }

    /// Nodes by kind with how often each comes, by kind.
    [[nodiscard]] std::map<std::string_view, std::size_t> kinds() const;
    /// The nodes that carry the handle.
    [[nodiscard]] std::vector<GraphNodeId> nodesOf(DebugHandle handle) const;

  private:
    std::vector<GraphNode> nodeList;
    std::vector<GraphValue> valueList;
    std::vector<GraphGroup> groupList;
};

}  // namespace et::core
