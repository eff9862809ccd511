#include "app/python/interruptible.h"

#include "app/tasks/run/interruption.h"

#include <pthread.h>

#include <csignal>

namespace et::python {
namespace {

using app::InterruptionGuard;

// Of the scopes that live; changed with the GIL held.
int scopes = 0;
// What a signal handler can reach: Python's own handler, which takes nothing but the number.
struct sigaction before{};

extern "C" void askToEnd(int number) {
    InterruptionGuard::request(app::Interruption::Interrupt);
    before.sa_handler(number);
}

bool isFunction(const struct sigaction& action) {
    return (static_cast<unsigned>(action.sa_flags) & static_cast<unsigned>(SA_SIGINFO)) == 0 &&
           action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

/// Python's handler again. It may have set another one meanwhile: that one stays.
void restoreHandler() {
    struct sigaction now{};
    ::sigaction(SIGINT, nullptr, &now);
    if (isFunction(now) && now.sa_handler == askToEnd) {
        ::sigaction(SIGINT, &before, nullptr);
    }
    InterruptionGuard::forget();
}

/// The child of a fork has one thread, which is in no scope: it was forking.
void inChild() {
    if (scopes > 0) {
        scopes = 0;
        restoreHandler();
    }
}

[[maybe_unused]] const int isRegistered = ::pthread_atfork(nullptr, nullptr, inChild);

}  // namespace

CtrlCScope::CtrlCScope() {
    if (scopes++ > 0) {
        return;
    }
    InterruptionGuard::forget();
    struct sigaction now{};
    ::sigaction(SIGINT, nullptr, &now);
    if (isFunction(now)) {
        before = now;
        now.sa_handler = askToEnd;
        ::sigaction(SIGINT, &now, nullptr);
    }
}

CtrlCScope::~CtrlCScope() {
    if (--scopes == 0) {
        restoreHandler();
    }
}

}  // namespace et::python
