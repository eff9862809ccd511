#pragma once

#include <csetjmp>

namespace et::tasks {

class GuardedHeap;

/// Signal handling for the heaps: forbidden accesses go to GuardedHeap::handle(), other crashes during a
/// checked call end that call.
void addFaultHeap(GuardedHeap& heap);
void removeFaultHeap(GuardedHeap& heap);

/// While it exists, a crash of this thread, or of a thread that works for it, continues at `place`, filled by
/// sigsetjmp(). Threads that crash never return: end the process after a report.
class CrashExit {
  public:
    explicit CrashExit(sigjmp_buf& place);
    ~CrashExit();
    CrashExit(const CrashExit&) = delete;
    CrashExit& operator=(const CrashExit&) = delete;
};

}  // namespace et::tasks
