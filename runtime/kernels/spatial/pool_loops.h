#pragma once

#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/spatial/pool_shape.h"

#include <algorithm>
#include <cstdint>

// Loops shared by all pooling operators. They compute a run of outputs at a time, in "lanes" that a compiler
// can vectorise: along the channels if these are contiguous (channels-last), otherwise along the width.
//
// A reducer R is constructed once per run and has, for elements of type T:
//
//     start(lane, place)                                a lane; place: plane index of its first input
//     take(source, step, lane, count, place, placeStep) one input for each of `count` lanes
//     fold(source, step, lane, count, place, placeStep) `count` inputs for one lane
//     store(run)                                        the results of a run of lanes
namespace et::kernels::spatial {

inline constexpr std::int64_t maxLanes = 128;

/// A run of outputs, starting at (batch, channel, depth, height, width), with `lanes` of them along the
/// channels or the width.
struct PoolRun {
    std::int64_t batch;
    std::int64_t channel;
    std::array<std::int64_t, 3> at;
    std::int64_t lanes;
    bool alongChannels;

    [[nodiscard]] std::int64_t offset(const PoolStrides& strides) const {
        return batch * strides.batch + channel * strides.channel + at[0] * strides.axes[0] +
               at[1] * strides.axes[1] + at[2] * strides.axes[2];
    }
    [[nodiscard]] std::int64_t laneStep(const PoolStrides& strides) const {
        return alongChannels ? strides.channel : strides.axes[2];
    }
};

/// Calls `visit(offset, place)` for each input row of a window in depth and height, with its offset in
/// elements and the index of its first element in the plane.
template <class Visit>
void forWindowRows(const PoolShape& shape, const PoolStrides& strides, const PoolRun& run, Visit&& visit) {
    const PoolWindow depth = shape.axes[0].window(run.at[0]);
    const PoolWindow height = shape.axes[1].window(run.at[1]);
    for (std::int64_t d = 0; d < depth.count; ++d) {
        const std::int64_t z = depth.first + d * shape.axes[0].dilation;
        for (std::int64_t h = 0; h < height.count; ++h) {
            const std::int64_t y = height.first + h * shape.axes[1].dilation;
            visit(z * strides.axes[0] + y * strides.axes[1],
                  (z * shape.axes[1].input + y) * shape.axes[2].input);
        }
    }
}

/// Returns the index in the plane of the first input of a run's window, excluding the width's contribution.
inline std::int64_t firstPosition(const PoolShape& shape, const PoolRun& run) {
    return (shape.axes[0].window(run.at[0]).first * shape.axes[1].input +
            shape.axes[1].window(run.at[1]).first) *
           shape.axes[2].input;
}

/// Limits for computing outputs side by side: wider windows or fewer outputs per row do not benefit.
inline constexpr std::int64_t widestWindowSideBySide = 64;
inline constexpr std::int64_t minOutputsSideBySide = 8;

/// Processes a run along the width: for each window position, all outputs that have an input there.
template <class T, class Reducer>
void takeSideBySide(const PoolShape& shape, const PoolStrides& strides, const PoolRun& run, const T* row,
                    std::int64_t rowPlace, Reducer& reducer) {
    const PoolAxis& width = shape.axes[2];
    for (std::int64_t k = 0; k < width.kernel; ++k) {
        // Output o reads input o * stride + shift, if it exists.
        const std::int64_t shift = k * width.dilation - width.padding;
        const std::int64_t low = shift >= 0 ? 0 : (width.stride - 1 - shift) / width.stride;
        const std::int64_t high = shift >= width.input ? 0 : (width.input - 1 - shift) / width.stride + 1;
        const std::int64_t begin = std::max(low, run.at[2]);
        const std::int64_t end = std::min(high, run.at[2] + run.lanes);
        if (begin < end) {
            const std::int64_t x = begin * width.stride + shift;
            reducer.take(row + x * strides.axes[2], width.stride * strides.axes[2], begin - run.at[2],
                         end - begin, rowPlace + x, width.stride);
        }
    }
}

template <class T, class Reducer>
void reduceAlongWidth(const PoolShape& shape, const T* input, const PoolStrides& strides, const PoolRun& run,
                      Reducer& reducer) {
    const PoolAxis& width = shape.axes[2];
    const std::int64_t start = firstPosition(shape, run);
    for (std::int64_t lane = 0; lane < run.lanes; ++lane) {
        reducer.start(lane, start + width.window(run.at[2] + lane).first);
    }
    const bool sideBySide =
        !width.adaptive && width.kernel <= widestWindowSideBySide && width.output >= minOutputsSideBySide;
    const T* plane = input + run.batch * strides.batch + run.channel * strides.channel;
    forWindowRows(shape, strides, run, [&](std::int64_t offset, std::int64_t place) {
        if (sideBySide) {
            takeSideBySide(shape, strides, run, plane + offset, place, reducer);
            return;
        }
        for (std::int64_t lane = 0; lane < run.lanes; ++lane) {
            const PoolWindow window = width.window(run.at[2] + lane);
            reducer.fold(plane + offset + window.first * strides.axes[2], width.dilation * strides.axes[2],
                         lane, window.count, place + window.first, width.dilation);
        }
    });
}

template <class T, class Reducer>
void reduceAlongChannels(const PoolShape& shape, const T* input, const PoolStrides& strides,
                         const PoolRun& run, Reducer& reducer) {
    const PoolAxis& width = shape.axes[2];
    const PoolWindow window = width.window(run.at[2]);
    const std::int64_t start = firstPosition(shape, run) + window.first;
    for (std::int64_t lane = 0; lane < run.lanes; ++lane) {
        reducer.start(lane, start);
    }
    const T* plane = input + run.batch * strides.batch + run.channel * strides.channel;
    forWindowRows(shape, strides, run, [&](std::int64_t offset, std::int64_t place) {
        for (std::int64_t w = 0; w < window.count; ++w) {
            const std::int64_t x = window.first + w * width.dilation;
            reducer.take(plane + offset + x * strides.axes[2], strides.channel, 0, run.lanes, place + x, 0);
        }
    });
}

/// Computes all outputs; `makeReducer()` returns a reducer for a part of them.
template <class T, class MakeReducer>
void pool(KernelContext& context, const PoolShape& shape, const T* input, const PoolStrides& strides,
          bool alongChannels, MakeReducer makeReducer) {
    const std::int64_t length = alongChannels ? shape.channels : shape.axes[2].output;
    const std::int64_t inner = alongChannels ? shape.axes[2].output : shape.channels;
    const auto runs =
        static_cast<std::size_t>(shape.batch * inner * shape.axes[0].output * shape.axes[1].output);
    std::int64_t cost = length;
    for (const PoolAxis& axis : shape.axes) {
        cost *= std::max<std::int64_t>(axis.window(axis.output / 2).count, 1);
    }
    const auto grain = static_cast<std::size_t>(std::max<std::int64_t>((1 << 15) / cost, 1));
    context.threads().parallelFor(runs, grain, [&](std::size_t begin, std::size_t end) {
        auto reducer = makeReducer();
        for (std::size_t item = begin; item < end; ++item) {
            auto rest = static_cast<std::int64_t>(item);
            PoolRun run{.batch = 0, .channel = 0, .at = {}, .lanes = 0, .alongChannels = alongChannels};
            const auto next = [&rest](std::int64_t size) {
                const std::int64_t at = rest % size;
                rest /= size;
                return at;
            };
            // Outputs that are adjacent in memory are visited consecutively.
            if (alongChannels) {
                run.at[2] = next(inner);
            }
            run.at[1] = next(shape.axes[1].output);
            run.at[0] = next(shape.axes[0].output);
            if (!alongChannels) {
                run.channel = next(inner);
            }
            run.batch = rest;
            for (std::int64_t done = 0; done < length; done += maxLanes) {
                (alongChannels ? run.channel : run.at[2]) = done;
                run.lanes = std::min(maxLanes, length - done);
                if (alongChannels) {
                    reduceAlongChannels(shape, input, strides, run, reducer);
                } else {
                    reduceAlongWidth(shape, input, strides, run, reducer);
                }
                reducer.store(run);
            }
        }
    });
}

}  // namespace et::kernels::spatial
