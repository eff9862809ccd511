#pragma once

#include "inspector/program_diff/detail/constant_comparison.h"
#include "inspector/program_diff/detail/step_alignment.h"
#include "inspector/program_diff/detail/steps.h"
#include "inspector/program_diff/program_diff.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace et::inspector::program_diff::detail {

/// Both sides of a comparison, aligned.
struct AlignedSteps {
    const StepList& before;
    const StepList& after;
    const Alignment& alignment;
    /// By input of the side before: its index after; nothing if it was removed.
    std::vector<std::optional<std::size_t>> inputs;
};

/// Decides whether operands are equivalent on both sides by following the dataflow.
class Correspondence {
  public:
    explicit Correspondence(const AlignedSteps& aligned) : steps(aligned) {}

    /// True if the operands come from partners, directly or through steps that were added or removed.
    [[nodiscard]] bool sameSource(const Operand& before, const Operand& after) const;

  private:
    [[nodiscard]] bool partners(const Operand& before, const Operand& after) const;
    [[nodiscard]] bool sameTarget(std::size_t before, std::size_t after) const;

    const AlignedSteps& steps;
};

/// The difference of a step that is on one side only.
[[nodiscard]] StepDiff loneStep(const Step& step, Change change);

struct StepListDiff {
    std::vector<StepDiff> steps;
    std::vector<ConstantDiff> constants;  ///< each pair of tensors once
};

/// Describes the differences between aligned steps. Errors: those of ConstantComparer.
[[nodiscard]] core::Result<StepListDiff> diffSteps(const AlignedSteps& aligned, ConstantComparer& comparer);

/// Text of a value's source: "aten::add.out #3", "input 0", "a constant".
[[nodiscard]] std::string sourceText(const Operand& operand, const StepList& list);

/// Adds an entry for each attribute, matched by name, that differs.
void compareAttributes(const std::vector<core::GraphAttribute>& before,
                       const std::vector<core::GraphAttribute>& after, std::string_view prefix,
                       std::vector<AttributeChange>& changes);

}  // namespace et::inspector::program_diff::detail
