#include "runtime/core/fork_lock.h"

#include <pthread.h>

namespace et::core {
namespace {

// Readers hold a ForkLock; the writer is fork(). A waiting writer blocks new readers, otherwise threads that
// constantly take the lock could delay a fork forever. Therefore each thread locks only once, however many
// ForkLocks it holds.
#ifdef PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
constexpr pthread_rwlock_t unlocked = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
constexpr pthread_rwlock_t unlocked = PTHREAD_RWLOCK_INITIALIZER;
#endif
pthread_rwlock_t forks = unlocked;
thread_local int held = 0;

void beforeFork() {
    ::pthread_rwlock_wrlock(&forks);
}
void inParent() {
    ::pthread_rwlock_unlock(&forks);
}
void inChild() {
    // Reset rather than unlocked: the lock identifies its writer by a thread id that is invalid in the child.
    // The child has no other threads.
    forks = unlocked;
}

[[maybe_unused]] const int isRegistered = ::pthread_atfork(beforeFork, inParent, inChild);

}  // namespace

ForkLock::ForkLock() {
    if (held++ == 0) {
        ::pthread_rwlock_rdlock(&forks);
    }
}

ForkLock::~ForkLock() {
    if (--held == 0) {
        ::pthread_rwlock_unlock(&forks);
    }
}

}  // namespace et::core
