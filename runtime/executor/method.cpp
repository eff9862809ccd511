#include "runtime/executor/method.h"

#include "runtime/executor/detail/method_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::executor {

core::Result<> Method::Impl::load() {
    ET_ASSIGN(values, detail::makeValues(method, module));
    ET_ASSIGN(steps, detail::makeSteps(method, values, module));
    findInputs();
    return packWeights();
}

core::Result<> Method::Impl::packWeights() {
    for (detail::Step& step : steps.all) {
        if (step.kind != detail::Step::Kind::Kernel || !step.entry->prepare) {
            continue;
        }
        context.bind(step.state);
        auto prepared = step.entry->prepare.call(context, step.arguments);
        scratch.release();
        if (!prepared) {
            return std::unexpected(located(std::move(prepared).error(), step));
        }
        values.report.packedWeights += step.state ? step.state->bytes() : 0;
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

std::uint64_t Method::executedInstructions() const {
    return impl->executed;
}

MemoryReport Method::memory() const {
    MemoryReport report = impl->values.report;
    for (const auto& block : impl->values.growing) {
        report.growing += block->bytes();
    }
    for (const auto& delegate : impl->steps.delegates) {
        report.packedWeights += delegate->packedBytes();
        report.workspace = std::max(report.workspace, delegate->workspaceBytes());
    }
    report.temporaryPeak = impl->scratch.peakBytes();
    return report;
}

core::Result<> Method::execute() {
    return impl->execute();
}

void Method::setTracer(core::EventTracer* tracer) {
    impl->tracer = tracer;
    impl->nameEvents();
}

}  // namespace et::executor
