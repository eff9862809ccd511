#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/method.h"

#include <map>
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

    /// Empty for a value that nobody knows.
    [[nodiscard]] std::string find(program::ValueId value) const {
        const auto found = names.find(value.value);
        return found == names.end() ? std::string() : found->second;
    }
    void add(program::ValueId value, const std::string& name) { names.insert_or_assign(value.value, name); }

  private:
    std::map<std::uint32_t, std::string> names;
};

}  // namespace et::backends::reference
