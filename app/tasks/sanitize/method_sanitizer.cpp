#include "app/tasks/sanitize/method_sanitizer.h"

#include "app/tasks/sanitize/recorded_run.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;

/// Physical memory of unused values that is kept for later executions.
constexpr std::uint64_t maxKeptBytes = std::uint64_t{48} << 20U;

}  // namespace

Result<std::unique_ptr<executor::MethodGuard>> MethodSanitizer::make(Sanitizer& sanitizer,
                                                                     SharedStorages& shared,
                                                                     const program::Method& method,
                                                                     std::span<core::Value> values) {
    ET_ASSIGN(auto instructions, checkedInstructions(method));
    ET_ASSIGN(ValueStorages storages, ValueStorages::make(sanitizer.heap(), shared, method, values));
    return std::make_unique<MethodSanitizer>(sanitizer, method, values, std::move(storages),
                                             std::move(instructions));
}

MethodSanitizer::MethodSanitizer(Sanitizer& to, const program::Method& of, std::span<core::Value> all,
                                 ValueStorages made, std::vector<std::vector<CheckedInstruction>> checked)
    : method(of),
      values(all),
      storages(std::move(made)),
      instructions(std::move(checked)),
      temporary(to.heap()),
      plan(method, storages),
      context{.sanitizer = to, .method = method, .storages = storages, .scratch = temporary},
      accesses(context),
      results(context) {
}

void MethodSanitizer::begin() {
    const bool isComplete = ++executions == 1 || !context.sanitizer.allowsLightExecutions();
    isLight = !isComplete && !std::has_single_bit(executions);
    context.staysOpen = !isComplete;
    if (isLight) {
        context.sanitizer.addLightExecution();
        storages.open(false);
        storages.openInputs(false);
        return;
    }
    if (lightExecutions != context.sanitizer.lightExecutions()) {
        lightExecutions = context.sanitizer.lightExecutions();
        storages.copyStates();
    }
    plan.begin();
    if (context.staysOpen) {
        storages.open(true);
    }
    copyInputs();
    if (context.staysOpen) {
        storages.openInputs(true);
    }
}

void MethodSanitizer::copyInputs() {
    for (const program::ValueId id : method.inputs) {
        const auto* const tensor = values[id.value].as<core::Tensor>();
        const auto index = tensor == nullptr ? std::nullopt : storages.at(tensor->raw());
        if (!index) {
            continue;
        }
        ValueStorage& storage = storages.all()[*index];
        const GuardedRegion& first = storage.memory->in(0);
        const auto used = static_cast<std::size_t>(tensor->raw() - first.begin) + tensor->bytes();
        for (std::size_t world = 0; world < worldCount; ++world) {
            GuardedRegion& region = storage.memory->in(world);
            context.heap().setAccess(region, GuardedRegion::Access::Write);
            storages.fillPads(storage, world);
            if (world > 0) {
                std::memcpy(region.begin, first.begin, used);
            }
            std::ranges::fill(region.memory().subspan(used), plainPoison[world]);
        }
    }
}

Result<> MethodSanitizer::call(const executor::GuardedCall& call, const std::function<Result<>()>& run) {
    CheckedInstruction& about =
        instructions[static_cast<std::size_t>(call.chain)][static_cast<std::size_t>(call.instruction)];
    if (isLight && call.kind != executor::GuardedCall::Kind::Prepare) {
        return runLightly(call, about, run);
    }
    CheckedCall checked(context, call, about, run);
    if (call.kind == executor::GuardedCall::Kind::Prepare) {
        return runOnce(checked, 0);
    }
    for (MemoryFinding& each : plan.read(about, checked.arguments())) {
        context.sanitizer.add(std::move(each));
    }
    for (const TensorArgument& each : checked.arguments()) {
        if (each.isRead && !about.isView && each.storage) {
            results.use(storages.all()[*each.storage]);
        }
    }
    auto done = runBoth(checked);
    releaseUnused(plan.write(about, checked.arguments()));
    about.wasChecked = context.sanitizer.findings().empty();
    return done;
}

Result<> MethodSanitizer::runBoth(CheckedCall& checked) {
    checked.poisonOutputs(0);
    ET_TRY(runOnce(checked, 0));
    if (!checked.isRepeatable()) {
        checked.copyOutputs();
        return {};
    }
    accesses.tails(checked);
    checked.poisonOutputs(1);
    ET_TRY(runOnce(checked, 1));
    results.compare(checked);
    return {};
}

Result<> MethodSanitizer::runOnce(CheckedCall& checked, std::size_t world) {
    std::vector<MemoryFault> faults;
    auto done = checked.runIn(world, plainPoison[world], &faults);
    accesses.faults(checked, world, faults);
    if (checked.hasCrashed()) {
        context.sanitizer.crash();
        return done;
    }
    accesses.pads(checked, world);
    return done;
}

Result<> MethodSanitizer::runLightly(const executor::GuardedCall& call, const CheckedInstruction& about,
                                     const std::function<Result<>()>& run) {
    temporary.enterOpen(about.number());
    RecordedRun ran = runRecorded(context.heap(), run);
    if (ran.faults.empty() && !ran.hasCrashed) {
        return std::move(ran.done);
    }
    const CheckedCall checked(context, call, about, run);
    accesses.faults(checked, 0, ran.faults);
    if (!ran.hasCrashed) {
        return std::move(ran.done);
    }
    context.sanitizer.crash();
    return checked.crash();
}

void MethodSanitizer::releaseUnused(std::span<const std::size_t> reused) {
    for (const std::size_t each : reused) {
        if (context.heap().touchedBytes() > maxKeptBytes) {
            storages.discard(storages.all()[each]);
        }
    }
}

void MethodSanitizer::end(bool succeeded) {
    if (!succeeded || isLight) {
        return;
    }
    for (const program::ValueId id : method.outputs) {
        const auto* const tensor = values[id.value].as<core::Tensor>();
        const auto index = tensor == nullptr ? std::nullopt : storages.at(tensor->raw());
        if (!index || tensor->bytes() == 0) {
            continue;
        }
        for (MemoryFinding& each : plan.readAtEnd(*index)) {
            each.method = method.name;
            context.sanitizer.add(std::move(each));
        }
        results.use(storages.all()[*index]);
    }
}

}  // namespace et::tasks
