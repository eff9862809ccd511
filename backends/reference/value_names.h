#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/method.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace et::backends::reference {

/// Names of a method's values in the Edge graph it was made from, as far as its inputs and the debug handles
/// of the kernels that write or read them determine them.
class ValueNames {
  public:
    /// `registry` identifies the results among a kernel's arguments.
    [[nodiscard]] static ValueNames make(const program::Method& method, const etrecord::ExportedGraph& graph,
                                         const etrecord::MethodMaps& maps,
                                         const kernels::KernelRegistry& registry);

    /// Names only the method's inputs.
    [[nodiscard]] static ValueNames ofInputs(const program::Method& method,
                                             const etrecord::ExportedGraph& graph);

    /// Names the values that a kernel reads and writes after the first candidate node of the graph that is
    /// not `taken`; nothing if there is none.
    std::optional<etrecord::NodeIndex> addKernel(const program::Method& method,
                                                 const etrecord::ExportedGraph& graph,
                                                 const program::KernelCall& call,
                                                 const kernels::KernelRegistry& registry,
                                                 const std::set<etrecord::NodeIndex>& taken);

    /// Nodes that make() matched with kernels.
    [[nodiscard]] const std::set<etrecord::NodeIndex>& kernelNodes() const { return computed; }

    /// The value of a name; nothing if unknown.
    [[nodiscard]] std::optional<program::ValueId> valueOf(const std::string& name) const;

    /// Empty for an unknown value.
    [[nodiscard]] std::string find(program::ValueId value) const {
        const auto found = names.find(value.value);
        return found == names.end() ? std::string() : found->second;
    }
    void add(program::ValueId value, const std::string& name) { names.insert_or_assign(value.value, name); }

  private:
    std::map<std::uint32_t, std::string> names;
    std::set<etrecord::NodeIndex> computed;
};

}  // namespace et::backends::reference
