#pragma once

#include "inspector/program_diff/detail/method_diff.h"
#include "inspector/program_diff/detail/steps.h"
#include "runtime/core/graph.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <map>
#include <memory>
#include <utility>

namespace et::inspector::program_diff::detail {

/// Graphs inside the delegates of a method on one side. Each payload is described once.
class DelegateGraphs {
  public:
    /// Borrows both.
    DelegateGraphs(const MethodSide& from, Backends known) : side(from), backends(known) {}

    [[nodiscard]] const program::Method& method() const { return side.method; }
    /// The graph of the delegate with this index. Null: unknown.
    [[nodiscard]] std::shared_ptr<const core::ModelGraph> of(std::size_t number);
    /// Sets Step::inside of the steps that call delegates.
    void tell(StepList& list);

  private:
    [[nodiscard]] std::shared_ptr<const core::ModelGraph> look(const program::Delegate& delegate) const;

    const MethodSide& side;
    Backends backends;
    std::map<std::pair<const std::byte*, std::size_t>,
             std::pair<const program::Delegate*, std::shared_ptr<const core::ModelGraph>>>
        described;  ///< by payload
};

}  // namespace et::inspector::program_diff::detail
