#include "runtime/executor/method.h"

#include "runtime/core/mapped_ranges.h"
#include "runtime/executor/detail/guarded_call.h"
#include "runtime/executor/detail/method_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace et::executor {

namespace {

/// True if the step has work to do before its first run.
bool isToPrepare(const detail::Step& step) {
    if (step.kind != detail::Step::Kind::Kernel || !step.entry->prepare) {
        return false;
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(step.arguments.size(), 64); ++i) {
        const auto* const tensor = step.arguments[i]->as<core::Tensor>();
        const bool isPacked = (step.entry->packed >> i & 1U) != 0;
        if (isPacked && (tensor == nullptr || !tensor->isConstant())) {
            return false;
        }
    }
    return true;
}

/// Frees the pages of the program whose weights the kernel has packed.
void releasePacked(const detail::Step& step) {
    constexpr std::size_t minBytes = std::size_t{64} * 1024;  // for fewer, the system call costs more
    for (std::size_t i = 0; i < std::min<std::size_t>(step.arguments.size(), 64); ++i) {
        const auto* const tensor = step.arguments[i]->as<core::Tensor>();
        if ((step.entry->packed >> i & 1U) != 0 && tensor != nullptr && tensor->bytes() >= minBytes) {
            core::releaseMappedPages(tensor->rawBytes());
        }
    }
}

}  // namespace

core::Result<> Method::Impl::load() {
    ET_ASSIGN(values, detail::makeValues(method, module));
    if (RemoteExecutor* const place = module.environment.elsewhere; place != nullptr) {
        const Environment& given = module.environment;
        if (module.elsewhere == nullptr) {
            ET_ASSIGN(module.elsewhere, place->open({.program = *module.program,
                                                     .tensorData = given.tensorData,
                                                     .threads = given.threads.threads(),
                                                     .limits = given.limits,
                                                     .seed = given.seed,
                                                     .cancel = given.cancel}));
        }
        findInputs();
        ET_ASSIGN(elsewhere, module.elsewhere->load(method, given.tracer));
        return {};
    }
    ET_ASSIGN(steps, detail::makeSteps(method, values, module));
    if (module.environment.guard != nullptr) {
        ET_ASSIGN(guard, module.environment.guard->load(&module, method, values.values));
        scratch.use(guard->scratch());
    }
    findInputs();
    return {};
}

core::Result<> Method::Impl::packWeights() {
    values.report.packedWeights = 0;
    for (detail::Step& step : steps.all) {
        if (!isToPrepare(step)) {
            continue;
        }
        const auto run = [&] {
            context.bind(step.state);
            auto done = step.entry->prepare.call(context, step.arguments);
            scratch.release();
            return done;
        };
        auto prepared = guard == nullptr
                            ? run()
                            : detail::runGuarded(*guard, detail::kernelCall(step, GuardedCall::Kind::Prepare),
                                                 random, run);
        if (!prepared) {
            return std::unexpected(located(std::move(prepared).error(), step));
        }
        values.report.packedWeights += step.state ? step.state->bytes() : 0;
        if (step.state) {
            releasePacked(step);
        }
    }
    return {};
}

core::Error Method::Impl::located(core::Error error, const detail::Step& step) const {
    const std::string place = fmt::format("{}: {}", core::printable(method.name), stepText(method, step));
    error.where.field = error.where.field.empty() ? place : fmt::format("{}: {}", place, error.where.field);
    return error;
}

Method::Method(std::unique_ptr<Impl> loaded) : impl(std::move(loaded)) {
}
Method::~Method() = default;

const program::Method& Method::description() const {
    return impl->method;
}

std::size_t Method::inputCount() const {
    return impl->method.inputs.size();
}

std::size_t Method::outputCount() const {
    return impl->method.outputs.size();
}

core::Value& Method::output(std::size_t index) {
    return impl->values.at(impl->method.outputs[index]);
}

core::Value& Method::value(program::ValueId id) {
    return impl->values.at(id);
}

std::span<const core::Bytes> Method::plannedMemory() const {
    return impl->values.planned;
}

std::uint64_t Method::executedInstructions() const {
    return impl->executed;
}

MemoryReport Method::memory() const {
    MemoryReport report = impl->values.report;
    report.growing = impl->values.growingBytes();
    for (const auto& delegate : impl->steps.delegates) {
        const DelegateMemory taken{.packedWeights = delegate->packedBytes(),
                                   .workspace = delegate->workspaceBytes()};
        report.packedWeights += taken.packedWeights;
        report.workspace += taken.workspace;
        report.delegates.push_back(taken);
    }
    report.temporaryPeak = impl->scratch.peakBytes();
    return report;
}

std::optional<RemoteTimes> Method::remoteExecutionTimes() const {
    if (impl->elsewhere == nullptr) {
        return std::nullopt;
    }
    return RemoteTimes{.nanoseconds = impl->remoteNanoseconds, .instructions = impl->executed};
}

std::optional<RemoteTimes> Method::remoteLoadTimes() const {
    return impl->elsewhere == nullptr ? std::nullopt : std::optional(impl->elsewhere->loading());
}

core::Result<> Method::prepare() {
    return impl->prepare();
}

core::Result<> Method::execute() {
    return impl->elsewhere == nullptr ? impl->execute() : impl->executeRemotely();
}

core::Result<> Method::begin() {
    if (impl->elsewhere != nullptr) {
        return core::fail(core::ErrorCode::Unsupported, "a method on a device cannot be stepped");
    }
    return impl->begin();
}

core::Result<bool> Method::step() {
    return impl->step(true);
}

core::Result<bool> Method::skip() {
    return impl->step(false);
}

std::optional<Position> Method::position() const {
    if (!impl->isRunning || impl->next >= impl->steps.all.size()) {
        return std::nullopt;
    }
    const detail::Step& step = impl->steps.all[impl->next];
    return Position{.chain = step.chain, .instruction = step.instruction, .executed = impl->executed};
}

void Method::setTracer(core::EventTracer* tracer) {
    impl->events.setTracer(tracer);
}

}  // namespace et::executor
