#include "runtime/core/fork_lock.h"

#include <pthread.h>

namespace et::core {
namespace {

// Readers are those who hold a ForkLock, the writer is fork(). New readers let a writer that waits go first:
// threads that take it all the time would hold a fork up for ever. So one thread locks once, however many it
// holds.
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
    // Not unlocked: the lock knows its writer by a number that the child's thread has no more. Nobody else is
    // here.
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
