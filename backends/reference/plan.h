#pragma once

#include "backends/reference/operators.h"
#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace et::backends::reference {

struct ControlOperator;
struct Plan;

/// Index of a value in a frame.
using Slot = std::uint32_t;

/// Input of a step: a constant, the slot of a value, a list, or a subgraph.
struct Operand {
    using List = std::vector<Operand>;
    std::variant<ReferenceValue, Slot, List, std::shared_ptr<const Plan>> content;
};

/// One output of a node. A tensor whose dtype is not in the graph has kind None.
struct StepResult {
    ResultKind kind;
    std::vector<std::optional<Slot>> slots;  ///< one, or one per tensor of a list
};

/// A node with resolved operator and operands.
struct Step {
    etrecord::NodeIndex node = 0;
    ResolvedOperator op;
    const ControlOperator* control = nullptr;  ///< replaces `op` if set
    std::vector<Operand> operands;  ///< in the order of the operator's declaration; for control flow, of the
                                    ///< node
    std::optional<std::size_t> wrapped;  ///< index of a number operand where a tensor is expected
    std::vector<StepResult> results;
    std::vector<ResultKind> kinds;  ///< kinds of the results
    std::vector<Slot> lastUses;     ///< values not read after this step
};

/// Destination of a parameter, buffer or constant.
struct PlannedTensor {
    Slot slot = 0;
    std::string name;  ///< name in the archives: "conv.weight"
};

/// A graph prepared for execution, with all names resolved. Borrows the graph.
struct Plan {
    const etrecord::ExportedGraph* graph = nullptr;
    std::vector<std::string_view> names;  ///< by slot
    std::unordered_map<std::string_view, Slot> slots;
    std::vector<Operand> inputs;  ///< inputs of the graph in order: slots, or constants
    std::vector<Operand> outputs;
    std::vector<Step> steps;
    std::vector<PlannedTensor> subclassTensors;  ///< tensors inside of parameters that are tensor subclasses
    bool mutates = false;                        ///< contains an in-place operator
    /// For a lowered module: its own tensors, by input; nothing for inputs that the caller provides.
    std::vector<std::optional<ReferenceValue>> ownInputs;
    std::shared_ptr<const void> owner;  ///< owns the graph if nothing else does

    [[nodiscard]] std::optional<Slot> find(std::string_view name) const {
        const auto found = slots.find(name);
        return found == slots.end() ? std::nullopt : std::optional(found->second);
    }
};

/// Maps an exported dtype to the dtype used for computing.
using ComputedType = std::function<core::ScalarType(core::ScalarType)>;

/// Errors: Unsupported (an unknown operator), InvalidArgument (its arguments; a value that no earlier node or
/// more than one node produces), Limit (nesting); all name the node.
[[nodiscard]] core::Result<std::shared_ptr<const Plan>> makePlan(const etrecord::ExportedGraph& graph,
                                                                 const ComputedType& computed);

/// Adds the node's name to an error unless it has one.
[[nodiscard]] core::Error atNode(const etrecord::Node& node, core::Error error);

}  // namespace et::backends::reference
