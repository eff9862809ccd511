#include "runtime/executor/detail/fusions.h"
#include "runtime/executor/detail/guarded_call.h"
#include "runtime/executor/detail/method_impl.h"

#include <fmt/format.h>

namespace et::executor {
namespace {

using core::ErrorCode;
using core::EventTracer;
using core::Tensor;
using detail::Step;

/// Evaluates a condition: a bool, or a tensor of bools, which is true if all its elements are.
core::Result<bool> isTrue(const core::Value& condition) {
    if (const auto* truth = condition.as<bool>()) {
        return *truth;
    }
    const auto* tensor = condition.as<Tensor>();
    if (tensor == nullptr || tensor->dtype() != core::ScalarType::Bool) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected a condition of type Bool or bool Tensor, got {}",
                                      tensor != nullptr ? describe(*tensor) : condition.kindName()));
    }
    // Compared as bytes: a program may contain values other than 0 and 1.
    for (const std::byte element : tensor->rawBytes()) {
        if (element == std::byte{0}) {
            return false;
        }
    }
    return true;
}

/// Moves a value as ExecuTorch does: a tensor is not copied, both values are the same tensor afterwards.
/// Lists hold pointers to values and stay unchanged.
core::Result<> moveValue(core::Value& from, core::Value& to) {
    if (auto* const tensor = from.as<Tensor>()) {
        to.setIn(tensor);
    } else if (from.isNone()) {
        to.set(std::monostate{});
    } else if (const auto* number = from.as<std::int64_t>()) {
        to.set(*number);
    } else if (const auto* real = from.as<double>()) {
        to.set(*real);
    } else if (const auto* truth = from.as<bool>()) {
        to.set(*truth);
    } else if (const auto* text = from.as<std::string_view>()) {
        to.set(*text);
    } else {
        return core::fail(ErrorCode::Unsupported,
                          fmt::format("a value of kind {} cannot be moved", from.kindName()));
    }
    return {};
}

}  // namespace

core::Result<> Method::Impl::execute() {
    ET_TRY(begin());
    auto done = runSteps();
    finish(done.has_value());
    return done;
}

core::Result<> Method::Impl::begin() {
    isRunning = false;
    ET_TRY(checkInputs());
    auto prepared = prepare();
    forgetInputs();
    if (!prepared) {
        return prepared;
    }
    if (events.tracer() != nullptr) {
        events.beginExecution();
    }
    module.caches.beginExecution();
    if (guard != nullptr) {
        guard->begin();
    }
    executed = 0;
    next = 0;
    isRunning = true;
    return {};
}

void Method::Impl::finish(bool succeeded) {
    isRunning = false;
    if (guard != nullptr) {
        guard->end(succeeded);
    }
    if (events.tracer() != nullptr) {
        events.endExecution(succeeded);
    }
}

core::Result<bool> Method::Impl::step(bool runs) {
    if (!isRunning) {
        return core::fail(ErrorCode::InvalidArgument, "no execution is running");
    }
    if (next < steps.all.size()) {
        const std::uint64_t before = executed;
        if (!runs) {
            ++executed;
            ++next;
        } else if (auto done = runNext(false); !done) {
            executed = before;
            return std::unexpected(std::move(done).error());
        }
    }
    if (next < steps.all.size()) {
        return true;
    }
    finish(true);
    return false;
}

core::Result<> Method::Impl::prepare() {
    if (isPrepared) {
        return {};
    }
    detail::findFusions(method, values, steps);
    ET_TRY(packWeights());
    for (const Step& step : steps.all) {
        if (step.kind != Step::Kind::Delegate) {
            continue;
        }
        if (auto prepared = step.delegate->prepare(); !prepared) {
            return std::unexpected(located(std::move(prepared).error(), step));
        }
    }
    isPrepared = true;
    return {};
}

/// Executes the method remotely. The tracer receives the same events as from execute().
core::Result<> Method::Impl::executeRemotely() {
    ET_TRY(checkInputs());
    std::vector<core::Value*> given;
    std::vector<core::Value*> results;
    for (InputSlot& slot : inputs) {
        given.push_back(slot.value);
    }
    forgetInputs();
    for (const program::ValueId id : method.outputs) {
        results.push_back(&values.at(id));
    }
    ET_ASSIGN(const RemoteTimes times, elsewhere->execute(given, results, events.tracer()));
    executed = times.instructions;
    remoteNanoseconds = times.nanoseconds;
    return {};
}

core::Result<> Method::Impl::runSteps() {
    while (next < steps.all.size()) {
        ET_TRY(runNext(guard == nullptr && events.allowFusion()));
    }
    return {};
}

