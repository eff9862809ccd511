#pragma once

#include "backends/lowering/computed_constants.h"
#include "backends/lowering/edge_method.h"
#include "backends/lowering/emitted_values.h"
#include "backends/lowering/kernel_choice.h"
#include "backends/lowering/method_emission.h"
#include "runtime/builder/program_builder.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::backends::lowering {

/// Emits one graph into a method: a whole graph, or a subgraph of control flow into the enclosing method.
class Emission {
  public:
    Emission(EdgeMethod& from, std::span<const DelegatedPart> with, const kernels::KernelRegistry& registry,
             builder::MethodBuilder& to, EmittedMethod& made, std::size_t nesting = 0)
        : method(from),
          parts(with),
          kernels(registry),
          into(to),
          emitted(made),
          computed(from, registry),
          values(from, to),
          depth(nesting) {}

    /// Adds the inputs of the method, in graph order.
    core::Result<> addInputs();
    /// Adds all nodes and parts.
    core::Result<> addBody();
    /// Adds the outputs of the method, and the copies of final values into buffers.
    core::Result<> addOutputs();

    /// Adds the instructions of a subgraph and returns its results.
    core::Result<std::vector<program::ValueId>> addSubgraph(const etrecord::Argument& argument,
                                                            std::span<const program::ValueId> inputs);
    [[nodiscard]] EmittedValues& known() { return values; }

  private:
    core::Result<> addInput(const etrecord::InputSpec& spec);
    core::Result<> addNode(const etrecord::Node& node);
    core::Result<> addPart(const DelegatedPart& part);
    core::Result<> addMutation(const etrecord::OutputSpec& spec);
    core::Result<> call(const etrecord::Node& node, const KernelChoice& choice,
                        builder::Arguments& arguments);
    [[nodiscard]] bool isComputedAhead(const etrecord::Node& node) const;
    core::Result<> addComputedAhead(const etrecord::Node& node);

    EdgeMethod& method;
    std::span<const DelegatedPart> parts;
    const kernels::KernelRegistry& kernels;
    builder::MethodBuilder& into;
    EmittedMethod& emitted;
    ComputedConstants computed;
    EmittedValues values;
    std::size_t depth;
};

}  // namespace et::backends::lowering
