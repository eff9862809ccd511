#include "inspector/program_diff/detail/step_diff.h"

#include "runtime/executor/instruction_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace et::inspector::program_diff::detail {
namespace {

using core::Result;
using Kind = Operand::Kind;

bool holdsData(const Operand& operand) {
    return operand.kind == Kind::Constant || operand.kind == Kind::State;
}

std::string labelOf(const Step& step, const Operand& operand) {
    const std::string label = executor::argumentLabel(
        operand.argument, step.inputNames.empty() ? executor::argumentName(step.kind, operand.argument)
                                                  : executor::nameInList(step.inputNames, operand.argument));
    return operand.inList ? fmt::format("{}[{}]", label, operand.item) : label;
}

/// The operand at the same position; null if there is none. Operands are sorted by position.
const Operand* operandAt(const Step& step, const Operand& like) {
    const auto place = [](const Operand& each) { return std::pair(each.argument, each.item); };
    const auto found = std::ranges::lower_bound(step.operands, place(like), {}, place);
    return found == step.operands.end() || place(*found) != place(like) ? nullptr : &*found;
}

std::string differenceText(const ElementDifference& found) {
    std::string text = fmt::format("{} of {} elements differ", found.different, found.elements);
    if (found.maxAbsolute) {
        text += fmt::format(", max abs difference {:.4g}", *found.maxAbsolute);
    }
    return text;
}

class StepDiffer {
  public:
    StepDiffer(const AlignedSteps& aligned, ConstantComparer& constants)
        : steps(aligned), comparer(constants), correspondence(aligned) {}

    Result<StepListDiff> diff() {
        std::size_t nextBefore = 0;
        std::size_t nextAfter = 0;
        while (nextBefore < before().size() || nextAfter < after().size()) {
            if (nextBefore < before().size() && !staysInOrder(nextBefore)) {
                if (!steps.alignment.afterOf[nextBefore]) {
                    alone(steps.before, nextBefore, Change::Removed);
                }
                ++nextBefore;  // moved steps are listed at their position after
            } else if (nextAfter < after().size() && !partnerInOrder(nextAfter)) {
                const auto partner = steps.alignment.beforeOf[nextAfter];
                if (partner) {
                    ET_TRY(together(*partner, nextAfter, true));
                } else {
                    alone(steps.after, nextAfter, Change::Added);
                }
                ++nextAfter;
            } else {
                ET_TRY(together(nextBefore++, nextAfter++, false));
            }
        }
        return std::move(result);
    }

  private:
    [[nodiscard]] const std::vector<Step>& before() const { return steps.before.steps; }
    [[nodiscard]] const std::vector<Step>& after() const { return steps.after.steps; }

    [[nodiscard]] bool staysInOrder(std::size_t index) const {
        return steps.alignment.afterOf[index] && !steps.alignment.moved[index];
    }
    [[nodiscard]] bool partnerInOrder(std::size_t index) const {
        const auto partner = steps.alignment.beforeOf[index];
        return partner && !steps.alignment.moved[*partner];
    }

    void alone(const StepList& list, std::size_t index, Change change) {
        result.steps.push_back(loneStep(list.steps[index], change));
    }

    Result<> together(std::size_t left, std::size_t right, bool moved) {
        const Step& a = before()[left];
        const Step& b = after()[right];
        StepDiff diff{.moved = moved,
                      .chain = b.chain,
                      .before = a.number,
                      .after = b.number,
                      .name = b.kind,
                      .attributes = {}};
        compareAttributes(a.attributes, b.attributes, "", diff.attributes);
        for (const Operand& operand : a.operands) {
            if (const Operand* partner = operandAt(b, operand)) {
                ET_TRY(compareOperands(a, operand, *partner, diff));
            } else {
                diff.attributes.push_back({labelOf(a, operand), sourceText(operand, steps.before), ""});
            }
        }
        for (const Operand& operand : b.operands) {
            if (operandAt(a, operand) == nullptr) {
                diff.attributes.push_back({labelOf(b, operand), "", sourceText(operand, steps.after)});
            }
        }
        compareResults(a, b, diff.attributes);
        diff.change = diff.attributes.empty() ? Change::Same : Change::Changed;
        result.steps.push_back(std::move(diff));
        return {};
    }

