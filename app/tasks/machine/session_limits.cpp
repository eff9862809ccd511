#include "app/tasks/machine/session_limits.h"

#include "app/tasks/machine/machine_cache.h"
#include "app/tasks/session/trace_input.h"
#include "backends/builtin.h"
#include "inspector/limits/trace_limits.h"

#include <utility>

namespace et::app {

using inspector::MachineProfile;

core::Result<std::optional<MachineProfile>> machineFor(const LimitOptions& options,
                                                       const std::function<void(const std::string&)>& note) {
    if (!options.machine.empty()) {
        return inspector::readProfile(options.machine).transform([](MachineProfile profile) {
            return std::optional(std::move(profile));
        });
    }
    auto cached = cachedProfile();
    if (!cached) {
        note(cached.error().toString());
    } else if (*cached) {
        return **std::move(cached);
    }
    note("no least times: 'et-inspect machine' measures this machine, --machine FILE names another");
    return std::nullopt;
}

core::Result<std::shared_ptr<const inspector::report::EventLimits>> sessionLimits(
    const inspector::Session& session, const LimitOptions& options,
    const std::function<void(const std::string&)>& note) {
    if (session.program == nullptr) {
        note("no operations and bytes without the program that ran: name it with --program");
        return nullptr;
    }
    ET_ASSIGN(const std::optional<MachineProfile> machine, machineFor(options, note));
    const std::size_t most = machine ? machine->mostThreads() : 1;
    const inspector::LimitSources sources{.program = *session.program,
                                          .backends = backends::describable(),
                                          .machine = machine ? &*machine : nullptr,
                                          .threads = options.threads == 0 ? most : options.threads};
    auto limits = std::make_shared<inspector::report::EventLimits>();
    for (const inspector::report::NamedTrace& trace : namedTraces(session)) {
        limits->merge(inspector::eventLimits(*trace.blocks, sources));
    }
    return limits;
}

}  // namespace et::app
