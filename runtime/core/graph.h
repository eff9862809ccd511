#pragma once

#include "runtime/core/cost.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/strong_id.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Common graph model for drawing and traversal: a method's instructions, the Edge dialect graph of an
// ETRecord, the contents of a delegate, the difference of two of these.
namespace et::core {

using GraphNodeId = StrongId<struct GraphNodeTag, std::uint32_t>;
using GraphValueId = StrongId<struct GraphValueTag, std::uint32_t>;
using GraphGroupId = StrongId<struct GraphGroupTag, std::uint32_t>;

/// A property for display: "stride" "[2, 2]".
struct GraphAttribute {
    std::string name;
    std::string text;

    bool operator==(const GraphAttribute&) const = default;
};

/// A value on the graph's edges, usually a tensor.
struct GraphValue {
    enum class Role : std::uint8_t { Intermediate, Input, Output, Constant };

    std::string name;
    std::string type;  ///< "float32 [1, 3, 96, 96]"
    Role role = Role::Intermediate;
    std::uint64_t bytes = 0;                ///< of the dense data; 0: unknown or none
    std::optional<GraphNodeId> producer{};  ///< nothing: an input or a constant
    std::vector<GraphNodeId> consumers{};   ///< one entry per use
    std::vector<GraphAttribute> attributes{};
    Bytes data{};  ///< data of a constant, if available; borrowed from the graph's source
};

/// An operation.
struct GraphNode {
    std::string name;
    std::string kind;           ///< the operator: "aten.convolution.default", "Conv2d"
    Cost cost = Cost::Unknown;  ///< inside a delegate: how its work is counted
    std::vector<GraphValueId> inputs{};
    std::vector<GraphValueId> outputs{};
    std::string_view inputNames{};            ///< separated by blanks, static storage; empty: no names needed
    std::vector<DebugHandle> debugHandles{};  ///< empty: unknown
    std::optional<GraphGroupId> group{};      ///< the innermost
    std::vector<GraphAttribute> attributes{};
    std::optional<InstructionId>
        instruction{};  ///< the instruction that runs it; inside a delegate, the delegate call
};

/// A module, a delegate or another part that can be collapsed to one box.
struct GraphGroup {
    std::string name;
    std::optional<GraphGroupId> parent{};
    std::string kind{};  ///< "module", "delegate", "subgraph", "branch", "loop", "section"; may be empty
    std::vector<GraphAttribute> attributes{};
};

/// Nodes in a valid execution order, the values between them, and nested groups. Ids are positions.
class ModelGraph {
  public:
    std::string name;

    GraphValueId addValue(GraphValue value);
    /// Adds a node and links it with its values: it becomes the producer of its outputs (the last node to
    /// write a value wins). The ids must refer to existing values.
    GraphNodeId addNode(GraphNode node);
    GraphGroupId addGroup(std::string_view groupName, std::optional<GraphGroupId> parent = std::nullopt);
    GraphGroupId addGroup(GraphGroup group);
    void setGroup(GraphNodeId id, GraphGroupId group) { nodeList[id.value].group = group; }
    /// `parent` must not be inside the group.
    void setParent(GraphGroupId id, GraphGroupId parent) { groupList[id.value].parent = parent; }
    void setRole(GraphValueId id, GraphValue::Role role) { valueList[id.value].role = role; }

    [[nodiscard]] const std::vector<GraphNode>& nodes() const { return nodeList; }
    [[nodiscard]] const std::vector<GraphValue>& values() const { return valueList; }
    [[nodiscard]] const std::vector<GraphGroup>& groups() const { return groupList; }
    [[nodiscard]] const GraphNode& node(GraphNodeId id) const { return nodeList[id.value]; }
    [[nodiscard]] const GraphValue& value(GraphValueId id) const { return valueList[id.value]; }
    [[nodiscard]] const GraphGroup& group(GraphGroupId id) const { return groupList[id.value]; }

    /// Number of nodes by kind.
    [[nodiscard]] std::map<std::string_view, std::size_t> kinds() const;
    /// The nodes that have the handle.
    [[nodiscard]] std::vector<GraphNodeId> nodesOf(DebugHandle handle) const;

  private:
    std::vector<GraphNode> nodeList;
    std::vector<GraphValue> valueList;
    std::vector<GraphGroup> groupList;
};

}  // namespace et::core
