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

/// An argument of a delegate call and the value of the Edge graph that it holds.
struct BoundArgument {
    std::size_t argument = 0;
    std::string name;
};

/// A delegate call in the words of the Edge graph.
struct DelegateBinding {
    std::vector<BoundArgument> inputs;   ///< without weights, which the graph has itself
    std::vector<BoundArgument> outputs;  ///< all of them
    /// Buffers that the delegate keeps and changes: value that the graph makes, and the buffer's own name.
    std::map<std::string, std::string> kept;
    std::size_t arguments = 0;  ///< of the call
    /// The subgraph of control flow that the names are of; null: the method's graph.
    const etrecord::ExportedGraph* subgraph = nullptr;
};

/// The calls of the delegates of a method, by instruction, as the record's debug handles tell them apart;
/// where it has none of a call, as the operators beside it do (region_match.h).
class DelegateBindings {
  public:
    /// Errors: NotFound (the record has no graph or no handles of the method).
    [[nodiscard]] static core::Result<DelegateBindings> make(const program::Method& method,
                                                             const etrecord::Record& record,
                                                             const kernels::KernelRegistry& registry);

    /// The calls of one delegate. Errors: NotFound (the record says nothing of a call), Mismatch (dtypes,
    /// shapes or the number of values do not fit).
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
