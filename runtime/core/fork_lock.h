#pragma once

namespace et::core {

/// Delays fork() in other threads during its lifetime. A child process has a single thread but a copy of all
/// locks, so one held by another thread would stay locked forever. Hold this before taking any lock shared
/// between callers, our own or inside the C library. Hold it only briefly; the holding thread must not fork.
/// Recursive.
class ForkLock {
  public:
    ForkLock();
    ForkLock(const ForkLock&) = delete;
    ForkLock& operator=(const ForkLock&) = delete;
    ~ForkLock();
};

}  // namespace et::core
