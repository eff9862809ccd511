#pragma once

#include "etrecord/exported_graph.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"

#include <map>

namespace et::inspector {

/// How inputs and outputs of a part of a program lie in memory where that is not as in its graph. Sizes do
/// not tell where two dimensions are equal; the nodes at the graph's border do (turnBorder()).
class BorderOrders {
  public:
    /// Of a program that is no part: none.
    BorderOrders() = default;
    /// None where the graph is not of the method: it has another number of inputs or outputs.
    BorderOrders(const etrecord::ExportedGraph& graph, const program::Method& method);

    /// Dimension i of the graph's value is dimension order[i] in memory; empty: as in the graph.
    [[nodiscard]] executor::DimensionOrder of(program::ValueId value) const;

    /// The arguments of the method's delegates that lie so, in the graph's order of dimensions. Errors: those
    /// of permutedCopy().
    [[nodiscard]] core::Result<RuntimeValues> asInGraph(RuntimeValues values,
                                                        const program::Method& method) const;

  private:
    std::map<program::ValueId, executor::DimensionOrder> orders;
};

}  // namespace et::inspector
