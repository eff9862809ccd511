#include "backends/xnnpack/delegate/delegate.h"

#include "backends/xnnpack/delegate/describe.h"
#include "backends/xnnpack/delegate/trace_conventions.h"
#include "backends/xnnpack/delegate/traced_operators.h"
#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/library/load_options.h"
#include "backends/xnnpack/nodes/check_types.h"
#include "backends/xnnpack/nodes/dimension_order.h"
#include "backends/xnnpack/nodes/stored_types.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/executor/delegate_description.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace et::backends::xnnpack {

using core::ErrorCode;
using core::Result;

namespace {

DimensionOrder orderOfArgument(const PayloadValue& value, std::span<const DimensionOrder> arguments) {
    const bool isKnown = value.isInput && value.externalId && *value.externalId < arguments.size() &&
                         arguments[*value.externalId].size() == value.sizes.size();
    return isKnown ? arguments[*value.externalId] : memoryOrder(value.sizes.size());
}

std::optional<executor::ValueScale> scaleOf(const PayloadValue& value) {
    const auto* found = std::get_if<PerTensorQuantization>(&value.quantization);
    if (found == nullptr) {
        return std::nullopt;
    }
    return executor::ValueScale{.scale = static_cast<double>(found->scale), .zeroPoint = found->zeroPoint};
}

/// Memory layouts of the payload's values relative to the lowered graph, by ValueIndex. For an argument of
/// unknown order, dimensions are in memory order.
std::vector<executor::InnerValue> innerValues(const Payload& payload,
                                              std::span<const DimensionOrder> arguments) {
    std::vector<DimensionOrder> orders;
    for (const PayloadValue& value : payload.values) {
        orders.push_back(orderOfArgument(value, arguments));
    }
    orders = followOrders(payload, std::move(orders));
    std::vector<executor::InnerValue> values;
    for (std::size_t i = 0; i < payload.values.size(); ++i) {
        values.push_back(
            {.id = payload.values[i].id, .order = std::move(orders[i]), .scale = scaleOf(payload.values[i])});
    }
    return values;
}

class XnnpackBackend final : public executor::Backend {
  public:
    [[nodiscard]] std::string_view name() const override { return "XnnpackBackend"; }
    [[nodiscard]] Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource& source) const override {
        return Delegate::load(source);
    }
    void prepareProcess() const override { static_cast<void>(initializeLibrary()); }
    [[nodiscard]] Result<core::ModelGraph> describe(
        const program::Delegate& delegate, const executor::NamedDataSource& namedData) const override {
        return xnnpack::describe(delegate.payload, namedData);
    }
    [[nodiscard]] std::vector<std::optional<std::vector<std::size_t>>> nodesOf(
        const program::Delegate& delegate, std::span<const std::string_view> operators) const override {
        const auto payload = readPayload(delegate.payload);
        return payload ? nodesOfTraced(*payload, operators) : Backend::nodesOf(delegate, operators);
    }
    [[nodiscard]] std::optional<std::string> contradiction(
        const program::Delegate& delegate, std::span<const std::string_view> operators) const override {
        const auto payload = readPayload(delegate.payload);
        return payload ? tracedContradiction(*payload, operators) : std::nullopt;
    }
    [[nodiscard]] const executor::TraceConventions& traceConventions() const override {
        return xnnpack::traceConventions();
    }
    [[nodiscard]] Result<std::vector<executor::InnerValue>> innerValues(
        const program::Delegate& delegate,
        std::span<const executor::DimensionOrder> arguments) const override {
        return readPayload(delegate.payload).transform([&](const Payload& payload) {
            return xnnpack::innerValues(payload, arguments);
        });
    }
};

/// The memory shared by the module's delegates by default; created for the first one.
Result<std::shared_ptr<SharedMemory>> memoryOfModule(const executor::DelegateSource& source) {
    if (source.shared != nullptr) {
        if (auto known = std::dynamic_pointer_cast<SharedMemory>(*source.shared)) {
            return known;
        }
    }
    ET_ASSIGN(auto made, SharedMemory::make());
    if (source.shared != nullptr) {
        *source.shared = made;
    }
    return made;
}

