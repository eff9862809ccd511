#include "app/tasks/compare/operator_curves.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace et::tasks {

using inspector::Measurement;
using inspector::OperatorKind;
using inspector::OperatorTimes;

namespace {

/// Identifies an operator within its run: kind, position, name, and the number of equal ones before it.
using OperatorKey = std::tuple<OperatorKind, std::int64_t, core::InstructionId, std::string, std::size_t>;

/// Excludes delegate calls whose operators are listed individually.
std::map<OperatorKey, const OperatorTimes*> operatorsOf(const Measurement& measurement) {
    std::map<OperatorKey, const OperatorTimes*> all;
    if (measurement.methods.empty()) {
        return all;
    }
    const std::vector<OperatorTimes>& operators = measurement.methods.front().operators;
    const auto hasParts = [&](const OperatorTimes& call) {
        return std::ranges::any_of(operators, [&](const OperatorTimes& part) {
            return part.kind == OperatorKind::DelegatedOperator && part.chain == call.chain &&
                   part.instruction == call.instruction;
        });
    };
    for (const OperatorTimes& each : operators) {
        const bool counts = each.kind == OperatorKind::Kernel ||
                            each.kind == OperatorKind::DelegatedOperator ||
                            (each.kind == OperatorKind::DelegateCall && !hasParts(each));
        std::size_t before = 0;
        while (counts &&
               !all.try_emplace({each.kind, each.chain, each.instruction, each.name, before}, &each).second) {
            ++before;
        }
    }
    return all;
}

}  // namespace

double computeMedian(std::vector<double> samples) {
    if (samples.empty()) {
        return 0;
    }
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::ranges::nth_element(samples, middle);
    return *middle;
}

std::vector<OperatorMedians> operatorMedians(std::span<const Measurement* const> measurements) {
    std::vector<std::map<OperatorKey, const OperatorTimes*>> known;
    std::ranges::transform(measurements, std::back_inserter(known),
                           [](const Measurement* each) { return operatorsOf(*each); });
    std::vector<OperatorMedians> all;
    if (known.empty()) {
        return all;
    }
    for (const auto& [key, first] : known.front()) {
        OperatorMedians one{.name = first->name,
                            .backend = first->backend,
                            .module = first->module,
                            .chain = first->chain,
                            .instruction = first->instruction.value};
        for (const auto& operators : known) {
            const auto found = operators.find(key);
            if (found == operators.end()) {
                break;
            }
            one.medians.push_back(computeMedian(found->second->samples));
        }
        if (one.medians.size() == measurements.size()) {
            all.push_back(std::move(one));
        }
    }
    return all;
}

}  // namespace et::tasks
