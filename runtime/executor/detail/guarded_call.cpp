#include "runtime/executor/detail/guarded_call.h"

#include <bit>
#include <string_view>

namespace et::executor::detail {
namespace {

/// These update caches of the module.
constexpr std::string_view cacheOperators = "kvcache::";

/// Whether all out arguments of a kernel are tensors; scalars have no memory that a guard can exchange.
bool writesOnlyTensors(const Step& step, std::uint64_t written) {
    for (std::size_t i = 0; i < step.arguments.size() && i < 64; ++i) {
        if ((written >> i & 1U) != 0 && step.arguments[i]->as<core::Tensor>() == nullptr &&
            step.arguments[i]->as<core::TensorListValue>() == nullptr && !step.arguments[i]->isNone()) {
            return false;
        }
    }
    return written != 0;
}

/// Whether the delegate keeps state between calls.
bool hasState(LoadedDelegate& delegate) {
    const auto state = delegate.saveState(nullptr);
    return !state || *state != nullptr;
}

}  // namespace

GuardedCall kernelCall(const Step& step, GuardedCall::Kind kind) {
    const kernels::Kernel& kernel =
        kind == GuardedCall::Kind::Prepare ? step.entry->prepare : step.entry->kernel;
    const bool isStateful = (step.state != nullptr && step.state->copy() != nullptr) ||
                            step.entry->name.starts_with(cacheOperators);
    const std::uint64_t written = step.entry->kernel.written;
    return {
        .kind = kind,
        .chain = step.chain,
        .instruction = step.instruction,
        .arguments = step.arguments,
        .written = written,
        .function = std::bit_cast<const void*>(kernel.call),
        .isRepeatable = kind == GuardedCall::Kind::Kernel && !isStateful && writesOnlyTensors(step, written)};
}

GuardedCall delegateCall(Step& step, const ModuleState& module) {
    if (!step.keepsState) {
        step.keepsState = hasState(*step.delegate);
    }
    return {.kind = GuardedCall::Kind::Delegate,
            .chain = step.chain,
            .instruction = step.instruction,
            .arguments = step.arguments,
            .isRepeatable = module.caches.layers().empty() && !*step.keepsState};
}

core::Result<> runGuarded(MethodGuard& guard, const GuardedCall& call, std::mt19937_64& random,
                          const std::function<core::Result<>()>& run) {
    const std::mt19937_64 generator = random;
    return guard.call(call, [&] {
        random = generator;
        return run();
    });
}

}  // namespace et::executor::detail
