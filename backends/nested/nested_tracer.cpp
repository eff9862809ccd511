#include "backends/nested/nested_tracer.h"

#include "backends/nested/describe.h"
#include "runtime/core/event_names.h"
#include "runtime/executor/instruction_name.h"

#include <fmt/format.h>

namespace et::backends::nested {
namespace {

constexpr std::string_view nodeMark = " #";

}  // namespace

std::string_view nodeOfEvent(std::string_view eventName) {
    const std::size_t at = eventName.rfind(nodeMark);
    return at == std::string_view::npos ? std::string_view{} : eventName.substr(at + nodeMark.size());
}

void NestedTracer::setCall(const executor::DelegateCallContext& context) {
    if (context.tracer != nullptr && context.tracer != receiver) {
        unnamed = context.tracer->name("");
    }
    receiver = context.tracer;
    call = context.ids;
    reported = {.chain = -1};
}

core::TraceName NestedTracer::name(std::string_view text) {
    const auto found = names.find(text);
    const auto next = static_cast<std::uint32_t>(names.size());
    return core::TraceName(found != names.end() ? found->second
                                                : names.emplace(std::string(text), next).first->second);
}

void NestedTracer::profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start,
                           std::uint64_t end, core::Bytes metadata) {
    if (ids.chain < 0) {
        return;
    }
    Place place{.chain = ids.chain, .instruction = ids.instruction, .inner = std::string(ids.delegateString)};
    const bool isInner = !ids.delegateString.empty() || ids.delegateInt >= 0;
    if (ids.delegateInt >= 0) {
        place.inner = fmt::to_string(ids.delegateInt);
    }
    const auto isEvent = [&](std::string_view text) {
        const auto found = names.find(text);
        return found != names.end() && found->second == event.value;
    };
    const bool wasReported = reported.chain == place.chain && reported.instruction == place.instruction;
    if (!isInner && (isEvent(core::event_name::operatorCall) ||
                     (isEvent(core::event_name::delegateCall) && wasReported))) {
        return;
    }
    if (isInner) {
        reported = {.chain = place.chain, .instruction = place.instruction};
    }
    core::TraceIds own = call;
    own.delegateString = textOf(place);
    receiver->profile(unnamed, own, start, end, isInner ? metadata : core::Bytes());
}

const std::string& NestedTracer::textOf(const Place& place) {
    const auto [known, isNew] = texts.try_emplace(place);
    if (isNew) {
        const auto chain = static_cast<std::size_t>(place.chain);
        const auto instruction = static_cast<std::size_t>(place.instruction);
        const std::string node = nodeName(chain, instruction);
        known->second = place.inner.empty()
                            ? fmt::format("{}{}{}",
                                          executor::instructionLabel(
                                              method, method.chains[chain].instructions[instruction]),
                                          nodeMark, node)
                            : fmt::format("{} ({})", place.inner, node);
    }
    return known->second;
}

}  // namespace et::backends::nested
