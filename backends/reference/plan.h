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

/// Place of a value of a graph while it runs.
using Slot = std::uint32_t;

/// What a step reads: a value that stands in the graph, the place of one, several, or a subgraph.
struct Operand {
    using List = std::vector<Operand>;
    std::variant<ReferenceValue, Slot, List, std::shared_ptr<const Plan>> content;
};

/// One output of a node. A tensor whose dtype the graph does not say has kind None.
struct StepResult {
    ResultKind kind;
    std::vector<std::optional<Slot>> slots;  ///< one, or one a tensor of a list
};

/// A node, ready to run.
struct Step {
    etrecord::NodeIndex node = 0;
    ResolvedOperator op;
    const ControlOperator* control = nullptr;  ///< instead of op
    std::vector<Operand> operands;             ///< as the operator declares them; of control: as in the node
    std::optional<std::size_t> wrapped;        ///< an operand that is a number where a tensor is expected
    std::vector<StepResult> results;
    std::vector<ResultKind> kinds;  ///< of the results
    std::vector<Slot> lastUses;     ///< values that nothing reads after this step
};

/// Where a parameter, buffer or constant goes.
struct PlannedTensor {
    Slot slot = 0;
    std::string name;  ///< in the archives: "conv.weight"
};

/// A graph in the order in which it runs, all names resolved. Borrows the graph.
struct Plan {
    const etrecord::ExportedGraph* graph = nullptr;
    std::vector<std::string_view> names;  ///< by slot
    std::unordered_map<std::string_view, Slot> slots;
    std::vector<Operand> inputs;  ///< of the graph, in its order: slots, or plain values
    std::vector<Operand> outputs;
    std::vector<Step> steps;
    std::vector<PlannedTensor> subclassTensors;  ///< tensors inside of parameters that are tensor subclasses
    bool mutates = false;                        ///< an operator works in place
    /// Of a lowered module: its own tensors, by input; nothing where the caller gives the input.
    std::vector<std::optional<ReferenceValue>> ownInputs;
    std::shared_ptr<const void> owner;  ///< of a graph that nothing else keeps

    [[nodiscard]] std::optional<Slot> find(std::string_view name) const {
        const auto found = slots.find(name);
        return found == slots.end() ? std::nullopt : std::optional(found->second);
    }
};

/// The dtype that the elements of an exported one are computed with.
using ComputedType = std::function<core::ScalarType(core::ScalarType)>;

/// Errors: Unsupported (an unknown operator), InvalidArgument (its arguments; a value that no node
/// before makes, or that two make), Limit (nesting); all name the node.
[[nodiscard]] core::Result<std::shared_ptr<const Plan>> makePlan(const etrecord::ExportedGraph& graph,
                                                                 const ComputedType& computed);

/// An error that names the node, once.
[[nodiscard]] core::Error atNode(const etrecord::Node& node, core::Error error);

}  // namespace et::backends::reference
