#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Converts instructions of a program to Edge dialect nodes.
namespace et::tasks {

/// "v12": the name of a method's value in a graph.
[[nodiscard]] std::string graphName(program::ValueId id);
/// The inverse; nothing for other names.
[[nodiscard]] std::optional<program::ValueId> valueOfGraph(std::string_view name);

/// Describes a tensor of a method for a graph: sizes that a run may reduce become symbols of `graph` with
/// their bounds.
void describeTensor(const program::TensorInfo& tensor, program::ValueId id, etrecord::ExportedGraph& graph);

/// Builds nodes from the calls of a method.
class InstructionNodes {
  public:
    /// `computed`: by value, whether it is a number written by an instruction. All parameters must outlive
    /// this object.
    InstructionNodes(const program::Method& of, const std::vector<bool>& computed,
                     const kernels::KernelRegistry& registry)
        : method(of), written(computed), kernels(registry) {}

    /// Returns operator, arguments and results; nothing if the kernel's operator is unknown, or it is called
    /// with other arguments.
    [[nodiscard]] std::optional<etrecord::Node> make(const program::KernelCall& call) const;

  private:
    [[nodiscard]] etrecord::Argument argument(program::ValueId id) const;
    [[nodiscard]] etrecord::Argument integers(const program::IntList& list) const;
    [[nodiscard]] bool isComputed(program::ValueId id) const { return written[id.value]; }

    const program::Method& method;
    const std::vector<bool>& written;
    const kernels::KernelRegistry& kernels;
};

/// The name of an instruction's node: "instruction_12".
[[nodiscard]] std::string instructionNodeName(std::size_t instruction);

}  // namespace et::tasks
