#include "runtime/kernels/followers.h"

#include "runtime/core/event_tracer.h"

#include <algorithm>

namespace et::kernels {
namespace {

using core::Tensor;

bool isPlain(const Tensor& tensor) {
    return tensor.dtype() == core::ScalarType::Float && tensor.isContiguous() && !tensor.isConstant() &&
           tensor.numel() > 0;
}

/// What a reading of the clock adds to a time between two.
std::uint64_t clockCost() {
    static const std::uint64_t cost = [] {
        std::uint64_t least = UINT64_MAX;
        for (int i = 0; i < 64; ++i) {
            const std::uint64_t start = core::EventTracer::now();
            least = std::min(least, core::EventTracer::now() - start);
        }
        return least;
    }();
    return cost;
}

}  // namespace

bool overlap(const Tensor& left, const Tensor& right) {
    const auto a = left.rawBytes();
    const auto b = right.rawBytes();
    return !a.empty() && !b.empty() && a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

core::Result<Tensor*> Followers::begin(KernelContext& context, Tensor& out,
                                       std::initializer_list<const Tensor*> read) {
    Tensor* const none = nullptr;
    count = 0;
    numRead = 0;
    result = &out;
    for (const Tensor* tensor : read) {
        readTensors[numRead++] = tensor;
    }
    if (!isPlain(out)) {
        return none;
    }
    for (const Call& call : followers) {
        const std::size_t before = count;
        if (auto done = call.kernel.call(context, call.arguments); !done) {
            // Temporary memory is the same limit for one instruction as for several; anything else is said by
            // the instruction's own kernel.
            return done.error().code == core::ErrorCode::Limit
                       ? core::Result<Tensor*>(std::unexpected(std::move(done).error()))
                       : none;
        }
        if (count != before + 1 || !isPlain(*result) || result->sizes() != out.sizes()) {
            return none;
        }
    }
    const auto isWrittenTo = [&](const Tensor* tensor) {
        return tensor != nullptr && overlap(*tensor, *result);
    };
    isGoing = std::none_of(readTensors.begin(), readTensors.begin() + static_cast<std::ptrdiff_t>(numRead),
                           isWrittenTo);
    return isGoing ? result : none;
}

void Followers::add(const PartOperation& operation, Tensor& out, std::initializer_list<const Tensor*> read) {
    if (count == operations.size() || numRead + read.size() > readTensors.size()) {
        return;  // begin() notes that it is missing
    }
    for (const Tensor* tensor : read) {
        readTensors[numRead++] = tensor;
    }
    operations[count++] = operation;
    result = &out;
}

void Followers::apply(const Part& part) const {
    if (isTimed) {
        applyTimed(part);
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        operations[i].run(operations[i], part);
    }
}

void Followers::applyTimed(const Part& part) const {
    constexpr std::uint64_t period = 8;
    const std::uint64_t elements = part.channels * part.columns;
    timing.elements.fetch_add(elements, std::memory_order_relaxed);
    if (timing.parts.fetch_add(1, std::memory_order_relaxed) % period != 0) {
        for (std::size_t i = 0; i < count; ++i) {
            operations[i].run(operations[i], part);
        }
        return;
    }
    const std::uint64_t cost = clockCost();
    const std::size_t slot = timing.timed.fetch_add(1, std::memory_order_relaxed) % Timing::maxKept;
    std::uint64_t start = core::EventTracer::now();
    for (std::size_t i = 0; i < count; ++i) {
        operations[i].run(operations[i], part);
        const std::uint64_t end = core::EventTracer::now();
        const std::uint64_t took = end - start - std::min(cost, end - start);
        timing.nanosecondsPerElement[i][slot].store(static_cast<float>(took) / static_cast<float>(elements),
                                                    std::memory_order_relaxed);
        start = end;
    }
}

void Followers::applyToAll(const KernelContext& context, float* elements, std::size_t samples,
                           std::size_t channels, std::size_t columns) const {
    constexpr std::size_t partElements = 4096;  // half of the smallest first-level cache
    const std::size_t together = std::clamp<std::size_t>(partElements / columns, 1, channels);
    const std::size_t parts = (channels + together - 1) / together;
    context.threads().parallelFor(samples * parts, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t channel = i % parts * together;
            apply({.elements = elements + (i / parts * channels + channel) * columns,
                   .channel = channel,
                   .channels = std::min(together, channels - channel),
                   .columns = columns,
                   .stride = columns});
        }
    });
}

FusedTimes Followers::times(std::size_t threads) const {
    FusedTimes times{};
    const std::size_t kept = std::min<std::uint64_t>(timing.timed.load(), Timing::maxKept);
    if (kept == 0) {
        return times;
    }
    const double share = static_cast<double>(timing.elements.load()) / static_cast<double>(threads);
    for (std::size_t i = 0; i < count && i + 1 < times.size(); ++i) {
        std::array<float, Timing::maxKept> each{};
        std::ranges::transform(timing.nanosecondsPerElement[i], each.begin(),
                               [](const std::atomic<float>& one) { return one.load(); });
        const auto middle = each.begin() + static_cast<std::ptrdiff_t>(kept / 2);
        std::nth_element(each.begin(), middle, each.begin() + static_cast<std::ptrdiff_t>(kept));
        times[i + 1] = static_cast<std::uint64_t>(*middle * share);
    }
    return times;
}

}  // namespace et::kernels
