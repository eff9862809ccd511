#include "app/tasks/sanitize/access_report.h"

#include "app/tasks/sanitize/code_place.h"
#include "app/tasks/sanitize/result_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace et::tasks {
namespace {

using Role = ValueStorage::Role;

/// XNNPACK reads up to XNN_EXTRA_BYTES past its inputs by design.
constexpr std::string_view overreadingBackend = "XnnpackBackend";
constexpr std::int64_t allowedOverread = 16;
/// Farther accesses are not attributed to an argument.
constexpr std::ptrdiff_t nearBytes = std::ptrdiff_t{64} << 20U;

void setAccess(MemoryFinding& finding, const MemoryFault& fault) {
    finding.isWrite = fault.isWrite;
    finding.accessBytes = fault.accessBytes;
    CodePlace place = placeOf(std::span(fault.frames).first(fault.frameCount));
    finding.function = std::move(place.function);
    finding.library = std::move(place.library);
    finding.sourceFile = std::move(place.file);
    finding.sourceLine = place.line;
}

MemoryError errorOfWrite(Role role) {
    return role == Role::Input      ? MemoryError::WriteToInput
           : role == Role::Constant ? MemoryError::WriteToConstant
                                    : MemoryError::WriteToArgument;
}

}  // namespace

void AccessReport::faults(const CheckedCall& call, std::size_t world,
                          std::span<const MemoryFault> found) const {
    const MemoryFault* previous = nullptr;
    for (const MemoryFault& each : found) {
        // An access across pages faults once on each.
        const bool isSameAccess = previous != nullptr && previous->frames[0] == each.frames[0] &&
                                  previous->region == each.region && each.region != nullptr;
        if (!isSameAccess) {
            fault(call, world, each);
        }
        previous = &each;
    }
}

void AccessReport::fault(const CheckedCall& call, std::size_t world, const MemoryFault& found) const {
    if (found.region == nullptr) {
        context.sanitizer.add(outside(call, world, found));
        return;
    }
    if (context.scratch.has(found.region)) {
        context.sanitizer.add(onScratch(call, found));
        return;
    }
    const auto storage = context.storages.of(found.region);
    if (!storage) {
        MemoryFinding finding = call.finding(MemoryError::StaleMemory, nullptr);
        setAccess(finding, found);
        finding.detail = "the memory belongs to another method";
        context.sanitizer.add(std::move(finding));
        return;
    }
    const TensorArgument* const argument = call.argumentIn(*storage, found.isWrite);
    if (argument != nullptr && !found.isWrite && call.isDelegate() &&
        call.instruction().op == overreadingBackend) {
        const std::int64_t past = found.address - call.placeIn(*argument, world) -
                                  static_cast<std::int64_t>(argument->tensor->bytes());
        if (past >= 0 && past < allowedOverread) {
            return;
        }
    }
    context.sanitizer.add(onStorage(call, world, found, *storage));
}

MemoryFinding AccessReport::onStorage(const CheckedCall& call, std::size_t world, const MemoryFault& found,
                                      std::size_t index) const {
    const ValueStorage& storage = context.storages.all()[index];
    const TensorArgument* const argument = call.argumentIn(index, found.isWrite);
    const bool isOfWorld = found.region == &storage.memory->in(world) || storage.role == Role::Constant;
    if (argument == nullptr || !isOfWorld) {
        MemoryFinding finding = call.finding(MemoryError::StaleMemory, argument);
        setAccess(finding, found);
        finding.value = storage.value.value;
        finding.offset = found.address - found.region->begin;
        finding.detail =
            argument == nullptr
                ? fmt::format("{} is not an argument of this call", valueText(context.method, storage.value))
                : fmt::format("the address is that of an earlier call, at which {} was elsewhere",
                              valueText(context.method, storage.value));
        return finding;
    }
    const std::byte* const start =
        found.region == &storage.memory->in(world) ? call.placeIn(*argument, world) : found.region->begin;
    const std::int64_t offset = found.address - start;
    const bool isInside =
        found.address >= found.region->begin && found.address < found.region->begin + found.region->bytes;
    MemoryFinding finding =
        call.finding(isInside ? errorOfWrite(storage.role) : MemoryError::OutOfBounds, argument);
    setAccess(finding, found);
    setOffset(finding, *argument, offset);
    if (!isInside) {
        finding.detail = boundsText(offset, argument->tensor->bytes());
    }
    return finding;
}

