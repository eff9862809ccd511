#include "app/tasks/machine/machine_source.h"

#include "app/tasks/machine/machine_cache.h"
#include "app/tasks/machine/measure_machine.h"

#include <fmt/format.h>

namespace et::tasks {

using inspector::MachineProfile;

core::Result<MachineProfile> machineProfile(const MachineRequest& request,
                                            const std::function<void(const std::string&)>& note,
                                            const std::function<void(double)>& progress,
                                            const std::function<bool()>& cancelled) {
    if (!request.import.empty()) {
        ET_ASSIGN(MachineProfile imported, inspector::readProfile(request.import));
        ET_TRY(cacheProfile(imported));
        return imported;
    }
    if (!request.refresh) {
        auto cached = cachedProfile();
        if (cached && *cached) {
            return **std::move(cached);
        }
        if (!cached) {
            note(fmt::format("{}; measuring again", cached.error().toString()));
        }
    }
    ET_ASSIGN(MachineProfile measured, measureMachine(progress, cancelled));
    if (const auto kept = cacheProfile(measured); !kept) {
        note(fmt::format("the measurement was not saved: {}", kept.error().toString()));
    }
    return measured;
}

}  // namespace et::tasks
