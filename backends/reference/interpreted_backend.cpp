#include "backends/reference/interpreted_backend.h"

#include "backends/reference/delegate_taps.h"
#include "backends/reference/delegate_values.h"
#include "backends/reference/interpreter.h"
#include "etrecord/buffer_mutation.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Names of the buffers that a run of the graph changes.
std::vector<std::string> mutatedBuffers(const etrecord::ExportedGraph& graph) {
    std::vector<std::string> names;
    for (const etrecord::InputSpec& input : graph.inputSpecs) {
        if (etrecord::isMutatedBuffer(graph, input)) {
            names.push_back(input.value);
        }
    }
    return names;
}

class InterpretedDelegate final : public executor::LoadedDelegate {
  public:
    InterpretedDelegate(const executor::Backend& describer, const executor::DelegateSource& from,
                        std::unique_ptr<Interpreter> loaded, std::shared_ptr<const etrecord::Record> kept)
        : described(describer),
          delegate(from.delegate),
          namedData(from.namedData),
          record(std::move(kept)),
          interpreter(std::move(loaded)),
          buffers(mutatedBuffers(interpreter->graph())),
          inputs(static_cast<std::size_t>(
              std::ranges::count(interpreter->graph().inputSpecs, "user_input", &etrecord::InputSpec::kind))),
          threads(from.threads) {}

    [[nodiscard]] Result<> execute(const executor::DelegateCallContext& context,
                                   std::span<core::Value* const> arguments) override;
    [[nodiscard]] Result<std::shared_ptr<const executor::DelegateState>> saveState(
        const executor::DelegateState* /*previous*/) override {
        return saveBuffers(*interpreter, buffers);
    }
    [[nodiscard]] Result<> restoreState(const executor::DelegateState& state) override {
        return restoreBuffers(*interpreter, state);
    }

  private:
    [[nodiscard]] NodeObserver tapObserver(const executor::DelegateCallContext& context);
    Result<> compute(std::span<core::Value* const> arguments, const NodeObserver& observer);

    const executor::Backend& described;
    const program::Delegate& delegate;
    const executor::NamedDataSource& namedData;
    std::shared_ptr<const etrecord::Record> record;
    std::unique_ptr<Interpreter> interpreter;
    std::vector<std::string> buffers;  ///< mutable
    std::size_t inputs;
    const kernels::ThreadPool& threads;
    std::optional<DelegateTaps> taps;  ///< from the first call with taps on
};

/// Empty without taps.
NodeObserver InterpretedDelegate::tapObserver(const executor::DelegateCallContext& context) {
    if (context.tracer == nullptr || !context.tracer->wantsTaps()) {
        return {};
    }
    if (!taps) {
        taps.emplace(described.describe(delegate, namedData), interpreter->graph());
    }
    return taps->begin(*context.tracer, context.ids);
}

Result<> InterpretedDelegate::execute(const executor::DelegateCallContext& context,
                                      std::span<core::Value* const> arguments) {
    const std::uint64_t start = core::EventTracer::now();
    const NodeObserver observer = tapObserver(context);
    ET_TRY(compute(arguments, observer));
    if (observer) {
        taps->end();
    }
    if (context.tracer != nullptr) {
        core::TraceIds ids = context.ids;
        ids.delegateString = interpretedMark;
        context.tracer->profile(context.tracer->name({}), ids, start, core::EventTracer::now(),
                                std::as_bytes(std::span(interpretedNote)));
    }
    return {};
}

Result<> InterpretedDelegate::compute(std::span<core::Value* const> arguments, const NodeObserver& observer) {
    if (arguments.size() < inputs) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("the payload takes {} inputs, but the call has {} arguments", inputs,
                                arguments.size()));
    }
    std::vector<ReferenceValue> given;
    for (core::Value* const argument : arguments.first(inputs)) {
        ET_ASSIGN(given.emplace_back(), referenceOf(*argument));
    }
    ET_ASSIGN(const std::vector<ReferenceValue> made, interpreter->run(given, observer));
    if (made.size() != arguments.size() - inputs) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("the payload returns {} outputs, but the call has {} arguments for them",
                                made.size(), arguments.size() - inputs));
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
        ET_TRY(writeArgument(made[i], *arguments[inputs + i], threads));
    }
    return {};
}

}  // namespace

Result<std::unique_ptr<executor::LoadedDelegate>> InterpretedBackend::load(
    const executor::DelegateSource& source) const {
    const auto named = [&](core::Error error) {
        error.message = fmt::format("cannot run {} from its payload: {}", name(), error.message);
        return error;
    };
    ET_ASSIGN(auto record, readers.read(source.delegate, source.namedData).transform_error(named));
    if (record->methods().size() != 1) {
        return std::unexpected(named({ErrorCode::Format, "expected one graph"}));
    }
    ET_ASSIGN(auto interpreter, Interpreter::edge(*record, record->methods().front(),
                                                  {.kernels = kernels,
                                                   .threads = source.threads,
                                                   .memoryBytes = source.memoryBytes,
                                                   .caches = source.caches})
                                    .transform_error(named));
    return std::make_unique<InterpretedDelegate>(described, source, std::move(interpreter),
                                                 std::move(record));
}

}  // namespace et::backends::reference
