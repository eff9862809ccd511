#include "inspector/findings/detail/facts.h"

#include "backends/builtin.h"
#include "inspector/delegates/times.h"
#include "inspector/format/time_scale.h"
#include "inspector/names/instruction_name.h"
#include "inspector/names/operator_names.h"
#include "inspector/session/trace_check.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace et::inspector::detail {
namespace {

template <class Kind>
const Kind* callAt(std::span<const program::Instruction> instructions, core::InstructionId at) {
    const auto place = static_cast<std::size_t>(at.value);
    return at.value < 0 || place >= instructions.size() ? nullptr : std::get_if<Kind>(&instructions[place]);
}

const MethodDelegates* delegatesOf(const Facts& facts, const program::Method& method) {
    if (!facts.delegation) {
        return nullptr;
    }
    const auto found = std::ranges::find(facts.delegation->methods, &method, &MethodDelegates::method);
    return found == facts.delegation->methods.end() ? nullptr : &*found;
}

MethodFacts factsOf(Facts& facts, const program::Method& method, bool onlyMethod) {
    MethodFacts out{.method = &method,
                    .delegates = delegatesOf(facts, method),
                    .nodes = InstructionNodes(facts.session.recordOfProgram(), method.name)};
    if (auto memory = MemoryTimeline::build(method, facts.session.program->namedData)) {
        out.memory = *std::move(memory);
    } else {
        facts.warnings.push_back(memory.error().toString());
    }
    const EventBlocks* const blocks = facts.session.blocks.get();
    if (blocks != nullptr && !contradiction(*blocks, method, onlyMethod)) {
        out.times = instructionTimes(*blocks, method, onlyMethod);
        const bool timed = out.delegates != nullptr && out.delegates->times;
        out.total = timed ? out.delegates->times->total : 0;
    }
    return out;
}

}  // namespace

std::span<const program::Instruction> MethodFacts::instructions() const {
    return method->chains.empty() ? std::span<const program::Instruction>()
                                  : method->chains.front().instructions;
}

double MethodFacts::timeOf(core::InstructionId instruction) const {
    const auto found = times.find(instruction);
    return found == times.end() ? 0 : found->second;
}

std::string MethodFacts::nameOf(core::InstructionId instruction) const {
    if (const auto* const kernel = kernelCall(instruction)) {
        const std::string full = method->op(kernel->op).fullName();
        const std::string_view shortName = kernelOperator(full);
        return std::string(shortName.empty() ? full : shortName);
    }
    return instructionLabel(*method, instructions()[static_cast<std::size_t>(instruction.value)]);
}

const program::DelegateCall* MethodFacts::delegateCall(core::InstructionId instruction) const {
    return callAt<program::DelegateCall>(instructions(), instruction);
}

const program::KernelCall* MethodFacts::kernelCall(core::InstructionId instruction) const {
    return callAt<program::KernelCall>(instructions(), instruction);
}

const Event* mostSampled(const EventBlocks& blocks, std::string_view name) {
    const Event* most = nullptr;
    for (const Block& block : blocks.blocks()) {
        for (const Event& event : block.events) {
            if (event.name == name && event.samples.size() > (most != nullptr ? most->samples.size() : 0)) {
                most = &event;
            }
        }
    }
    return most;
}

void Facts::weigh(Finding& finding, double time, double whole) const {
    const TimeScale scale = session.blocks->options().target;
    finding.unit = scale == TimeScale::Cycles ? FindingUnit::Cycles : FindingUnit::Nanoseconds;
    finding.weight = scale == TimeScale::Cycles ? time : time * ticksPerUnit(TimeScale::Nanoseconds, scale);
    finding.share = whole > 0 ? std::clamp(time / whole, 0.0, 1.0) : 0;
}

std::string Facts::timeText(double time) const {
    Finding finding;
    weigh(finding, time, 0);
    return weightText(finding);
}

const Event* Facts::execution() const {
    return session.blocks == nullptr ? nullptr : mostSampled(*session.blocks, methodExecute);
}

void join(Facts& facts) {
    const Session& session = facts.session;
    facts.files = belonging(session);
    if (session.program == nullptr) {
        return;
    }
    auto report = inspector::delegatesOf({.program = *session.program,
                                          .backends = backends::describable(),
                                          .record = session.record.get(),
                                          .blocks = session.blocks.get()});
    if (report) {
        facts.delegation = *std::move(report);
    } else {
        facts.warnings.push_back(report.error().toString());
    }
    const auto& methods = session.program->methods;
    for (const program::Method& method : methods) {
        facts.methods.push_back(factsOf(facts, method, methods.size() == 1));
    }
}

}  // namespace et::inspector::detail
