#pragma once

namespace et::core {

/// While one lives, a fork() of another thread waits. A child has one thread and the locks of all: one that
/// another thread held stays held for ever. So whoever holds a lock that callers share, of our own or inside
/// of the C library, holds one of these first. For moments only; the thread itself must not fork meanwhile.
/// May be held several times.
class ForkLock {
  public:
    ForkLock();
    ForkLock(const ForkLock&) = delete;
    ForkLock& operator=(const ForkLock&) = delete;
    ~ForkLock();
};

}  // namespace et::core
