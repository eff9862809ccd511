#include "backends/xnnpack/delegate.h"

#include "backends/xnnpack/check_types.h"
#include "backends/xnnpack/describe.h"

#include <algorithm>

namespace et::backends::xnnpack {

using core::ErrorCode;
using core::Result;

namespace {

class XnnpackBackend final : public executor::Backend {
  public:
    [[nodiscard]] std::string_view name() const override { return "XnnpackBackend"; }
    [[nodiscard]] Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource& source) const override {
        return Delegate::load(source);
    }
    [[nodiscard]] Result<core::ModelGraph> describe(
        const program::Delegate& delegate, const executor::NamedDataSource& namedData) const override {
        return xnnpack::describe(delegate.payload, namedData);
    }
};

/// What the delegates of the module have, or a new one where this is the first.
Result<std::shared_ptr<SharedMemory>> sharedOf(const executor::DelegateSource& source) {
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

bool hasHalf(const Payload& payload) {
    return std::ranges::find(payload.values, Datatype::Fp16, &PayloadValue::datatype) != payload.values.end();
}

}  // namespace

Delegate::Delegate(Payload read, const executor::DelegateSource& source)
    : graph(std::move(read)),
      threads(source.threads),
      memoryBytes(source.memoryBytes),
      shapes(exportedShapes(graph)) {
}

Result<std::unique_ptr<Delegate>> Delegate::load(const executor::DelegateSource& source) {
    ET_ASSIGN(Payload payload, Payload::read(source.delegate.payload));
    ET_TRY(checkTypes(payload));
    std::unique_ptr<Delegate> made(new Delegate(std::move(payload), source));
    ET_TRY(followShapes(made->graph, made->shapes, made->memoryBytes));  // before looking at constants
    ET_ASSIGN(made->constants, ConstantData::find(made->graph, source.namedData));
    ET_ASSIGN(made->shared, sharedOf(source));
    const std::uint64_t before = made->shared->weights.bytes();
    ET_TRY(made->makeRuntime(source.traced));
    made->packed = made->shared->weights.bytes() - before;
    return made;
}

Result<> Delegate::makeRuntime(bool profiled) {
    options.profiled = profiled;
    auto done = tryRuntime();
    if (!done && done.error().code == ErrorCode::Unsupported && hasHalf(graph) && !options.widenHalf) {
        options.widenHalf = true;
        done = tryRuntime();
    }
    return done;
}

Result<> Delegate::tryRuntime() {
    runtime.reset();
    profile.reset();
    taps.reset();
    shapesAreKnown = false;
    ET_TRY(followShapes(graph, shapes, memoryBytes));
    constants.widen(graph, options.widenHalf);
    ET_ASSIGN(runtime, LibraryRuntime::make(graph, constants, shapes, shared, threads, options));
    arguments.emplace(graph, options.widenHalf);
    return reshape();
}

Result<> Delegate::reshape() {
    shapesAreKnown = false;
    ET_TRY(followShapes(graph, shapes, memoryBytes));
    if (areOutputsEmpty(graph, shapes)) {
        return {};
    }
    ET_TRY(runtime->reshape(graph, shapes));
    if (options.profiled && !profile) {
        ET_ASSIGN(profile, Profile::make(graph, runtime->nodes(), runtime->handle()));
    }
    shapesAreKnown = true;
    return {};
}

Result<> Delegate::execute(const executor::DelegateCallContext& context,
                           std::span<core::Value* const> given) {
    ET_ASSIGN(const bool changed, arguments->takeShapes(given, shapes));
    const bool needsProfile = context.tracer != nullptr && !options.profiled;
    if (needsProfile || (changed && runtime->isForOneShape())) {
        ET_TRY(makeRuntime(options.profiled || needsProfile));
        ET_TRY(arguments->takeShapes(given, shapes));
    } else if (changed || !shapesAreKnown) {
        ET_TRY(reshape());
    }
    ET_TRY(arguments->bind(shapes));
    if (arguments->areEmpty()) {
        return {};
    }
    const bool tapped = context.tracer != nullptr && context.tracer->wantsTaps();
    if (tapped) {
        runTaps(*context.tracer);
    }
    const std::uint64_t start = profile ? core::EventTracer::now() : 0;
    ET_TRY(runtime->run(arguments->addresses()));
    if (tapped) {
        taps->deliver(*context.tracer, context.ids, arguments->addresses(), operators());
    }
    arguments->finish();
    if (context.tracer != nullptr && profile) {
        return profile->report(*context.tracer, context.ids, start);
    }
    return {};
}

void Delegate::runTaps(core::EventTracer& tracer) {
    if (!taps || taps->tracer() != &tracer) {
        taps = Taps::make({.payload = graph,
                           .constants = constants,
                           .shapes = shapes,
                           .shared = shared,
                           .threads = threads,
                           .widenHalf = options.widenHalf},
                          tracer);
    }
    taps->run(shapes, arguments->addresses());
}

std::span<const ProfiledOperator> Delegate::operators() const {
    return profile ? profile->operators() : std::span<const ProfiledOperator>();
}

const executor::Backend& backend() {
    static const XnnpackBackend only;
    return only;
}

}  // namespace et::backends::xnnpack
