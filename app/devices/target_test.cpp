#include "app/devices/target_test.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::devices {

core::Result<TargetTest> testTarget(const Target& target, const std::atomic<bool>* cancel) {
    constexpr int rounds = 5;
    if (target.reach == Reach::Command) {
        return core::fail(core::ErrorCode::Unsupported,
                          fmt::format("{} runs models with commands: test it with 'et-inspect run --on {}'",
                                      titleOf(target), titleOf(target)));
    }
    TargetTest test;
    const std::uint64_t start = core::EventTracer::now();
    ET_ASSIGN(AgentLink link, AgentLink::open(target, cancel));
    test.connectNanoseconds = core::EventTracer::now() - start;
    test.roundTripNanoseconds = UINT64_MAX;
    for (int i = 0; i < rounds; ++i) {
        const std::uint64_t asked = core::EventTracer::now();
        ET_ASSIGN(const wire::Frame answer, link.ask(wire::FrameKind::Describe, {}));
        test.roundTripNanoseconds = std::min(test.roundTripNanoseconds, core::EventTracer::now() - asked);
        ET_ASSIGN(test.device, wire::decode<wire::DeviceDescription>(answer.body));
    }
    test.sentBytes = link.info().sentBytes;
    return test;
}

}  // namespace et::devices