    Result<> compareOperands(const Step& step, const Operand& left, const Operand& right, StepDiff& diff) {
        if (holdsData(left) && left.kind == right.kind) {
            return compareData(step, left, right, diff);
        }
        if (!correspondence.sameSource(left, right)) {
            diff.attributes.push_back(
                {labelOf(step, left), sourceText(left, steps.before), sourceText(right, steps.after)});
        }
        return {};
    }

    Result<> compareData(const Step& step, const Operand& left, const Operand& right, StepDiff& diff) {
        const std::string label = labelOf(step, left);
        compareAttributes(left.attributes, right.attributes, label + ", ", diff.attributes);
        if (left.text != right.text) {
            diff.attributes.push_back({label, left.text, right.text});
            return {};
        }
        if (!left.constant.known || !right.constant.known) {
            if (left.constant.name != right.constant.name) {
                diff.attributes.push_back({label + ", data name", left.constant.name, right.constant.name});
            }
            return {};
        }
        ET_ASSIGN(const ElementDifference found, comparer.compare(left.constant, right.constant));
        if (found.different > 0) {
            diff.attributes.push_back(
                {label, left.text, fmt::format("{}, {}", right.text, differenceText(found))});
            remember(step, left, right, found);
        }
        return {};
    }

    void remember(const Step& step, const Operand& left, const Operand& right,
                  const ElementDifference& found) {
        if (!told.emplace(left.constant.bytes.data(), right.constant.bytes.data()).second) {
            return;
        }
        const std::string& name = right.constant.name;
        result.constants.push_back(
            {.name =
                 name.empty() ? fmt::format("{} #{}, {}", step.kind, step.number, labelOf(step, left)) : name,
             .type = right.text,
             .elements = found.elements,
             .different = found.different,
             .maxAbsoluteDifference = found.maxAbsolute});
    }

    static void compareResults(const Step& left, const Step& right, std::vector<AttributeChange>& changes) {
        const std::size_t count = std::max(left.results.size(), right.results.size());
        for (std::size_t i = 0; i < count; ++i) {
            const std::string label = count == 1 ? "output" : fmt::format("output {}", i);
            const StepResult* a = i < left.results.size() ? &left.results[i] : nullptr;
            const StepResult* b = i < right.results.size() ? &right.results[i] : nullptr;
            if (a != nullptr && b != nullptr) {
                compareAttributes(a->attributes, b->attributes, label + ", ", changes);
            }
            const std::string before = a == nullptr ? "" : a->type;
            const std::string after = b == nullptr ? "" : b->type;
            if (before != after) {
                changes.push_back({label, before, after});
            }
        }
    }

    const AlignedSteps& steps;
    ConstantComparer& comparer;
    Correspondence correspondence;
    StepListDiff result;
    std::set<std::pair<const std::byte*, const std::byte*>> told;
};

}  // namespace

StepDiff loneStep(const Step& step, Change change) {
    StepDiff diff{.change = change,
                  .chain = step.chain,
                  .before = {},
                  .after = {},
                  .name = step.kind,
                  .attributes = {}};
    (change == Change::Removed ? diff.before : diff.after) = step.number;
    return diff;
}

void compareAttributes(const std::vector<core::GraphAttribute>& before,
                       const std::vector<core::GraphAttribute>& after, std::string_view prefix,
                       std::vector<AttributeChange>& changes) {
    const auto textIn = [](const std::vector<core::GraphAttribute>& list, const std::string& name) {
        const auto found = std::ranges::find(list, name, &core::GraphAttribute::name);
        return found == list.end() ? std::string() : found->text;
    };
    for (const core::GraphAttribute& each : before) {
        if (std::string text = textIn(after, each.name); text != each.text) {
            changes.push_back({std::string(prefix) + each.name, each.text, std::move(text)});
        }
    }
    for (const core::GraphAttribute& each : after) {
        if (!std::ranges::contains(before, each.name, &core::GraphAttribute::name)) {
            changes.push_back({std::string(prefix) + each.name, "", each.text});
        }
    }
}

core::Result<StepListDiff> diffSteps(const AlignedSteps& aligned, ConstantComparer& comparer) {
    return StepDiffer(aligned, comparer).diff();
}

}  // namespace et::inspector::program_diff::detail
