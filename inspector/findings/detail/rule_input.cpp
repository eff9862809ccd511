#include "inspector/findings/detail/rule_input.h"

#include "backends/builtin.h"
#include "inspector/delegates/times.h"
#include "inspector/events/readable_name.h"
#include "inspector/format/time_scale.h"
#include "inspector/names/operator_names.h"
#include "inspector/session/trace_check.h"
#include "runtime/executor/instruction_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace et::inspector::findings::detail {
namespace {

template <class Kind>
const Kind* callAt(std::span<const program::Instruction> instructions, core::InstructionId at) {
    const auto place = static_cast<std::size_t>(at.value);
    return at.value < 0 || place >= instructions.size() ? nullptr : std::get_if<Kind>(&instructions[place]);
}

const MethodDelegates* delegatesOf(const RuleInput& input, const program::Method& method) {
    if (!input.delegation) {
        return nullptr;
    }
    const auto found = std::ranges::find(input.delegation->methods, &method, &MethodDelegates::method);
    return found == input.delegation->methods.end() ? nullptr : &*found;
}

MethodInput infoOf(RuleInput& input, const program::Method& method, bool onlyMethod) {
    MethodInput out{.method = &method,
                    .delegates = delegatesOf(input, method),
                    .nodes = InstructionNodes(input.session.recordOfProgram(), method.name)};
    if (auto memory = MemoryTimeline::build(*input.session.program, method)) {
        out.memory = *std::move(memory);
    } else {
        input.warnings.push_back(memory.error().toString());
    }
    const EventBlocks* const blocks = input.session.blocks.get();
    if (blocks != nullptr && !contradiction(*blocks, method, onlyMethod)) {
        out.times = instructionTimes(*blocks, method, onlyMethod);
        const bool timed = out.delegates != nullptr && out.delegates->times;
        out.total = timed ? out.delegates->times->total : 0;
    }
    return out;
}

}  // namespace

std::span<const program::Instruction> MethodInput::instructions() const {
    return method->chains.empty() ? std::span<const program::Instruction>()
                                  : method->chains.front().instructions;
}

double MethodInput::timeOf(core::InstructionId instruction) const {
    const auto found = times.find(instruction);
    return found == times.end() ? 0 : found->second;
}

std::string MethodInput::nameOf(core::InstructionId instruction) const {
    if (const auto* const kernel = kernelCall(instruction)) {
        const std::string full = method->op(kernel->op).fullName();
        const std::string_view shortName = names::detail::kernelOperator(full);
        return std::string(shortName.empty() ? full : shortName);
    }
    return executor::instructionLabel(*method, instructions()[static_cast<std::size_t>(instruction.value)]);
}

const program::DelegateCall* MethodInput::delegateCall(core::InstructionId instruction) const {
    return callAt<program::DelegateCall>(instructions(), instruction);
}

const program::KernelCall* MethodInput::kernelCall(core::InstructionId instruction) const {
    return callAt<program::KernelCall>(instructions(), instruction);
}

const Event* maxSampled(const EventBlocks& blocks, std::string_view name) {
    const Event* max = nullptr;
    for (const Block& block : blocks.blocks()) {
        for (const Event& event : block.events) {
            if (event.name == name && event.samples.size() > (max != nullptr ? max->samples.size() : 0)) {
                max = &event;
            }
        }
    }
    return max;
}

void locate(const Block& block, const Event& event, Finding& finding) {
    finding.method = block.method;
    if (event.chain == 0 && event.instruction.value >= 0) {
        finding.instructions.push_back(event.instruction);
    }
    finding.handles.assign(event.handles.begin(), event.handles.end());
}

std::string operatorText(const Block& block, const Event& event) {
    return fmt::format("`{}`", core::printable(events::readableName(block, event)));
}

void RuleInput::weigh(Finding& finding, double time, double whole) const {
    const TimeScale scale = session.blocks->options().target;
    finding.unit = scale == TimeScale::Cycles ? FindingUnit::Cycles : FindingUnit::Nanoseconds;
    finding.weight = scale == TimeScale::Cycles ? time : time * ticksPerUnit(TimeScale::Nanoseconds, scale);
    finding.share = whole > 0 ? std::clamp(time / whole, 0.0, 1.0) : 0;
}

std::string RuleInput::timeText(double time) const {
    Finding finding;
    weigh(finding, time, 0);
    return weightText(finding);
}

const Event* RuleInput::execution() const {
    return session.blocks == nullptr ? nullptr : maxSampled(*session.blocks, names::detail::methodExecute);
}

void fill(RuleInput& input) {
    const Session& session = input.session;
    input.files = belonging(session);
    input.language = languageInput(session);
    if (session.program == nullptr) {
        return;
    }
    auto report = inspector::delegatesOf({.program = *session.program,
                                          .backends = backends::describable(),
                                          .record = session.record.get(),
                                          .blocks = session.blocks.get()});
    if (report) {
        input.delegation = *std::move(report);
    } else {
        input.warnings.push_back(report.error().toString());
    }
    const auto& methods = session.program->methods;
    for (const program::Method& method : methods) {
        input.methods.push_back(infoOf(input, method, methods.size() == 1));
    }
}

}  // namespace et::inspector::findings::detail
