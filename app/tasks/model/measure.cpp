#include "app/tasks/model/measure.h"

#include "app/devices/device.h"
#include "app/tasks/base/interruption.h"

namespace et::tasks {
namespace {

/// Source of the state of a model's device, or of this machine.
LiveGauge::Source sourceOf(const Model& model) {
    if (model.device == nullptr) {
        return OwnState();
    }
    return [device = model.device] { return device->lastState(); };
}

/// Returns false if an end was requested.
core::Result<bool> executeOnce(Model& model, const InputSet& inputs, Timings& timings, bool measured,
                               ProgressReporter& watch) {
    if (InterruptionGuard::requested()) {
        return false;
    }
    const auto time = model.execute(inputs);
    if (!time && time.error().code == core::ErrorCode::Cancelled) {
        return false;
    }
    ET_TRY(time);
    watch.executed(*time);
    timings.first = timings.first == 0 ? *time : timings.first;
    timings.instructions = model.method->executedInstructions();
    if (measured) {
        timings.measured.push_back(*time);
    }
    return true;
}

}  // namespace

core::Result<Timings> measure(Model& model, const InputSet& inputs, Repetitions repetitions,
                              core::EventTracer* tracer, ProgressReporter& watch) {
    watch.watchDevice(sourceOf(model));
    Timings timings{.load = model.loadNanoseconds, .first = 0, .measured = {}, .instructions = 0};
    if (repetitions.warmup > 0) {
        watch.begin("warm-up", repetitions.warmup);
        model.method->setTracer(nullptr);
        for (std::size_t i = 0; i < repetitions.warmup; ++i, watch.step()) {
            ET_ASSIGN(const bool goesOn, executeOnce(model, inputs, timings, false, watch));
            if (!goesOn) {
                return timings;
            }
        }
        model.method->setTracer(tracer);
    }
    watch.begin("run", repetitions.measured);
    for (std::size_t i = 0; i < repetitions.measured; ++i, watch.step()) {
        ET_ASSIGN(const bool goesOn, executeOnce(model, inputs, timings, true, watch));
        if (!goesOn) {
            return timings;
        }
    }
    return timings;
}

}  // namespace et::tasks