Result<std::shared_ptr<SharedMemory>> findSharedMemory(const executor::DelegateSource& source) {
    ET_ASSIGN(const LoadOptions options, LoadOptions::from(source.options));
    ET_ASSIGN(auto module, memoryOfModule(source));
    if (options == LoadOptions()) {
        return module;
    }
    auto weights =
        options.weightCache ? module->weights : std::make_shared<WeightsCache>(EqualWeights::KeptEach);
    std::shared_ptr<Workspace> workspace = module->workspace;
    if (options.workspaceSharing != WorkspaceSharing::PerModel) {
        ET_ASSIGN(workspace, options.workspaceSharing == WorkspaceSharing::Global ? Workspace::ofProcess()
                                                                                  : Workspace::make());
    }
    return std::make_shared<SharedMemory>(std::move(weights), std::move(workspace));
}

}  // namespace

class Delegate::Growth {
  public:
    explicit Growth(Delegate& of)
        : delegate(of), packedBefore(of.shared->weights->bytes()), workspaceBefore(workspace()) {}
    Growth(const Growth&) = delete;
    Growth& operator=(const Growth&) = delete;
    ~Growth() {
        delegate.packed += delegate.shared->weights->bytes() - packedBefore;
        delegate.addedWorkspace += workspace() - workspaceBefore;
    }

  private:
    [[nodiscard]] std::uint64_t workspace() const {
        const Workspace& shared = *delegate.shared->workspace;
        return shared.bytes + shared.between.size();
    }

    Delegate& delegate;
    std::uint64_t packedBefore;
    std::uint64_t workspaceBefore;
};

Delegate::Delegate(Payload read, const executor::DelegateSource& source)
    : graph(std::move(read)),
      threads(source.threads),
      memoryBytes(source.memoryBytes),
      shapes(exportedShapes(graph)),
      reuse(graph) {
}

Result<std::unique_ptr<Delegate>> Delegate::load(const executor::DelegateSource& source) {
    ET_ASSIGN(Payload payload, readPayload(source.delegate.payload));
    ET_TRY(checkTypes(payload));
    std::unique_ptr<Delegate> made(new Delegate(std::move(payload), source));
    ET_TRY(followShapes(made->graph, made->shapes, made->memoryBytes));  // before reading constants
    ET_ASSIGN(made->constants, ConstantData::find(made->graph, source.namedData));
    ET_ASSIGN(made->shared, findSharedMemory(source));
    const auto lock = made->shared->workspace->lock();
    const Growth growth(*made);
    made->options.profiled = source.traced;
    ET_TRY(made->orWidened(&Delegate::makeRuntime));
    return made;
}

Result<> Delegate::orWidened(Result<> (Delegate::*attempt)()) {
    auto done = (this->*attempt)();
    if (!done && done.error().code == ErrorCode::Unsupported && hasHalf(graph) && !options.widenHalf) {
        options.widenHalf = true;
        done = makeAndReshape();
    }
    return done;
}

Result<> Delegate::remakeRuntime(bool profiled) {
    options.profiled = profiled;
    return orWidened(&Delegate::makeAndReshape);
}

Result<> Delegate::makeAndReshape() {
    ET_TRY(makeRuntime());
    return reshape();
}

/// Creates a runtime for `shapes`, which were propagated through the payload.
Result<> Delegate::makeRuntime() {
    runtime.reset();
    profile.reset();
    taps.reset();
    state = RuntimeState::Unusable;
    constants.widen(graph, options.widenHalf);
    ET_ASSIGN(runtime, GraphRuntime::make(graph, constants, shapes, shared, threads, options, memoryBytes));
    arguments.emplace(graph, options.widenHalf);
    reuse.begin(shapes);
    state = RuntimeState::Made;
    return {};
}

Delegate::~Delegate() {
    if (shared) {
        const auto lock = shared->workspace->lock();
        taps.reset();
        runtime.reset();
    }
}

