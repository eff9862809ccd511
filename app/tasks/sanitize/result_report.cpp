#include "app/tasks/sanitize/result_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace et::tasks {
namespace {

/// Parts of a storage in the second world whose contents no instruction defined.
std::vector<std::span<std::byte>> undefinedParts(const CheckedCall& call, const ValueStorage& storage,
                                                 const TensorArgument& argument) {
    const GuardedRegion& region = storage.memory->in(1);
    std::vector<std::span<std::byte>> parts;
    if (storage.isUndefined) {
        parts.push_back(region.memory());
        return parts;
    }
    std::byte* const end = call.placeIn(argument, 1) + argument.tensor->bytes();
    parts.emplace_back(end, region.begin + region.bytes);
    if (&region != &storage.memory->in(0)) {
        parts.push_back(region.after());
        parts.push_back(region.before());
    }
    std::erase_if(parts, [](std::span<std::byte> each) { return each.empty(); });
    return parts;
}

/// Fills the memory that the shape of an output does not use with contents that no output has.
void markTail(const CheckedCall& call, const TensorArgument& argument, const ValueStorage& storage) {
    if (!call.isFresh(*argument.storage)) {
        return;
    }
    for (std::size_t world = 0; world < worldCount; ++world) {
        const GuardedRegion& region = storage.memory->in(world);
        std::byte* const end = call.placeIn(argument, world) + argument.tensor->bytes();
        std::fill(end, region.begin + region.bytes, plainPoison[world]);
    }
}

/// The finding for a result that depends on such a part.
MemoryFinding readOf(const CheckedCall& call, const TensorArgument& argument, const ValueStorage& storage,
                     std::span<const std::byte> part) {
    const GuardedRegion& region = storage.memory->in(1);
    const bool isInside = part.data() >= region.begin && part.data() < region.begin + region.bytes;
    MemoryFinding finding =
        call.finding(isInside ? MemoryError::Uninitialized : MemoryError::OutOfBounds, &argument);
    finding.isWrite = false;
    // Accesses are mostly close to the tensor.
    const std::byte* const nearest = part.data() < region.begin ? region.begin - 1 : part.data();
    setOffset(finding, argument, nearest - call.placeIn(argument, 1));
    if (!isInside) {
        finding.detail = boundsText(*finding.offset, argument.tensor->bytes());
    } else {
        finding.detail = storage.isUndefined
                             ? "its contents are undefined"
                             : fmt::format("the shape uses {} bytes", argument.tensor->bytes());
    }
    return finding;
}

}  // namespace

bool ResultReport::readsUndefined(const CheckedCall& call) const {
    return std::ranges::any_of(call.arguments(), [this](const TensorArgument& each) {
        return each.isRead && each.storage && context.storages.all()[*each.storage].isUndefined;
    });
}

void ResultReport::compare(CheckedCall& call) const {
    call.openOutputs(0);
    call.openOutputs(1);
    for (const TensorArgument& each : call.arguments()) {
        if (each.isWritten && each.storage && each.tensor->bytes() > 0 && each.tensor->raw() == each.place) {
            take(call, each);
        }
    }
}

void ResultReport::take(CheckedCall& call, const TensorArgument& argument) const {
    ValueStorage& storage = context.storages.all()[*argument.storage];
    storage.unwritten.reset();
    storage.isUndefined = call.instruction().leavesUndefined;
    if (storage.isUndefined || storage.role == ValueStorage::Role::Constant) {
        return;
    }
    const std::size_t bytes = argument.tensor->bytes();
    markTail(call, argument, storage);
    std::byte* const second = call.placeIn(argument, 1);
    const ResultDifference difference = compareWorlds(
        {.copies = {std::span(argument.place, bytes), std::span(second, bytes)}, .dtype = storage.dtype},
        call.isFresh(*argument.storage));
    // A copy of undefined contents is undefined, and only its use is an error.
    storage.isUndefined = difference.unwritten > 0 && difference.differing == 0 && readsUndefined(call);
    if (storage.isUndefined) {
        return;
    }
    if (difference.unwritten > 0) {
        MemoryFinding finding = call.finding(MemoryError::NotWritten, &argument);
        setOffset(finding, argument, static_cast<std::int64_t>(difference.firstUnwritten));
        finding.bytes = difference.unwritten;
        finding.detail = fmt::format("{} of {} bytes are not written", difference.unwritten, bytes);
        storage.unwritten = std::move(finding);
    }
    if (difference.differing > 0 && !call.hasReadOutside()) {
        MemoryFinding finding = explain(call, argument);
        if (!finding.offset) {
            setOffset(finding, argument, static_cast<std::int64_t>(difference.firstDiffering));
        }
        context.sanitizer.add(std::move(finding));
        call.openOutputs(0);
        call.openOutputs(1);
    }
    if (difference.unwritten > 0 || difference.differing > 0) {
        std::memcpy(second, argument.place, bytes);
    }
}

