#pragma once

#include "backends/lowering/computed_constants.h"
#include "backends/lowering/edge_method.h"
#include "backends/lowering/kernel_choice.h"
#include "backends/lowering/method_emission.h"
#include "runtime/builder/program_builder.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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
          depth(nesting) {}

    /// Adds the inputs of the method, in graph order.
    core::Result<> addInputs();
    /// Adds all nodes and parts.
    core::Result<> addBody();
    /// Adds the outputs of the method, and the copies of final values into buffers.
    core::Result<> addOutputs();

    /// Binds a value of a subgraph to a value of the enclosing graph.
    void bind(std::string_view name, program::ValueId id) { values[name] = id; }
    /// A value of the graph; parameters, buffers and constants are created on first use.
    core::Result<program::ValueId> value(std::string_view name);

  private:
    using OptionalRefs = std::vector<std::optional<etrecord::ValueRef>>;

    core::Result<> addInput(const etrecord::InputSpec& spec);
    core::Result<> addNode(const etrecord::Node& node);
    core::Result<> addPart(const DelegatedPart& part);
    core::Result<> addMutation(const etrecord::OutputSpec& spec);
    core::Result<> call(const etrecord::Node& node, const KernelChoice& choice,
                        builder::Arguments& arguments);
    /// `grows`: at run time it has fewer rows at first.
    core::Result<program::ValueId> result(std::string_view name, bool grows = false);
    core::Result<builder::Arguments> argumentsOf(const KernelChoice& choice);

    // Operators that export preserves for delegates, computed by several calls (emission_control.cpp).
    core::Result<> addMaxPool(const etrecord::Node& node);
    core::Result<> addHardSwish(const etrecord::Node& node);
    core::Result<> addPrelu(const etrecord::Node& node);

    // Nodes without a kernel (emission_control.cpp).
    core::Result<bool> addWithoutKernel(const etrecord::Node& node);
    [[nodiscard]] bool isComputedAhead(const etrecord::Node& node) const;
    core::Result<> addComputedAhead(const etrecord::Node& node);
    core::Result<> addFunctionalized(const etrecord::Node& node);
    core::Result<> addCond(const etrecord::Node& node);
    core::Result<> addMap(const etrecord::Node& node);
    core::Result<> addScan(const etrecord::Node& node);
    struct RowLoop {
        program::ValueId count, row;
        core::InstructionId begin;           ///< of the body
        std::vector<program::ValueId> rows;  ///< the current row of each tensor
    };
    core::Result<RowLoop> beginRows(const etrecord::Argument& argument);
    void storeRow(const RowLoop& loop, std::span<const program::ValueId> to,
                  std::span<const program::ValueId> made);
    void endRows(const RowLoop& loop);
    core::Result<> keepCarried(const etrecord::Node& node, std::span<program::ValueId> made,
                               std::span<const program::ValueId> carried);
    void copyAll(std::span<const program::ValueId> from, std::span<const program::ValueId> to);
    core::Result<std::vector<program::ValueId>> addSubgraph(const etrecord::Argument& argument,
                                                            std::span<const program::ValueId> inputs);
    core::Result<std::vector<program::ValueId>> listed(const etrecord::Argument& argument);
    core::Result<std::vector<program::ValueId>> results(const etrecord::Node& node, std::size_t growing);
    core::Result<program::ValueId> writable(const etrecord::Node& node, std::string_view base);

    // Arguments of a node (emission_arguments.cpp).
    core::Result<builder::Argument> wrapped(const etrecord::Argument& number);
    core::Result<builder::Argument> argument(const etrecord::Argument& from, bool optionalItems);
    core::Result<builder::Argument> list(const OptionalRefs& items, bool optionalItems);
    static core::Result<builder::Argument> plain(const reference::ReferenceValue& from);
    core::Result<builder::Argument> integers(const std::vector<etrecord::SymInt>& items);

    EdgeMethod& method;
    std::span<const DelegatedPart> parts;
    const kernels::KernelRegistry& kernels;
    builder::MethodBuilder& into;
    EmittedMethod& emitted;
    ComputedConstants computed;
    std::size_t depth;
    std::unordered_map<std::string_view, program::ValueId> values;
};

}  // namespace et::backends::lowering
