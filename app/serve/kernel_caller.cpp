#include "app/serve/kernel_caller.h"

#include <utility>

namespace et::serve {
namespace {

thread_local KernelCaller* currentCaller = nullptr;

}  // namespace

KernelCaller* KernelCaller::current() {
    return currentCaller;
}

KernelCaller::Scope::Scope(KernelCaller& inner) : outer(std::exchange(currentCaller, &inner)) {
}

KernelCaller::Scope::~Scope() {
    currentCaller = outer;
}

}  // namespace et::serve
