#include "app/serve/run_tracer.h"

namespace et::serve {

void RunTracer::mute() {
    target = nullptr;
    choice = {};
    names = {};
}

core::TraceName RunTracer::name(std::string_view text) {
    if (target == nullptr) {
        return {};
    }
    const core::TraceName number = target->name(text);
    if (number.value >= names.size()) {
        names.resize(number.value + std::size_t{1});
    }
    names[number.value] = text;
    return number;
}

void RunTracer::beginRun(std::string_view blockName) {
    if (target != nullptr) {
        target->beginRun(blockName);
    }
}

void RunTracer::endRun() {
    if (target != nullptr) {
        target->endRun();
    }
}

void RunTracer::profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start,
                        std::uint64_t end, core::Bytes metadata) {
    if (target != nullptr) {
        target->profile(event, ids, start, end, metadata);
    }
}

std::uint32_t RunTracer::allocator(std::string_view text) {
    return target == nullptr ? 0 : target->allocator(text);
}

void RunTracer::allocation(std::uint32_t allocatorId, std::uint64_t bytes) {
    if (target != nullptr) {
        target->allocation(allocatorId, bytes);
    }
}

core::DebugLevel RunTracer::debugLevel() const {
    return target == nullptr ? core::DebugLevel::None : target->debugLevel();
}

bool RunTracer::wantsDebug(core::TraceName event, const core::TraceIds& ids) {
    if (target == nullptr || choice.noCalls || !target->wantsDebug(event, ids)) {
        return false;
    }
    return choice.calls.empty() || choice.calls.matchesInstruction(ids.instruction) ||
           (event.value < names.size() && choice.calls.matchesName(names[event.value]));
}

void RunTracer::debug(core::TraceName event, const core::TraceIds& ids, core::Value& value,
                      bool methodOutput) {
    if (target != nullptr) {
        target->debug(event, ids, value, methodOutput);
    }
}

void RunTracer::tapSite(const core::TapSite& next) {
    if (target != nullptr) {
        target->tapSite(next);
    }
}

void RunTracer::tap(const core::TraceIds& ids, core::Value& value) {
    if (target != nullptr) {
        target->tap(ids, value);
    }
}

void RunTracer::tapped(const core::TapReport& report) {
    if (target != nullptr) {
        target->tapped(report);
    }
}

}  // namespace et::serve