Result<> Delegate::prepare() {
    if (state != RuntimeState::Made) {
        return {};
    }
    const auto lock = shared->workspace->lock();
    const Growth growth(*this);
    return orWidened(&Delegate::reshape);
}

/// Reshapes the runtime to the shapes that were propagated through the payload.
Result<> Delegate::reshape() {
    if (areOutputsEmpty(graph, shapes)) {
        state = RuntimeState::NotShaped;
        return {};
    }
    // After a failure half-way, operators have different shapes.
    state = RuntimeState::Unusable;
    ET_TRY(runtime->reshape(shapes));
    if (options.profiled && !profile) {
        ET_ASSIGN(profile, Profile::make(graph, *runtime));
    }
    state = RuntimeState::Ready;
    return {};
}

Result<> Delegate::takeShapes(std::span<core::Value* const> given, bool needsProfile) {
    if (!arguments) {
        arguments.emplace(graph, options.widenHalf);
    }
    const Growth growth(*this);
    // After a failure from here on, `shapes` may differ from the runtime's.
    const bool wasReady = state == RuntimeState::Ready;
    state = wasReady ? RuntimeState::NotShaped : state;
    ET_ASSIGN(const bool changed, arguments->takeShapes(given, shapes));
    if (!changed && wasReady && !needsProfile) {
        state = RuntimeState::Ready;
        return {};
    }
    ET_TRY(followShapes(graph, shapes, memoryBytes));
    if (areOutputsEmpty(graph, shapes)) {
        return {};
    }
    if (needsProfile || state == RuntimeState::Unusable || runtime->isForOneShape() ||
        !reuse.allows(shapes)) {
        ET_TRY(remakeRuntime(options.profiled || needsProfile));
        ET_TRY(arguments->takeShapes(given, shapes));
        return {};
    }
    return reshape();
}

Result<> Delegate::execute(const executor::DelegateCallContext& context,
                           std::span<core::Value* const> given) {
    const auto lock = shared->workspace->lock();
    ET_TRY(prepare());
    const bool needsProfile = context.tracer != nullptr && !options.profiled;
    const bool isAgain =
        state == RuntimeState::Ready && !needsProfile && arguments && arguments->areBound(given);
    if (!isAgain) {
        ET_TRY(takeShapes(given, needsProfile));
        ET_TRY(arguments->bind(shapes, context.plannedMemory));
        if (arguments->areEmpty()) {
            return {};
        }
    }
    const bool tapped = context.tracer != nullptr && context.tracer->wantsTaps();
    if (tapped) {
        runTaps(*context.tracer);
    }
    const std::uint64_t start = profile ? core::EventTracer::now() : 0;
    ET_TRY(isAgain ? runtime->runAgain(arguments->addresses()) : runtime->run(arguments->addresses()));
    if (tapped) {
        taps->deliver(*context.tracer, context.ids, arguments->addresses(), operators());
    }
    arguments->finish();
    if (context.tracer != nullptr && profile) {
        return profile->report(*runtime, *context.tracer, context.ids, start);
    }
    return {};
}

void Delegate::runTaps(core::EventTracer& tracer) {
    const Growth growth(*this);
    if (!taps || taps->tracer() != &tracer || !taps->allows(shapes)) {
        taps = std::make_unique<Taps>(Taps::make({.payload = graph,
                                                  .constants = constants,
                                                  .shapes = shapes,
                                                  .shared = shared,
                                                  .threads = threads,
                                                  .widenHalf = options.widenHalf,
                                                  .memoryBytes = memoryBytes},
                                                 tracer));
    }
    taps->run(shapes, arguments->addresses());
}

std::uint64_t Delegate::workspaceBytes() const {
    return addedWorkspace;
}

std::span<const ProfiledOperator> Delegate::operators() const {
    return profile ? profile->operators() : std::span<const ProfiledOperator>();
}

const executor::Backend& backend() {
    static const XnnpackBackend only;
    return only;
}

}  // namespace et::backends::xnnpack
