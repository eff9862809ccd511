#include "inspector/program_diff/detail/partition_diff.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace et::inspector::program_diff::detail {
namespace {

using program::Method;

/// Maximum number of backends reported; far above any real program.
constexpr std::size_t maxBackends = 64;

bool isOperator(const Step& step, const Method& method) {
    return std::holds_alternative<program::KernelCall>(method.chains[step.chain].instructions[step.number]);
}

/// Delegate calls of one side by backend, as instruction indices.
using CallsByBackend = std::map<std::string_view, std::vector<std::size_t>>;

CallsByBackend callsOf(const StepList& list) {
    CallsByBackend calls;
    for (std::size_t i = 0; i < list.steps.size(); ++i) {
        if (list.steps[i].delegate) {
            calls[list.steps[i].kind].push_back(i);
        }
    }
    return calls;
}

/// Counts the steps between the first and last call of a backend, except its own calls.
void countBetween(const StepList& list, const std::vector<std::size_t>& calls, TwoCounts& counts,
                  AddCount add) {
    for (std::size_t i = calls.front(); i < calls.back(); ++i) {
        if (list.steps[i].kind != list.steps[calls.front()].kind) {
            (counts.*add)(list.steps[i].kind, 1);
        }
    }
}

}  // namespace

void countOperators(const StepList& list, const Method& method, TwoCounts& counts, AddCount add) {
    for (const Step& step : list.steps) {
        if (isOperator(step, method)) {
            (counts.*add)(step.kind, 1);
        }
    }
}

std::vector<PartitionDiff> diffPartitions(const StepList& before, const StepList& after) {
    const CallsByBackend left = callsOf(before);
    const CallsByBackend right = callsOf(after);
    std::set<std::string_view> backends;
    std::ranges::copy(left | std::views::keys, std::inserter(backends, backends.end()));
    std::ranges::copy(right | std::views::keys, std::inserter(backends, backends.end()));
    std::vector<PartitionDiff> out;
    for (const std::string_view backend : backends | std::views::take(maxBackends)) {
        PartitionDiff diff{.backend = std::string(backend), .calls = {}, .between = {}};
        TwoCounts between;
        if (const auto found = left.find(backend); found != left.end()) {
            diff.calls.before = found->second.size();
            countBetween(before, found->second, between, &TwoCounts::addBefore);
        }
        if (const auto found = right.find(backend); found != right.end()) {
            diff.calls.after = found->second.size();
            countBetween(after, found->second, between, &TwoCounts::addAfter);
        }
        diff.between = between.list();
        out.push_back(std::move(diff));
    }
    return out;
}

}  // namespace et::inspector::program_diff::detail
