#pragma once

#include "inspector/program_diff/detail/constant_comparison.h"
#include "inspector/program_diff/detail/method_diff.h"
#include "inspector/program_diff/detail/step_diff.h"
#include "inspector/program_diff/detail/steps.h"
#include "inspector/program_diff/program_diff.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::program_diff::detail {

/// Counts names separately for both sides.
class TwoCounts {
  public:
    void addBefore(std::string_view name, std::uint64_t count = 1) { of(name).before += count; }
    void addAfter(std::string_view name, std::uint64_t count = 1) { of(name).after += count; }

    /// By name.
    [[nodiscard]] std::vector<CountDiff> list() const {
        std::vector<CountDiff> out;
        for (const auto& [name, count] : counts) {
            out.push_back({.name = name, .count = count});
        }
        return out;
    }

  private:
    BeforeAfter<std::uint64_t>& of(std::string_view name) {
        const auto found = counts.find(name);
        return found == counts.end() ? counts[std::string(name)] : found->second;
    }

    std::map<std::string, BeforeAfter<std::uint64_t>, std::less<>> counts;
};

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

struct DelegatesDiff {
    std::vector<DelegateDiff> delegates;
    std::vector<ConstantDiff> constants;  ///< changed weights inside the delegate
};

/// Compares the delegates of a method, matched by the instructions that call them: the first pair of matching
/// calls decides. If the backend describes both, they are compared by description, which ignores debug
/// handles and the order of tables; otherwise byte by byte. Errors: Limit.
[[nodiscard]] core::Result<DelegatesDiff> diffDelegates(DelegateGraphs& before, DelegateGraphs& after,
                                                        const AlignedSteps& steps,
                                                        ConstantComparer& comparer);

/// Describes the delegates of a method that only one side has.
[[nodiscard]] std::vector<DelegateDiff> loneDelegates(DelegateGraphs& side, Change change);

}  // namespace et::inspector::program_diff::detail
