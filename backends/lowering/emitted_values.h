#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/lowering/kernel_choice.h"
#include "backends/reference/reference_value.h"
#include "runtime/builder/program_builder.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::backends::lowering {

/// Values of a graph as values of a method, and arguments of nodes as arguments of calls.
class EmittedValues {
  public:
    /// Both must outlive it.
    EmittedValues(EdgeMethod& from, builder::MethodBuilder& to) : method(from), into(to) {}

    [[nodiscard]] const EdgeMethod& edge() const { return method; }
    [[nodiscard]] builder::MethodBuilder& builder() const { return into; }

    /// Gives a name, which must outlive this object, to a value of the method.
    void bind(std::string_view name, program::ValueId id) { values[name] = id; }
    /// The value of a name; parameters, buffers and constants are created on first use. Errors:
    /// InvalidArgument (an unknown name), those of EdgeMethod::tensor().
    core::Result<program::ValueId> value(std::string_view name);
    /// The values of a list of tensors. Errors: InvalidArgument (something else), those of value().
    core::Result<std::vector<program::ValueId>> list(const etrecord::Argument& argument);
    /// Creates the tensor of a result. `grows`: at run time it has fewer rows at first.
    core::Result<program::ValueId> result(std::string_view name, bool grows = false);
    /// Creates tensors for all results of a node; from `growing`, they receive row after row.
    core::Result<std::vector<program::ValueId>> results(const etrecord::Node& node, std::size_t growing);
    /// The tensor that a node may write to instead of a copy: a buffer, or a node's result, that nothing else
    /// reads.
    core::Result<program::ValueId> writable(const etrecord::Node& node, std::string_view base);

    /// Errors: Unsupported (a kind that no kernel accepts), those of value().
    core::Result<builder::Argument> argument(const etrecord::Argument& from, bool optionalItems = false);
    /// All arguments of a call.
    core::Result<builder::Arguments> arguments(const KernelChoice& choice);

  private:
    core::Result<builder::Argument> tensors(std::span<const std::optional<etrecord::ValueRef>> items,
                                            bool optionalItems);
    core::Result<builder::Argument> integers(std::span<const etrecord::SymInt> items);

    EdgeMethod& method;
    builder::MethodBuilder& into;
    std::unordered_map<std::string_view, program::ValueId> values;
};

}  // namespace et::backends::lowering
