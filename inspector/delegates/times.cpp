#include "inspector/delegates/times.h"

#include "inspector/detail/operator_names.h"
#include "inspector/report/event_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

using Place = std::pair<std::int64_t, core::InstructionId>;  ///< chain, instruction

/// Time of instructions, over all runs of some blocks.
struct Measured {
    std::map<Place, double> instructions;
    std::size_t runs = 0;
    double total = 0;
};

bool isOf(const Block& block, const program::Method& method, bool onlyMethod) {
    return block.method.empty() ? onlyMethod : block.method == method.name;
}

bool isOfInstruction(const Event& event) {
    return event.instruction.value >= 0 && !detail::isFrameworkEvent(event.name);
}

/// The block's execution, when it is one: a block may also have loaded the method.
void addBlock(std::span<const report::EventRow> rows, const report::BlockTime& time, Measured& measured) {
    if (std::ranges::none_of(rows, [](const report::EventRow& row) { return isOfInstruction(*row.event); })) {
        return;
    }
    double total = time.total;
    for (const report::EventRow& row : rows) {
        if (isOfInstruction(*row.event)) {
            measured.instructions[{row.event->chain, row.event->instruction}] += row.self;
        } else if (row.event->name == detail::methodExecute) {
            total = row.total;
        }
    }
    measured.total += total;
    measured.runs += time.runs;
}

Measured measuredBlocks(const EventBlocks& blocks, const program::Method& method, bool onlyMethod) {
    const report::EventRows rows = report::eventRows(blocks);
    Measured measured;
    for (std::size_t i = 0; i < rows.blocks.size(); ++i) {
        if (isOf(blocks.blocks()[i], method, onlyMethod)) {
            const report::BlockTime& time = rows.blocks[i];
            addBlock(std::span(rows.rows).subspan(time.firstRow, time.rowCount), time, measured);
        }
    }
    return measured;
}

/// The instruction of that place; null where the program has none.
const program::Instruction* instructionAt(const program::Method& method, const Place& place) {
    const auto [chain, instruction] = place;
    if (chain < 0 || static_cast<std::size_t>(chain) >= method.chains.size()) {
        return nullptr;
    }
    const auto& instructions = method.chains[static_cast<std::size_t>(chain)].instructions;
    const auto at = static_cast<std::size_t>(instruction.value);
    return at < instructions.size() ? &instructions[at] : nullptr;
}

/// The first contradiction between what ran and what the program says.
std::optional<std::string> contradiction(const EventBlocks& blocks, const program::Method& method,
                                         bool onlyMethod) {
    for (const Block& block : blocks.blocks()) {
        for (const Event& event : block.events) {
            if (!isOf(block, method, onlyMethod) || !isOfInstruction(event) || event.samples.empty()) {
                continue;
            }
            const auto* instruction = instructionAt(method, {event.chain, event.instruction});
            const bool delegate =
                instruction != nullptr && std::holds_alternative<program::DelegateCall>(*instruction);
            const bool delegateRan = event.delegated || event.name == detail::delegateCall;
            if (instruction == nullptr || delegate != delegateRan) {
                return fmt::format("\"{}\" ran at instruction {}, where the program has {}",
                                   core::printable(event.name), event.instruction.value,
                                   instruction == nullptr ? "none" : program::instructionName(*instruction));
            }
        }
    }
    return std::nullopt;
}

}  // namespace

void measure(MethodDelegates& method, const EventBlocks& blocks, bool onlyMethod,
             std::vector<std::string>& warnings) {
    if (const auto wrong = contradiction(blocks, *method.method, onlyMethod)) {
        warnings.push_back(
            fmt::format("the trace is of another program or method than \"{}\": {}; its times are left out",
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
        const auto* instruction = instructionAt(*method.method, place);
        if (instruction == nullptr) {
            continue;  // of debug events alone, which take no time
        }
        if (const auto* call = std::get_if<program::DelegateCall>(instruction)) {
            times.delegated += time / runs;
            auto& calls = method.delegates[call->delegate.value].calls;
            const auto site = std::ranges::find_if(calls, [&](const DelegateCallSite& each) {
                return Place(static_cast<std::int64_t>(each.chain), each.instruction) == place;
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
