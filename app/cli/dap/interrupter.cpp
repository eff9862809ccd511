#include "app/cli/dap/interrupter.h"

#include <csignal>

namespace et::cli::dap {

void Interrupter::interrupt() {
    const std::scoped_lock lock(access);
    requested = true;
    if (running > 0) {
        ::kill(running, SIGINT);
    }
}

void Interrupter::clear() {
    const std::scoped_lock lock(access);
    requested = false;
}

bool Interrupter::isRequested() const {
    const std::scoped_lock lock(access);
    return requested;
}

Interrupter::Running::Running(Interrupter& of, pid_t process) : owner(of) {
    const std::scoped_lock lock(owner.access);
    owner.running = process;
    if (owner.requested) {
        ::kill(process, SIGINT);
    }
}

Interrupter::Running::~Running() {
    const std::scoped_lock lock(owner.access);
    owner.running = -1;
}

}  // namespace et::cli::dap