core::Error Method::Impl::interruption(const Step& step) const {
    const std::uint64_t limit = module.environment.limits.instructions;
    if (executed < limit) {
        return located({.code = ErrorCode::Cancelled, .message = "cancelled"}, step);
    }
    return located(
        {.code = ErrorCode::Limit,
         .message = fmt::format("exceeded the maximum of {} instructions: possibly an infinite loop", limit)},
        step);
}

core::Result<> Method::Impl::runNext(bool mayFuse) {
    Step& step = steps.all[next];
    const std::atomic<bool>* cancel = module.environment.cancel;
    if (executed == module.environment.limits.instructions ||
        (cancel != nullptr && cancel->load(std::memory_order_relaxed))) [[unlikely]] {
        return std::unexpected(interruption(step));
    }
    if (mayFuse && step.fused != nullptr &&
        module.environment.limits.instructions - executed >= step.fused->count) {
        auto done = callFused(next);
        if (!done) [[unlikely]] {
            return std::unexpected(located(std::move(done).error(), step));
        }
        if (*done) {
            executed += step.fused->count;
            next += step.fused->count;
            return {};
        }
    }
    ++executed;
    std::size_t following = next + 1;
    if (auto done = events.tracer() == nullptr ? call(step, following) : callTraced(step, following); !done)
        [[unlikely]] {
        scratch.release();
        return std::unexpected(located(std::move(done).error(), step));
    }
    next = following;
    return {};
}

core::Result<> Method::Impl::call(Step& step, std::size_t& following) {
    switch (step.kind) {
        case Step::Kind::Kernel:
            return callKernel(step);
        case Step::Kind::Delegate:
            return callDelegate(step);
        case Step::Kind::Move:
            return moveValue(*step.arguments[0], *step.arguments[1]);
        case Step::Kind::JumpFalse: {
            ET_ASSIGN(const bool truth, isTrue(*step.arguments[0]));
            following = truth ? following : step.destination;
            return {};
        }
        case Step::Kind::Free:
            if (auto* tensor = step.arguments[0]->as<Tensor>()) {
                tensor->forgetElements();
            }
            break;
    }
    return {};
}

core::Result<> Method::Impl::callTraced(Step& step, std::size_t& following) {
    const std::uint64_t start = EventTracer::now();
    std::uint64_t end = 0;
    auto done = step.kind == Step::Kind::Kernel ? callKernelTraced(step, start, end) : call(step, following);
    if (done && step.kind == Step::Kind::Delegate && events.wantsResults()) {
        events.logArguments(step);
    }
    events.logStep(step, start, end != 0 ? end : EventTracer::now());
    return done;
}

core::Result<> Method::Impl::callKernel(Step& step) {
    const auto run = [&] {
        context.bind(step.state);
        auto done = step.entry->kernel.call(context, step.arguments);
        scratch.release();
        return done;
    };
    if (guard != nullptr) [[unlikely]] {
        return detail::runGuarded(*guard, detail::kernelCall(step, GuardedCall::Kind::Kernel), random, run);
    }
    return run();
}

core::Result<> Method::Impl::callKernelTraced(Step& step, std::uint64_t start, std::uint64_t& end) {
    auto done = callKernel(step);
    if (done && events.wantsResults()) {
        events.logResults(step);
    }
    end = EventTracer::now();
    events.logKernel(step, start, end);
    return done;
}

core::Result<bool> Method::Impl::callFused(std::size_t at) {
    Step& first = steps.all[at];
    const detail::FusedSteps& fused = *first.fused;
    const bool isTraced = events.tracer() != nullptr;
    kernels::FusedWork work{};
    const std::uint64_t start = isTraced ? EventTracer::now() : 0;
    context.bind(first.state);
    auto done = fused.fusion->call(context, first.arguments, std::span(fused.behind).first(fused.count - 1),
                                   isTraced ? &work : nullptr);
    scratch.release();
    if (isTraced && done && *done) {
        events.logFused(at, work, start, EventTracer::now());
    }
    return done;
}

core::Result<> Method::Impl::callDelegate(Step& step) {
    DelegateCallContext call{.tracer = events.tracer(),
                             .ids = {.chain = step.chain, .instruction = step.instruction},
                             .plannedMemory = values.planned};
    if (guard != nullptr) [[unlikely]] {
        call.plannedMemory = {};  // the guard has moved the values
        return detail::runGuarded(*guard, detail::delegateCall(step, module), random,
                                  [&] { return step.delegate->execute(call, step.arguments); });
    }
    return step.delegate->execute(call, step.arguments);
}

}  // namespace et::executor
