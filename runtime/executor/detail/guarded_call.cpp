#include "runtime/executor/detail/method_impl.h"

#include <bit>
#include <string_view>

namespace et::executor {
namespace {

using detail::Step;

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

core::Result<> Method::Impl::callGuarded(Step& step, GuardedCall::Kind kind) {
    GuardedCall call{
        .kind = kind, .chain = step.chain, .instruction = step.instruction, .arguments = step.arguments};
    if (kind == GuardedCall::Kind::Delegate) {
        if (!step.keepsState) {
            step.keepsState = hasState(*step.delegate);
        }
        call.isRepeatable = module.caches.layers().empty() && !*step.keepsState;
        return guard->call(call, [&] { return executeDelegate(step); });
    }
    const kernels::Kernel& kernel =
        kind == GuardedCall::Kind::Prepare ? step.entry->prepare : step.entry->kernel;
    call.written = step.entry->kernel.written;
    call.function = std::bit_cast<const void*>(kernel.call);
    const bool isStateful = (step.state != nullptr && step.state->copy() != nullptr) ||
                            step.entry->name.starts_with(cacheOperators);
    call.isRepeatable =
        kind == GuardedCall::Kind::Kernel && !isStateful && writesOnlyTensors(step, call.written);
    const std::mt19937_64 generator = random;
    return guard->call(call, [&] {
        random = generator;
        context.bind(step.state);
        auto done = kernel.call(context, step.arguments);
        scratch.release();
        return done;
    });
}

}  // namespace et::executor
