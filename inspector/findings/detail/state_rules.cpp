#include "inspector/findings/detail/rules.h"
#include "inspector/memory/cache_tensors.h"
#include "inspector/session/first_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::inspector::findings::detail {
namespace {

/// Enough for any buffer; the tensors of a record are read one at a time.
constexpr std::uint64_t maxRecordBytes = std::uint64_t{8} << 30;
/// Rank of a buffer that may start at zero on purpose.
constexpr double lowShare = 0.01;

const PlannedTensor* plannedAt(const MethodInput& method, program::ValueId value) {
    if (!method.memory) {
        return nullptr;
    }
    const auto found = std::ranges::find_if(method.memory->tensors, [&](const PlannedTensor& each) {
        return each.value == value || std::ranges::contains(each.aliases, value);
    });
    return found == method.memory->tensors.end() ? nullptr : &*found;
}

std::string typeAt(const MethodInput& method, program::ValueId value) {
    const PlannedTensor* const tensor = plannedAt(method, value);
    return tensor == nullptr ? std::string("a tensor") : tensor->type;
}

void addStatePlace(const MethodInput& method, program::ValueId value, Finding& finding) {
    finding.method = method.method->name;
    const PlannedTensor* const tensor = plannedAt(method, value);
    if (tensor != nullptr && tensor->producer && tensor->producer->chain == 0) {
        finding.instructions.push_back(tensor->producer->instruction);
        finding.handles = method.nodes.handlesOf(tensor->producer->instruction);
    }
}

void addLost(const MethodInput& method, const LostFirstValues& lost, Findings& out) {
    Finding finding;
    finding.share = 1;  // results are wrong
    addStatePlace(method, lost.value, finding);
    finding.title = fmt::format("the program has no first values for buffer `{}` of `{}` ({})",
                                core::printable(lost.buffer), core::printable(method.method->name),
                                typeAt(method, lost.value));
    finding.explanation = fmt::format(
        "Its memory starts at zero, but its values in the ETRecord are not zero, so results differ from the "
        "model. {}",
        remedyForFirstValues());
    out.push_back(std::move(finding));
}

/// Without a record, nothing shows whether the model needs other first values than zero.
void addUnknown(const MethodInput& method, Findings& out) {
    std::vector<program::ValueId> state = stateStartingAtZero(*method.method);
    if (method.memory) {
        constexpr std::uint64_t unknownContext = 0;
        for (const CacheTensor& cache : cacheTensors(*method.memory, unknownContext)) {
            std::erase(state, cache.value);
        }
    }
    if (state.empty()) {
        return;
    }
    Finding finding;
    finding.share = lowShare;
    addStatePlace(method, state.front(), finding);
    const std::string which = state.size() == 1
                                  ? fmt::format("a mutable buffer ({})", typeAt(method, state.front()))
                                  : fmt::format("{} mutable buffers", state.size());
    finding.title = fmt::format("the program has no first values for {} of `{}`", which,
                                core::printable(method.method->name));
    finding.explanation = fmt::format(
        "Memory starts at zero, which is right for caches. If the model starts with other values, results "
        "differ; add the ETRecord to compare them. {}",
        remedyForFirstValues());
    out.push_back(std::move(finding));
}

}  // namespace

void findLostFirstValues(const RuleInput& input, Findings& out) {
    const etrecord::Record* const record = input.session.record.get();
    for (const MethodInput& method : input.methods) {
        const auto lost =
            record == nullptr || record->edgeGraph(method.method->name) == nullptr
                ? std::nullopt
                : std::optional(inspector::findLostFirstValues(*record, *method.method, maxRecordBytes));
        if (!lost || !*lost) {
            addUnknown(method, out);
            continue;
        }
        for (const LostFirstValues& each : **lost) {
            addLost(method, each, out);
        }
    }
}

}  // namespace et::inspector::findings::detail
