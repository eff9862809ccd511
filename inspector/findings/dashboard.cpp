#include "inspector/findings/dashboard.h"

#include "inspector/events/event_rows.h"
#include "inspector/findings/detail/dashboard_parts.h"
#include "inspector/format/quantities.h"
#include "inspector/join/instruction_keys.h"
#include "inspector/memory/measured_memory.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

namespace et::inspector {
namespace {

using events::EventRow;
using findings::detail::MethodInput;
using format::Meaning;
using join::detail::InstructionKey;

constexpr std::array partTable{RunPartInfo{RunPart::Delegated, "delegated", "delegated", Meaning::Delegate},
                               RunPartInfo{RunPart::Kernels, "kernels", "kernel", Meaning::Kernel},
                               RunPartInfo{RunPart::Copies, "copies", "copy", Meaning::Copy},
                               RunPartInfo{RunPart::Overhead, "overhead", "overhead", Meaning::Idle}};

/// Updates what ran an instruction from its events; a kernel's own event is more specific than the call
/// around it.
void learn(RunStep& step, const Event& event) {
    const std::string_view kernel = names::detail::kernelOperator(event.name);
    if (event.delegated || event.name == names::detail::delegateCall) {
        step.part = RunPart::Delegated;
        step.name =
            event.backend.empty() ? std::string(names::detail::delegateCall) : std::string(event.backend);
    } else if (!kernel.empty()) {
        step.part = isDataMovement(kernel) ? RunPart::Copies : RunPart::Kernels;
        step.name = kernel;
    } else if (step.name.empty()) {
        step.part = event.name == names::detail::operatorCall ? RunPart::Kernels : RunPart::Overhead;
        step.name = event.name;
    }
}

/// Splits the block's execution; empty if it ran no instruction.
std::optional<RunSplit> computeSplit(const Block& block, const events::BlockTime& time,
                                     std::span<const EventRow> rows) {
    std::map<InstructionKey, RunStep> steps;
    const EventRow* execution = nullptr;
    for (const EventRow& row : rows) {
        if (row.event->name == names::detail::methodExecute && !row.event->samples.empty()) {
            execution = &row;
        } else if (join::detail::isOfInstruction(*row.event) && !row.event->samples.empty()) {
            RunStep& step = steps[{row.event->chain, row.event->instruction}];
            step.chain = row.event->chain;
            step.instruction = row.event->instruction;
            step.time += row.typicalSelf / static_cast<double>(time.runs);
            learn(step, *row.event);
        }
    }
    if (steps.empty()) {
        return std::nullopt;
    }
    const double whole = execution != nullptr ? execution->typical : time.typical;
    RunSplit split{.block = std::string(block.name),
                   .method = block.method,
                   .runs = time.runs,
                   .total = whole / static_cast<double>(time.runs)};
    if (execution != nullptr) {
        split.samples.assign(execution->event->samples.begin(), execution->event->samples.end());
    }
    double known = 0;
    for (auto& [place, step] : steps) {
        split.parts[static_cast<std::size_t>(step.part)] += step.time;
        known += step.time;
        split.steps.push_back(std::move(step));
    }
    // Because of clock rounding, instructions may sum to more than their execution.
    split.total = std::max(split.total, known);
    split.parts[static_cast<std::size_t>(RunPart::Overhead)] += split.total - known;
    return split;
}

MethodMemory memoryOf(const MethodInput& method, const Session& session) {
    MethodMemory out{.method = std::string(method.method->name), .planned = method.method->plannedBytes()};
    const auto add = [&](std::string name, std::uint64_t bytes, bool measured) {
        if (bytes > 0) {
            out.parts.push_back({.name = std::move(name), .bytes = bytes, .measured = measured});
        }
    };
    add("planned", out.planned, false);
    if (method.memory) {
        out.peak = method.memory->peakBytes();
        add("constants", method.memory->constantBytes(), false);
        add("payloads and weights of the delegates", method.memory->delegateBytes(), false);
        add("inputs and outputs held by the caller", method.memory->callerBytes, false);
    }
    for (const MeasuredBytes& each : newestMeasured(session, *method.method)) {
        add(describe(each), each.bytes, true);
    }
    return out;
}

MethodSteps stepsOf(const MethodInput& method) {
    MethodSteps out{.method = std::string(method.method->name)};
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(method.instructions().size()); ++i) {
        const core::InstructionId at(i);
        const std::string name = method.nameOf(at);
        const RunPart part = method.delegateCall(at) != nullptr ? RunPart::Delegated
                             : method.kernelCall(at) == nullptr ? RunPart::Overhead
                             : isDataMovement(name)             ? RunPart::Copies
                                                                : RunPart::Kernels;
        out.steps.push_back(
            {.chain = 0, .instruction = at, .part = part, .name = name, .time = method.timeOf(at)});
    }
    return out;
}

}  // namespace

std::span<const RunPartInfo> runParts() {
    return partTable;
}

std::vector<MeasuredBytes> newestMeasured(const Session& session, const program::Method& method) {
    for (const OtherTrace& other : std::views::reverse(session.others)) {
        if (auto measured = measuredMemory(*other.trace, method); !measured.empty()) {
            return measured;
        }
    }
    return session.trace == nullptr ? std::vector<MeasuredBytes>() : measuredMemory(*session.trace, method);
}

std::vector<RunSplit> runSplits(const EventBlocks& blocks) {
    const events::EventRows rows = events::eventRows(blocks);
    std::vector<RunSplit> splits;
    for (std::size_t i = 0; i < rows.blocks.size(); ++i) {
        const events::BlockTime& time = rows.blocks[i];
        auto split = computeSplit(blocks.blocks()[i], time,
                                  std::span(rows.rows).subspan(time.firstRow, time.rowCount));
        if (split && split->total > 0) {
            splits.push_back(*std::move(split));
        }
    }
    std::ranges::stable_sort(splits, std::ranges::greater{}, &RunSplit::runs);
    return splits;
}

std::string describe(const RunSplit& split) {
    constexpr double leastShown = 0.0005;
    std::vector<std::string> texts;
    for (const RunPartInfo& each : partTable) {
        const double share = split.parts[static_cast<std::size_t>(each.part)] / split.total;
        if (share >= leastShown) {
            texts.push_back(fmt::format("{} {}", format::readablePercent(share), each.name));
        }
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

namespace findings::detail {

Dashboard makeDashboard(const RuleInput& input) {
    Dashboard all;
    const Session& session = input.session;
    if (session.blocks != nullptr) {
        all.scale = session.blocks->options().target;
        all.runs = runSplits(*session.blocks);
    }
    for (const MethodInput& method : input.methods) {
        all.memory.push_back(memoryOf(method, session));
        all.methods.push_back(stepsOf(method));
    }
    if (all.methods.empty() && !all.runs.empty()) {
        all.methods.push_back({.method = all.runs.front().method, .steps = all.runs.front().steps});
    }
    // Constant methods have no instructions and are never executed.
    std::erase_if(all.methods, [](const MethodSteps& each) { return each.steps.empty(); });
    std::erase_if(all.memory, [](const MethodMemory& each) { return each.parts.empty(); });
    return all;
}

}  // namespace findings::detail

}  // namespace et::inspector
