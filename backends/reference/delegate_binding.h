#pragma once

#include "backends/reference/value_names.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace et::backends::reference {

/// An argument of a delegate call and the Edge graph value that it holds.
struct BoundArgument {
    std::size_t argument = 0;
    std::string name;
};

/// A delegate call described by values of the Edge graph.
struct DelegateBinding {
    std::vector<BoundArgument> inputs;   ///< without weights, which are in the graph
    std::vector<BoundArgument> outputs;  ///< all of them
    /// Buffers that the delegate keeps and changes: value that the graph produces -> name of the buffer.
    std::map<std::string, std::string> kept;
    std::size_t arguments = 0;  ///< number of arguments of the call
    /// The control flow subgraph of the names; null: the method's graph.
    const etrecord::ExportedGraph* subgraph = nullptr;
};

/// The delegate calls of a method, by instruction. Identified by the record's debug handles; for a call
/// without handles, by the operators around it (region_match.h).
class DelegateBindings {
  public:
    /// Errors: NotFound (the record lacks a graph or handles for the method).
    [[nodiscard]] static core::Result<DelegateBindings> make(const program::Method& method,
                                                             const etrecord::Record& record,
                                                             const kernels::KernelRegistry& registry);

    /// The calls of one delegate. Errors: NotFound (the record lacks a call), Mismatch (dtypes, shapes or the
    /// number of values differ).
    [[nodiscard]] core::Result<std::map<std::int32_t, DelegateBinding>> of(
        program::DelegateId delegate) const;

  private:
    struct Call {
        program::DelegateId delegate;
        core::Result<DelegateBinding> binding;
    };
    void bindByRegions(const program::Method& method, const etrecord::ExportedGraph& graph,
                       const etrecord::MethodMaps& maps, const kernels::KernelRegistry& registry);

    std::map<std::int32_t, Call> calls;
};

}  // namespace et::backends::reference
