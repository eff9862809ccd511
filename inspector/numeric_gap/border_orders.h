#pragma once

#include "etrecord/exported_graph.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"

#include <map>

namespace et::inspector {

/// Dimension orders of a program part's inputs and outputs whose memory layout differs from the graph's.
/// Sizes are ambiguous if two dimensions are equal; the nodes at the graph's boundary are not (turnBorder()).
class BorderOrders {
  public:
    /// No reordered values, for a program that is not a part.
    BorderOrders() = default;
    /// No reordered values if the graph does not belong to the method, i.e. the number of inputs or outputs
    /// differs.
    BorderOrders(const etrecord::ExportedGraph& graph, const program::Method& method);

    /// Dimension i of the graph's value is dimension order[i] in memory; empty: as in the graph.
    [[nodiscard]] executor::DimensionOrder of(program::ValueId value) const;

    /// Converts the reordered arguments of the method's delegates to the graph's order of dimensions. Errors:
    /// those of permutedCopy().
    [[nodiscard]] core::Result<RuntimeValues> asInGraph(RuntimeValues values,
                                                        const program::Method& method) const;

  private:
    std::map<program::ValueId, executor::DimensionOrder> orders;
};

}  // namespace et::inspector
