#include "app/tasks/shapes/temporary_watch.h"

#include <fmt/format.h>

namespace et::tasks {

core::TraceName TemporaryWatch::name(std::string_view text) {
    names.emplace_back(text);
    return core::TraceName(static_cast<std::uint32_t>(names.size() - 1));
}

void TemporaryWatch::profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t, std::uint64_t,
                             core::Bytes) {
    if (method == nullptr || ids.instruction < 0) {
        return;
    }
    const std::uint64_t now = method->memory().temporaryPeak;
    if (now > peak) {
        peak = now;
        owner = fmt::format("{} (instruction {})", names[event.value], ids.instruction);
    }
}

}  // namespace et::tasks
