#include "app/embed/convert.h"
#include "app/embed/module_impl.h"

#include <utility>

// Recording of a module's executions.
namespace et_inspect {
namespace {

Error noTrace() {
    return detail::failure(ErrorCode::InvalidArgument, "no trace is being recorded");
}

}  // namespace

Result<void> Module::start_trace(TraceOptions options) {
    if (impl->recorder != nullptr) {
        return detail::failure(ErrorCode::InvalidArgument, "a trace is being recorded already");
    }
    auto recorder =
        et::etdump::Recorder::create({.traceFile = options.path,
                                      .debugLevel = static_cast<et::core::DebugLevel>(options.values),
                                      .debugBufferFile = options.debug_path,
                                      .maxEvents = options.max_events});
    if (!recorder) {
        return detail::errorOf(recorder.error());
    }
    impl->recorder = *std::move(recorder);
    set_tracing(true);
    return {};
}

void Module::set_tracing(bool enabled) {
    impl->isTracing = enabled && impl->recorder != nullptr;
    impl->setTracer(impl->isTracing ? impl->recorder.get() : nullptr);
}

Result<std::vector<std::byte>> Module::trace() const {
    if (impl->recorder == nullptr) {
        return noTrace();
    }
    auto bytes = impl->recorder->trace();
    return bytes ? Result<std::vector<std::byte>>(*std::move(bytes))
                 : Result<std::vector<std::byte>>(detail::errorOf(bytes.error()));
}

Result<std::vector<std::byte>> Module::trace_values() const {
    if (impl->recorder == nullptr) {
        return noTrace();
    }
    const et::core::Bytes bytes = impl->recorder->debugBuffer();
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Result<void> Module::finish_trace() {
    if (impl->recorder == nullptr) {
        return noTrace();
    }
    set_tracing(false);
    const auto done = impl->recorder->finish();
    impl->finished.push_back(std::move(impl->recorder));
    return detail::resultOf(done);
}

}  // namespace et_inspect
