#pragma once

#include "runtime/core/result.h"

namespace et::app {

/// Whether this kernel filters system calls (seccomp(2)).
[[nodiscard]] bool filtersSystemCalls();

/// Refuses to this process, all its threads and its later children, with EPERM, what a model has no use for:
/// sockets, running programs, signals to other processes, looking into them, mounts and namespaces, and the
/// kernel's larger interfaces (bpf, io_uring, keys, performance events, modules). Errors: Io.
[[nodiscard]] core::Result<> enterSystemCallFilter();

}  // namespace et::app
