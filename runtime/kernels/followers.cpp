#include "runtime/kernels/followers.h"

#include "runtime/kernels/result_steps.h"

#include <algorithm>

namespace et::kernels {
namespace {

using core::Tensor;

constexpr std::size_t partElements = 4096;  // half of the smallest first-level cache

bool isPlain(const Tensor& tensor) {
    return tensor.dtype() == core::ScalarType::Float && tensor.isContiguous() && !tensor.isConstant() &&
           tensor.numel() > 0;
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
    for (const PartOperation& operation : steps()) {
        operation.run(operation, part);
    }
}

template <class Apply>
void Followers::applyTimed(std::size_t elements, const Apply& apply) const {
    if (!isTimed || timing.next(elements) != PartTiming::Turn::First) {
        apply(0, count);
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        timing.measure(i, elements, [&] { apply(i, 1); });
    }
}

void Followers::applyToAll(const KernelContext& context, float* elements, std::size_t samples,
                           std::size_t channels, std::size_t columns) const {
    const std::size_t together = std::clamp<std::size_t>(partElements / columns, 1, channels);
    const std::size_t parts = (channels + together - 1) / together;
    context.threads().parallelFor(samples * parts, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t channel = i % parts * together;
            const Part part{.elements = elements + (i / parts * channels + channel) * columns,
                            .channel = channel,
                            .channels = std::min(together, channels - channel),
                            .columns = columns,
                            .stride = columns};
            applyTimed(part.channels * columns, [&](std::size_t first, std::size_t some) {
                for (const PartOperation& operation : steps().subspan(first, some)) {
                    operation.run(operation, part);
                }
            });
        }
    });
}

void Followers::applyToPixels(const KernelContext& context, float* elements, std::size_t pixels,
                              std::size_t channels) const {
    const std::size_t together = std::clamp<std::size_t>(partElements / channels, 1, pixels);
    context.threads().parallelFor(
        (pixels + together - 1) / together, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t pixel = i * together;
                const std::size_t some = std::min(together, pixels - pixel);
                applyTimed(some * channels, [&](std::size_t first, std::size_t numbers) {
                    doSteps(steps().subspan(first, numbers), elements + pixel * channels, some, channels);
                });
            }
        });
}

FusedTimes Followers::times(std::size_t threads) const {
    FusedTimes times{};
    const double share = static_cast<double>(timing.elements()) / static_cast<double>(threads);
    // Steps of a kernel cannot be told apart: each has an equal part of what they took together. Where too
    // few parts were measured, nobody knows, and all is the kernel's.
    const double without = timing.median(withoutSteps);
    const double step =
        without == 0 ? 0 : std::max(0.0, timing.median(withSteps) - without) / static_cast<double>(count);
    for (std::size_t i = 0; i < count && i + 1 < times.size(); ++i) {
        const double each = timing.median(withSteps) == 0 ? timing.median(i) : step;
        times[i + 1] = static_cast<std::uint64_t>(each * share);
    }
    return times;
}

}  // namespace et::kernels
