#include "inspector/program_diff/detail/step_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace et::inspector::program_diff::detail {
namespace {

/// Maximum number of unmatched steps followed before a source counts as unknown.
constexpr std::size_t maxFollowed = 64;

/// The operands reached by following the inputs upwards through unmatched steps.
std::vector<const Operand*> sourcesOf(const Operand& operand, const StepList& list,
                                      const std::vector<std::optional<std::size_t>>& partners) {
    std::vector<const Operand*> sources;
    std::vector<const Operand*> open{&operand};
    std::set<std::size_t> followed;
    while (!open.empty()) {
        const Operand& next = *open.back();
        open.pop_back();
        if (next.kind != Operand::Kind::Step || partners[next.index]) {
            sources.push_back(&next);
        } else if (followed.size() < maxFollowed && followed.insert(next.index).second) {
            for (const Operand& each : list.steps[next.index].operands) {
                open.push_back(&each);
            }
        }
    }
    return sources;
}

}  // namespace

bool Correspondence::sameTarget(std::size_t before, std::size_t after) const {
    // A jump target is the next step that both sides have.
    const auto next = [](std::size_t from, const std::vector<std::optional<std::size_t>>& partners) {
        while (from < partners.size() && !partners[from]) {
            ++from;
        }
        return from;
    };
    const std::size_t left = next(before, steps.alignment.afterOf);
    const std::size_t right = next(after, steps.alignment.beforeOf);
    const bool leftEnds = left == steps.before.steps.size();
    return leftEnds ? right == steps.after.steps.size() : steps.alignment.afterOf[left] == right;
}

bool Correspondence::partners(const Operand& before, const Operand& after) const {
    if (before.kind != after.kind) {
        return false;
    }
    switch (before.kind) {
        case Operand::Kind::Step:
            return before.output == after.output && steps.alignment.afterOf[before.index] == after.index;
        case Operand::Kind::Input:
            return before.index < steps.inputs.size() ? steps.inputs[before.index] == after.index
                                                      : before.index == after.index;
        case Operand::Kind::Target:
            return sameTarget(before.index, after.index);
        case Operand::Kind::Literal:
            return before.text == after.text;
        case Operand::Kind::Unset:
        case Operand::Kind::Constant:
        case Operand::Kind::State:
            return true;  // their types and contents are compared separately
    }
    return false;
}

bool Correspondence::sameSource(const Operand& before, const Operand& after) const {
    if (partners(before, after)) {
        return true;
    }
    const bool beforeOpen = before.kind == Operand::Kind::Step && !steps.alignment.afterOf[before.index];
    const bool afterOpen = after.kind == Operand::Kind::Step && !steps.alignment.beforeOf[after.index];
    if (!beforeOpen && !afterOpen) {
        return false;
    }
    const auto left = sourcesOf(before, steps.before, steps.alignment.afterOf);
    const auto right = sourcesOf(after, steps.after, steps.alignment.beforeOf);
    return std::ranges::any_of(left, [&](const Operand* a) {
        return a->kind != Operand::Kind::Literal &&
               std::ranges::any_of(right, [&](const Operand* b) { return partners(*a, *b); });
    });
}

std::string sourceText(const Operand& operand, const StepList& list) {
    switch (operand.kind) {
        case Operand::Kind::Literal:
            return operand.text;
        case Operand::Kind::Unset:
            return "nothing";
        case Operand::Kind::Input:
            return fmt::format("input {}", operand.index);
        case Operand::Kind::Constant:
            return fmt::format("constant {}", operand.text);
        case Operand::Kind::State:
            return fmt::format("state {}", operand.text);
        case Operand::Kind::Step: {
            const Step& step = list.steps[operand.index];
            const std::string which = operand.output == 0 ? "" : fmt::format(", output {}", operand.output);
            return fmt::format("{} #{}{}", step.kind, step.number, which);
        }
        case Operand::Kind::Target:
            return operand.index < list.steps.size() ? fmt::format("#{}", list.steps[operand.index].number)
                                                     : "the end";
    }
    return {};
}

}  // namespace et::inspector::program_diff::detail
