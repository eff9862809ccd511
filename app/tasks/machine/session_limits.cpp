#include "app/tasks/machine/session_limits.h"

#include "app/tasks/base/option_list.h"
#include "app/tasks/machine/machine_cache.h"
#include "app/tasks/session/trace_input.h"
#include "backends/builtin.h"
#include "inspector/roofline/trace_limits.h"

#include <utility>

namespace et::tasks {

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
    note(
        "no minimum times: measure this machine with 'et-inspect machine', or select another with --machine "
        "FILE");
    return std::nullopt;
}

core::Result<std::shared_ptr<const inspector::events::EventLimits>> sessionLimits(
    const inspector::Session& session, const LimitOptions& options,
    const std::function<void(const std::string&)>& note) {
    if (session.program == nullptr) {
        note("no operation and byte counts without the program that ran: give it with --program");
        return nullptr;
    }
    ET_ASSIGN(const std::optional<MachineProfile> machine, machineFor(options, note));
    const std::size_t most = machine ? machine->mostThreads() : 1;
    const inspector::LimitSources sources{.program = *session.program,
                                          .backends = backends::describable(),
                                          .machine = machine ? &*machine : nullptr,
                                          .threads = options.threads == 0 ? most : options.threads};
    auto limits = std::make_shared<inspector::events::EventLimits>();
    for (const inspector::events::NamedTrace& trace : namedTraces(session)) {
        limits->merge(inspector::eventLimits(*trace.blocks, sources));
    }
    return limits;
}

void addLimitOptions(OptionList& options, LimitOptions& limits) {
    options.file("--machine", limits.machine,
                 "Measurement of the traced machine, written by 'et-inspect machine --format json' (default: "
                 "that of this machine)");
    options.integer("--machine-threads", limits.threads,
                    "Number of threads in the traced run; 0: one per CPU core (default: 1)");
}

}  // namespace et::tasks