MemoryFinding AccessReport::onScratch(const CheckedCall& call, const MemoryFault& found) const {
    const bool isCurrent = context.scratch.isCurrent(found.region);
    MemoryFinding finding =
        call.finding(isCurrent ? MemoryError::ScratchOverrun : MemoryError::StaleScratch, nullptr);
    setAccess(finding, found);
    const std::int64_t offset = found.address - found.region->begin;
    finding.offset = offset;
    finding.detail = isCurrent ? boundsText(offset, found.region->bytes)
                               : fmt::format("temporary memory of {} bytes that an earlier call took",
                                             found.region->bytes);
    return finding;
}

/// An access outside of all regions ends the call.
MemoryFinding AccessReport::outside(const CheckedCall& call, std::size_t world,
                                    const MemoryFault& found) const {
    const TensorArgument* near = nullptr;
    std::ptrdiff_t distance = nearBytes;
    std::int64_t offset = 0;
    for (const TensorArgument& each : call.arguments()) {
        if (!each.storage || found.address == nullptr) {
            continue;
        }
        const std::ptrdiff_t at = found.address - call.placeIn(each, world);
        const std::ptrdiff_t away = at < 0 ? -at : at - static_cast<std::ptrdiff_t>(each.tensor->bytes());
        if (away < distance) {
            distance = away;
            near = &each;
            offset = at;
        }
    }
    MemoryFinding finding =
        call.finding(near == nullptr ? MemoryError::Crash : MemoryError::OutOfBounds, near);
    setAccess(finding, found);
    if (near != nullptr) {
        setOffset(finding, *near, offset);
        finding.detail = boundsText(offset, near->tensor->bytes()) + "; the kernel crashed";
        return finding;
    }
    if (found.signal == SIGSEGV) {
        finding.detail = fmt::format("access to address {:#x}, which is not in a tensor",
                                     reinterpret_cast<std::uintptr_t>(found.address));
    } else {
        finding.isWrite.reset();
        const char* const name = ::sigabbrev_np(found.signal);
        finding.detail = fmt::format("ended by SIG{}", name == nullptr ? "NAL" : name);
    }
    return finding;
}

void AccessReport::pads(const CheckedCall& call, std::size_t world) const {
    for (const TensorArgument& each : call.arguments()) {
        if (!each.isWritten || !each.storage) {
            continue;
        }
        const ValueStorage& storage = context.storages.all()[*each.storage];
        const GuardedRegion& region = storage.memory->in(world);
        if (storage.role == Role::Constant || !storage.hasPads[world]) {
            continue;
        }
        for (const std::span<std::byte> pad : {region.before(), region.after()}) {
            const ChangedBytes changed = changedBytes(pad, plainPoison[world]);
            if (changed.count == 0) {
                continue;
            }
            MemoryFinding finding = call.finding(MemoryError::OutOfBounds, &each);
            const std::int64_t offset = pad.data() + changed.first - call.placeIn(each, world);
            setOffset(finding, each, offset);
            finding.isWrite = true;
            finding.bytes = changed.count;
            finding.detail = boundsText(offset, each.tensor->bytes());
            context.sanitizer.add(std::move(finding));
            std::ranges::fill(pad, plainPoison[world]);
        }
    }
    for (const GuardedScratch::Overrun& each : context.scratch.overruns()) {
        MemoryFinding finding = call.finding(MemoryError::ScratchOverrun, nullptr);
        finding.isWrite = true;
        finding.offset = each.offset;
        finding.bytes = each.bytes;
        finding.detail = boundsText(each.offset, each.region->bytes);
        context.sanitizer.add(std::move(finding));
    }
}

void AccessReport::tails(const CheckedCall& call) const {
    for (const TensorArgument& each : call.arguments()) {
        if (!each.isWritten || !each.storage || !call.isFresh(*each.storage) ||
            each.tensor->raw() != each.place) {
            continue;
        }
        const ValueStorage& storage = context.storages.all()[*each.storage];
        const GuardedRegion& region = storage.memory->in(0);
        const std::size_t used = static_cast<std::size_t>(each.place - region.begin) + each.tensor->bytes();
        const bool isAlone = std::ranges::none_of(call.arguments(), [&](const TensorArgument& other) {
            return other.storage == each.storage && other.value != each.value;
        });
        if (used >= region.bytes || !isAlone) {
            continue;
        }
        const ChangedBytes changed = changedBytes(region.memory().subspan(used), poisonOf(storage.dtype)[0]);
        if (changed.count > 0) {
            MemoryFinding finding = call.finding(MemoryError::BeyondShape, &each);
            setOffset(finding, each, static_cast<std::int64_t>(each.tensor->bytes() + changed.first));
            finding.isWrite = true;
            finding.bytes = changed.count;
            finding.detail = fmt::format("the shape uses {} of {} bytes", each.tensor->bytes(), region.bytes);
            context.sanitizer.add(std::move(finding));
        }
    }
}

}  // namespace et::tasks
