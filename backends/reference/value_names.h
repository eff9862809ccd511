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

/// What values of a program's method are called in the Edge graph that it was made from, as far as its inputs
/// and the debug handles of the kernels that write or read them say.
class ValueNames {
  public:
    /// `registry` says which arguments of a kernel are its results.
    [[nodiscard]] static ValueNames make(const program::Method& method, const etrecord::ExportedGraph& graph,
                                         const etrecord::MethodMaps& maps,
                                         const kernels::KernelRegistry& registry);

    /// Those of the method's inputs only.
    [[nodiscard]] static ValueNames ofInputs(const program::Method& method,
                                             const etrecord::ExportedGraph& graph);

    /// Names what a kernel reads and writes after the first node of the graph that it may be and that is not
    /// `taken`; nothing where there is none.
    std::optional<etrecord::NodeIndex> addKernel(const program::Method& method,
                                                 const etrecord::ExportedGraph& graph,
                                                 const program::KernelCall& call,
                                                 const kernels::KernelRegistry& registry,
                                                 const std::set<etrecord::NodeIndex>& taken);

    /// Nodes that make() found to be computed by kernels.
    [[nodiscard]] const std::set<etrecord::NodeIndex>& kernelNodes() const { return computed; }

    /// The value of a name; nothing where there is none.
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
