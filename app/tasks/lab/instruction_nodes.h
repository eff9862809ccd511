#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Instructions of a program as nodes of the Edge dialect.
namespace et::app {

/// "v12": how a graph calls a value of a method.
[[nodiscard]] std::string graphName(program::ValueId id);
/// The other way around; nothing for another name.
[[nodiscard]] std::optional<program::ValueId> valueOfGraph(std::string_view name);

/// The tensor of a method as a graph describes it: sizes that a run may make smaller are symbols of `graph`,
/// with their bounds.
void describeTensor(const program::TensorInfo& tensor, program::ValueId id, etrecord::ExportedGraph& graph);

/// Makes nodes of the calls of a method.
class InstructionNodes {
  public:
    /// `computed`: by value, numbers that instructions write. All have to live as long.
    InstructionNodes(const program::Method& of, const std::vector<bool>& computed,
                     const kernels::KernelRegistry& registry)
        : method(of), written(computed), kernels(registry) {}

    /// Operator, arguments and results; nothing: no operator is known that the kernel computes, or it is
    /// called with other arguments.
    [[nodiscard]] std::optional<etrecord::Node> make(const program::KernelCall& call) const;

  private:
    [[nodiscard]] etrecord::Argument argument(program::ValueId id) const;
    [[nodiscard]] etrecord::Argument integers(const program::IntList& list) const;
    [[nodiscard]] bool isComputed(program::ValueId id) const { return written[id.value]; }

    const program::Method& method;
    const std::vector<bool>& written;
    const kernels::KernelRegistry& kernels;
};

/// A name of an instruction: "instruction_12".
[[nodiscard]] std::string instructionNodeName(std::size_t instruction);

}  // namespace et::app
