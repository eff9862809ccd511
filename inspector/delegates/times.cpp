#include "inspector/delegates/times.h"

#include "inspector/events/event_rows.h"
#include "inspector/join/instruction_keys.h"
#include "inspector/names/operator_names.h"
#include "inspector/session/trace_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

using join::detail::InstructionKey;

/// Typical times (medians) of instructions, over all runs of some blocks.
struct Measured {
    std::map<InstructionKey, double> instructions;
    std::size_t runs = 0;
    double total = 0;
};

/// Adds the block's execution, if it is one: a block may also load the method.
void addBlock(std::span<const events::EventRow> rows, const events::BlockTime& time, Measured& measured) {
    if (std::ranges::none_of(
            rows, [](const events::EventRow& row) { return join::detail::isOfInstruction(*row.event); })) {
        return;
    }
    double total = time.typical;
    for (const events::EventRow& row : rows) {
        if (join::detail::isOfInstruction(*row.event)) {
            measured.instructions[{row.event->chain, row.event->instruction}] += row.typicalSelf;
        } else if (row.event->name == names::detail::methodExecute) {
            total = row.typical;
        }
    }
    measured.total += total;
    measured.runs += time.runs;
}

Measured measuredBlocks(const EventBlocks& blocks, const program::Method& method, bool onlyMethod) {
    const events::EventRows rows = events::eventRows(blocks);
    Measured measured;
    for (std::size_t i = 0; i < rows.blocks.size(); ++i) {
        if (join::detail::isOf(blocks.blocks()[i], method, onlyMethod)) {
            const events::BlockTime& time = rows.blocks[i];
            addBlock(std::span(rows.rows).subspan(time.firstRow, time.rowCount), time, measured);
        }
    }
    return measured;
}

}  // namespace

void measure(MethodDelegates& method, const EventBlocks& blocks, bool onlyMethod,
             std::vector<std::string>& warnings) {
    if (const auto wrong = contradiction(blocks, *method.method, onlyMethod)) {
        warnings.push_back(fmt::format(
            "the trace belongs to another program or method than \"{}\": {}; its times are omitted",
            core::printable(method.method->name), *wrong));
        return;
    }
    const Measured measured = measuredBlocks(blocks, *method.method, onlyMethod);
    if (measured.runs == 0) {
        return;
    }
    const auto runs = static_cast<double>(measured.runs);
    DelegationTimes times{.runs = measured.runs, .total = measured.total / runs};
    for (const auto& [place, time] : measured.instructions) {
        const auto* instruction = join::detail::instructionAt(*method.method, place);
        if (instruction == nullptr) {
            continue;  // only debug events, which have no time
        }
        if (const auto* call = std::get_if<program::DelegateCall>(instruction)) {
            times.delegated += time / runs;
            auto& calls = method.delegates[call->delegate.value].calls;
            const auto site = std::ranges::find_if(calls, [&](const DelegateCallSite& each) {
                return InstructionKey(static_cast<std::int64_t>(each.chain), each.instruction) == place;
            });
            site->time = time / runs;
        } else if (std::holds_alternative<program::KernelCall>(*instruction)) {
            times.undelegated += time / runs;
        }
    }
    method.times = times;
}

std::map<core::InstructionId, double> instructionTimes(const EventBlocks& blocks,
                                                       const program::Method& method, bool onlyMethod) {
    const Measured measured = measuredBlocks(blocks, method, onlyMethod);
    std::map<core::InstructionId, double> times;
    for (const auto& [place, time] : measured.instructions) {
        if (place.first == 0 && measured.runs > 0) {
            times[place.second] = time / static_cast<double>(measured.runs);
        }
    }
    return times;
}

}  // namespace et::inspector
