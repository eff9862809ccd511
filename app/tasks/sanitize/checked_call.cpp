#include "app/tasks/sanitize/checked_call.h"

#include "app/tasks/sanitize/recorded_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace et::tasks {
namespace {

using Role = ValueStorage::Role;

}  // namespace

CheckedCall::CheckedCall(const CheckContext& shared, const executor::GuardedCall& given,
                         const CheckedInstruction& what, const Run& calls)
    : context(shared),
      call(given),
      about(what),
      run(calls),
      all(tensorArguments(shared.method, what, given, shared.storages)) {
    repeatable = call.isRepeatable && std::ranges::all_of(all, [](const TensorArgument& each) {
                     return !each.isWritten || each.storage || each.capacity == 0;
                 });
}

bool CheckedCall::isFresh(std::size_t storage) const {
    bool isWritten = false;
    for (const TensorArgument& each : all) {
        if (each.storage == storage) {
            if (each.isRead || each.isUpdated) {
                return false;
            }
            isWritten = isWritten || each.isWritten;
        }
    }
    return isWritten && context.storages.all()[storage].role == Role::Other;
}

bool CheckedCall::canRunAgain() const {
    return repeatable && std::ranges::all_of(all, [this](const TensorArgument& each) {
               return !each.isWritten || !each.storage || isFresh(*each.storage);
           });
}

void CheckedCall::poisonOutputs(std::size_t world, std::optional<std::byte> other) {
    for (const TensorArgument& each : all) {
        if (!each.isWritten || !each.storage || !isFresh(*each.storage)) {
            continue;
        }
        ValueStorage& storage = storageOf(each);
        context.storages.poison(storage, world);
        if (other) {
            std::ranges::fill(storage.memory->in(world).memory(), *other);
        }
    }
}

void CheckedCall::open(std::size_t world) {
    if (context.staysOpen) {
        return;
    }
    std::vector<GuardedRegion*> readable;
    std::vector<GuardedRegion*> writable;
    const bool opensBoth = repeatable && about.wasChecked;  // changing the protection of pages is slow
    for (const TensorArgument& each : all) {
        if (!each.storage || storageOf(each).role == Role::Constant) {
            continue;
        }
        ValueStorage& storage = storageOf(each);
        const bool isState = isDelegate() && storage.role == Role::State;
        for (std::size_t i = opensBoth ? 0 : world; i < (opensBoth ? worldCount : world + 1); ++i) {
            GuardedRegion& region = storage.memory->in(i);
            if (each.isWritten || isState) {
                writable.push_back(&region);
                context.heap().setAccess(region, GuardedRegion::Access::Write);
                context.storages.fillPads(storage, i);
            } else {
                readable.push_back(&region);
            }
        }
    }
    context.heap().openOnly(readable, writable);
}

void CheckedCall::enter(std::size_t world) {
    for (const TensorArgument& each : all) {
        if (each.storage) {
            each.tensor->setMemory(placeIn(each, world), each.capacity);
        }
    }
}

core::Result<> CheckedCall::runIn(std::size_t world, std::byte scratchPoison,
                                  std::vector<MemoryFault>* faults) {
    std::vector<std::byte*> places(all.size());
    std::ranges::transform(all, places.begin(),
                           [](const TensorArgument& each) { return each.tensor->raw(); });
    if (world != 0) {
        enter(world);
    }
    context.scratch.enter(about.number(), world, scratchPoison);
    context.scratch.keepOpen(context.staysOpen);
    open(world);
    auto done = runGuarded(faults);
    if (world != 0) {
        // A view keeps the address that the first run gave it.
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].tensor->setMemory(places[i], all[i].tensor->capacityBytes());
        }
    }
    return done;
}

core::Result<> CheckedCall::runGuarded(std::vector<MemoryFault>* faults) {
    RecordedRun ran = runRecorded(context.heap(), run);
    crashed = ran.hasCrashed;
    if (faults != nullptr) {
        faults->assign(ran.faults.begin(), ran.faults.end());
        readOutside = readOutside ||
                      std::ranges::any_of(ran.faults, [](const MemoryFault& each) { return !each.isWrite; });
    }
    return crashed ? crash() : std::move(ran.done);
}

core::Result<> CheckedCall::crash() const {
    return core::fail(core::ErrorCode::Unsupported, fmt::format("{} crashed", core::printable(about.op)));
}

void CheckedCall::openOutputs(std::size_t world) {
    for (const TensorArgument& each : all) {
        if (each.isWritten && each.storage && storageOf(each).role != Role::Constant) {
            context.heap().setAccess(storageOf(each).memory->in(world), GuardedRegion::Access::Write);
        }
    }
}

void CheckedCall::copyOutputs() {
    for (const TensorArgument& each : all) {
        if (!each.storage) {
            continue;
        }
        ValueStorage& storage = storageOf(each);
        const bool isState = isDelegate() && storage.role == Role::State;
        if ((each.isWritten || isState) && storage.role != Role::Constant) {
            GuardedRegion& second = storage.memory->in(1);
            context.heap().setAccess(second, GuardedRegion::Access::Write);
            context.storages.fillPads(storage, 1);
            std::memcpy(second.begin, storage.memory->in(0).begin, storage.bytes);
        }
    }
}

const TensorArgument* CheckedCall::argumentIn(std::size_t storage, bool isWrite) const {
    const TensorArgument* found = nullptr;
    for (const TensorArgument& each : all) {
        if (each.storage == storage &&
            (found == nullptr || (each.isWritten == isWrite && found->isWritten != isWrite))) {
            found = &each;
        }
    }
    return found;
}

}  // namespace et::tasks