bool ResultReport::changes(CheckedCall& call, const TensorArgument& argument,
                           const std::vector<std::byte>& expected, std::byte scratchPoison,
                           std::optional<std::byte> outputPoison, const std::function<void()>& change) const {
    call.poisonOutputs(1, outputPoison);
    if (change) {
        change();
    }
    if (!call.runIn(1, scratchPoison, nullptr)) {
        return true;
    }
    call.openOutputs(1);
    const std::byte* const result = call.placeIn(argument, 1);
    const auto poison = outputPoison.value_or(poisonOf(context.storages.all()[*argument.storage].dtype)[1]);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (result[i] != expected[i] && !(outputPoison && result[i] == poison)) {
            return true;
        }
    }
    return false;
}

std::optional<MemoryFinding> ResultReport::explainByArguments(CheckedCall& call,
                                                              const TensorArgument& argument,
                                                              const std::vector<std::byte>& expected) const {
    for (const TensorArgument& each : call.arguments()) {
        if (!each.isRead || !each.storage || each.storage == argument.storage) {
            continue;
        }
        const ValueStorage& storage = context.storages.all()[*each.storage];
        for (const std::span<std::byte> part : undefinedParts(call, storage, each)) {
            GuardedRegion& region = storage.memory->in(1);
            const GuardedRegion::Access usual = region.access;
            context.heap().setAccess(region, GuardedRegion::Access::Write);
            const std::vector<std::byte> before(part.begin(), part.end());
            const auto fill = [&] {
                context.heap().setAccess(region, GuardedRegion::Access::Write);
                std::ranges::fill(part, probePoison);
            };
            const bool isCause = changes(call, argument, expected, plainPoison[1], {}, fill);
            context.heap().setAccess(region, GuardedRegion::Access::Write);
            std::ranges::copy(before, part.begin());
            if (storage.role == ValueStorage::Role::Constant) {
                context.heap().setAccess(region, usual);
            }
            if (isCause) {
                return readOf(call, each, storage, part);
            }
        }
    }
    return std::nullopt;
}

MemoryFinding ResultReport::explain(CheckedCall& call, const TensorArgument& argument) const {
    if (!call.canRunAgain()) {
        MemoryFinding finding = call.finding(MemoryError::Uninitialized, nullptr);
        finding.detail = "two calls with equal arguments have different results";
        return finding;
    }
    const std::byte* const place = call.placeIn(argument, 1);
    const std::vector<std::byte> expected(place, place + argument.tensor->bytes());
    if (changes(call, argument, expected, plainPoison[1], {}, {})) {
        MemoryFinding finding = call.finding(MemoryError::Nondeterministic, &argument);
        finding.detail = "calls with equal arguments and memory have different results";
        return finding;
    }
    if (auto found = explainByArguments(call, argument, expected)) {
        return *std::move(found);
    }
    if (changes(call, argument, expected, probePoison, {}, {})) {
        MemoryFinding finding = call.finding(MemoryError::Uninitialized, nullptr);
        finding.isWrite = false;
        finding.detail = "the result depends on temporary memory that the kernel did not write";
        return finding;
    }
    MemoryFinding finding = call.finding(MemoryError::Uninitialized, &argument);
    finding.isWrite = false;
    finding.detail = changes(call, argument, expected, plainPoison[1], probePoison, {})
                         ? "the kernel reads its output before it writes it"
                         : "the result depends on memory outside of the arguments, or on addresses";
    return finding;
}

void ResultReport::use(ValueStorage& storage) const {
    if (storage.unwritten) {
        context.sanitizer.add(*std::exchange(storage.unwritten, std::nullopt));
    }
}

}  // namespace et::tasks
