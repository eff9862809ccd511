#pragma once

#include "runtime/core/result.h"

namespace et::tasks {

/// Whether this kernel supports filtering system calls (seccomp(2)).
[[nodiscard]] bool filtersSystemCalls();

/// Rejects with EPERM, for this process, all its threads and its later children, system calls that a model
/// does not need: sockets, running programs, signals to other processes, inspecting them, mounts and
/// namespaces, and large kernel interfaces (bpf, io_uring, keys, performance events, modules). Errors: Io.
[[nodiscard]] core::Result<> enterSystemCallFilter();

}  // namespace et::tasks
