#include "backends/reference/emulated_delegate.h"

#include "backends/reference/delegate_binding.h"
#include "backends/reference/delegate_values.h"
#include "backends/reference/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// State shared by the delegates of one backend, so that a graph's weights are read once.
class Interpreters final : public executor::SharedState {
  public:
    std::map<std::string, std::shared_ptr<Interpreter>, std::less<>> byMethod;
};

Result<std::shared_ptr<Interpreter>> makeInterpreter(const executor::DelegateSource& source,
                                                     const etrecord::Record& record,
                                                     const kernels::KernelRegistry& kernels) {
    const InterpreterOptions options{.kernels = kernels,
                                     .threads = source.threads,
                                     .memoryBytes = source.memoryBytes,
                                     .caches = source.caches};
    if (source.shared == nullptr) {
        return Interpreter::edge(record, source.method, options);
    }
    if (*source.shared == nullptr) {
        *source.shared = std::make_shared<Interpreters>();
    }
    auto& known = static_cast<Interpreters&>(**source.shared).byMethod[std::string(source.method)];
    if (known == nullptr) {
        ET_ASSIGN(known, Interpreter::edge(record, source.method, options));
    }
    return known;
}

class EmulatedDelegate final : public executor::LoadedDelegate {
  public:
    EmulatedDelegate(std::shared_ptr<Interpreter> graph, std::shared_ptr<const etrecord::Record> kept,
                     std::map<std::int32_t, DelegateBinding> bound, const kernels::ThreadPool& pool)
        : interpreter(std::move(graph)), record(std::move(kept)), bindings(std::move(bound)), threads(pool) {}

    [[nodiscard]] Result<> execute(const executor::DelegateCallContext& context,
                                   std::span<core::Value* const> arguments) override;
    [[nodiscard]] Result<std::shared_ptr<const executor::DelegateState>> saveState(
        const executor::DelegateState* previous) override;
    [[nodiscard]] Result<> restoreState(const executor::DelegateState& state) override;

  private:
    Result<> compute(const DelegateBinding& binding, std::span<core::Value* const> arguments);

    std::shared_ptr<Interpreter> interpreter;
    std::shared_ptr<const etrecord::Record> record;
    std::map<std::int32_t, DelegateBinding> bindings;  ///< by instruction
    const kernels::ThreadPool& threads;
};

Result<> EmulatedDelegate::execute(const executor::DelegateCallContext& context,
                                   std::span<core::Value* const> arguments) {
    const std::uint64_t start = core::EventTracer::now();
    const auto found = bindings.find(context.ids.instruction);
    if (found == bindings.end() || found->second.arguments != arguments.size()) {
        return fail(ErrorCode::InvalidArgument, "the delegate call does not match the program");
    }
    ET_TRY(compute(found->second, arguments));
    if (context.tracer != nullptr) {
        constexpr std::string_view note = "computed from the ETRecord, not a measurement";
        core::TraceIds ids = context.ids;
        ids.delegateString = emulatedMark;
        context.tracer->profile(context.tracer->name({}), ids, start, core::EventTracer::now(),
                                std::as_bytes(std::span(note)));
    }
    return {};
}

Result<> EmulatedDelegate::compute(const DelegateBinding& binding, std::span<core::Value* const> arguments) {
    Interpreter::Values given;
    for (const BoundArgument& input : binding.inputs) {
        ET_ASSIGN(ReferenceValue value, referenceOf(*arguments[input.argument]));
        given.insert_or_assign(input.name, std::move(value));
    }
    std::vector<std::string> wanted;
    for (const BoundArgument& output : binding.outputs) {
        wanted.push_back(output.name);
    }
    for (const auto& [value, buffer] : binding.kept) {
        wanted.push_back(value);
    }
    ET_ASSIGN(const Interpreter::Values made, interpreter->evaluate(wanted, given, binding.subgraph));
    for (const BoundArgument& output : binding.outputs) {
        ET_TRY(writeArgument(made.at(output.name), *arguments[output.argument], threads));
    }
    for (const auto& [value, buffer] : binding.kept) {
        ET_TRY(interpreter->setBuffer(buffer, made.at(value)));
    }
    return {};
}

Result<std::shared_ptr<const executor::DelegateState>> EmulatedDelegate::saveState(
    const executor::DelegateState* /*previous*/) {
    std::vector<std::string> names;
    for (const auto& [instruction, binding] : bindings) {
        for (const auto& [value, buffer] : binding.kept) {
            names.push_back(buffer);
        }
    }
    return saveBuffers(*interpreter, names);
}

Result<> EmulatedDelegate::restoreState(const executor::DelegateState& state) {
    return restoreBuffers(*interpreter, state);
}

}  // namespace

EmulatedBackend::EmulatedBackend(std::string backendName, std::shared_ptr<const program::Program> ofProgram,
                                 std::shared_ptr<const etrecord::Record> ofRecord,
                                 const kernels::KernelRegistry& registry)
    : id(std::move(backendName)),
      program(std::move(ofProgram)),
      record(std::move(ofRecord)),
      kernels(registry) {
}

Result<std::unique_ptr<executor::LoadedDelegate>> EmulatedBackend::load(
    const executor::DelegateSource& source) const {
    const auto named = [&](core::Error error) {
        error.message =
            fmt::format("cannot emulate {} from its record: {}", core::printable(id), error.message);
        return error;
    };
    const program::Method* method = program->findMethod(source.method);
    const auto isSource = [&](const program::Delegate& each) { return &each == &source.delegate; };
    const auto found = method == nullptr ? std::vector<program::Delegate>::const_iterator{}
                                         : std::ranges::find_if(method->delegates, isSource);
    if (method == nullptr || found == method->delegates.end()) {
        return std::unexpected(
            named({ErrorCode::InvalidArgument, "the delegate belongs to another program"}));
    }
    const program::DelegateId delegate(static_cast<std::uint32_t>(found - method->delegates.begin()));
    ET_ASSIGN(const auto all, DelegateBindings::make(*method, *record, kernels).transform_error(named));
    ET_ASSIGN(auto bound, all.of(delegate).transform_error(named));
    ET_ASSIGN(auto interpreter, makeInterpreter(source, *record, kernels).transform_error(named));
    return std::make_unique<EmulatedDelegate>(std::move(interpreter), record, std::move(bound),
                                              source.threads);
}

std::vector<std::string> missingBackends(const program::Program& program,
                                         std::span<const executor::Backend* const> available) {
    std::vector<std::string> missing;
    for (const program::Method& method : program.methods) {
        for (const program::Delegate& delegate : method.delegates) {
            const bool isThere =
                std::ranges::contains(available, delegate.backend, &executor::Backend::name) ||
                std::ranges::contains(missing, delegate.backend);
            if (!isThere) {
                missing.emplace_back(delegate.backend);
            }
        }
    }
    return missing;
}

}  // namespace et::backends::reference
