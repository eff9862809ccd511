#include "runtime/kernels/spatial/pool_loops.h"
#include "runtime/kernels/spatial/pooling.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

namespace et::kernels::spatial {
namespace {

/// The maximum and its index. NaN is greater than everything; the first of equal elements is used, but the
/// last NaN.
template <class T>
class Maximum {
  public:
    using Number = std::conditional_t<sizeof(T) == 2 && !std::is_integral_v<T>, float, T>;

    Maximum(T* out, std::int64_t* indices, const PoolStrides& outStrides, const PoolStrides& indexStrides)
        : values(out), places(indices), valueStrides(outStrides), placeStrides(indexStrides) {}

    void start(std::int64_t lane, std::int64_t place) {
        if constexpr (std::is_integral_v<T>) {
            best[lane] = std::numeric_limits<T>::lowest();
        } else {
            best[lane] = -std::numeric_limits<Number>::infinity();
        }
        bestPlace[lane] = static_cast<Place>(place);
    }

    void take(const T* source, std::int64_t step, std::int64_t lane, std::int64_t count, std::int64_t place,
              std::int64_t placeStep) {
        const auto from = static_cast<Place>(place);
        const auto by = static_cast<Place>(placeStep);
        // Separate loops, so that the compiler vectorises them.
        if (step == 1) {
            takeEach([source](std::int64_t i) { return source[i]; }, lane, count, from, by);
        } else if (step == 2) {
            takeEach([source](std::int64_t i) { return source[2 * i]; }, lane, count, from, by);
        } else {
            takeEach([source, step](std::int64_t i) { return source[step * i]; }, lane, count, from, by);
        }
    }

    void fold(const T* source, std::int64_t step, std::int64_t lane, std::int64_t count, std::int64_t place,
              std::int64_t placeStep) {
        for (std::int64_t i = 0; i < count; ++i) {
            consider(static_cast<Number>(source[i * step]), best[lane],
                     static_cast<Place>(place + i * placeStep), bestPlace[lane]);
        }
    }

    void store(const PoolRun& run) {
        T* value = values + run.offset(valueStrides);
        std::int64_t* place = places + run.offset(placeStrides);
        const std::int64_t valueStep = run.laneStep(valueStrides);
        const std::int64_t placeStep = run.laneStep(placeStrides);
        for (std::int64_t lane = 0; lane < run.lanes; ++lane) {
            value[lane * valueStep] = static_cast<T>(best[lane]);
            place[lane * placeStep] = bestPlace[lane];
        }
    }

  private:
    using Place = std::uint32_t;  ///< half the width of int64: twice as many SIMD lanes

    static void consider(Number number, Number& max, Place place, Place& greatestPlace) {
        bool greater = number > max;
        if constexpr (!std::is_integral_v<T>) {
            // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
            greater |= number != number;
        }
        max = greater ? number : max;
        greatestPlace = greater ? place : greatestPlace;
    }

    template <class Load>
    void takeEach(Load load, std::int64_t lane, std::int64_t count, Place place, Place placeStep) {
        Number* max = best + lane;
        Place* greatestPlace = bestPlace + lane;
        for (std::int64_t i = 0; i < count; ++i) {
            consider(static_cast<Number>(load(i)), max[i], place + static_cast<Place>(i) * placeStep,
                     greatestPlace[i]);
        }
    }

    alignas(64) Number best[maxLanes];
    alignas(64) Place bestPlace[maxLanes];
    T* values;
    std::int64_t* places;
    PoolStrides valueStrides;
    PoolStrides placeStrides;
};

using PooledTypes = core::ElementTypes<std::uint8_t, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                                       core::Half, core::BFloat16, float, double>;

core::Result<> checkTypes(const Tensor& self, const Tensor& out, const Tensor& indices) {
    if (out.dtype() != self.dtype()) {
        return invalid(fmt::format("expected a result of {}, got {}", core::scalarTypeName(self.dtype()),
                                   core::scalarTypeName(out.dtype())));
    }
    if (indices.dtype() != ScalarType::Long) {
        return invalid(
            fmt::format("expected indices of int64, got {}", core::scalarTypeName(indices.dtype())));
    }
    return {};
}

}  // namespace

core::Result<> maxPool(KernelContext& context, const PoolShape& shape, const Tensor& self, Tensor& out,
                       Tensor& indices) {
    ET_TRY(out.resize(shape.outSizes));
    ET_TRY(indices.resize(shape.outSizes));
    ET_TRY(checkTypes(self, out, indices));
    if (out.numel() == 0) {
        return {};
    }
    if (shape.plane() > UINT32_MAX) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("{} elements per channel are too many", shape.plane()));
    }
    const PoolStrides strides = shape.stridesOf(self);
    const PoolStrides outStrides = shape.stridesOf(out);
    const PoolStrides indexStrides = shape.stridesOf(indices);
    const bool alongChannels = shape.channels > 1 && strides.channel == 1;
    return PooledTypes::visit(
        self.dtype(),
        [&]<class T>(std::type_identity<T>) -> core::Result<> {
            pool(context, shape, self.data<T>(), strides, alongChannels, [&] {
                return Maximum<T>(out.mutableData<T>(), indices.mutableData<std::int64_t>(), outStrides,
                                  indexStrides);
            });
            return {};
        },
        [&] -> core::Result<> { return unsupportedType(self.dtype()); });
}

namespace {

/// Calls `visit(batch, channel, at)` for every output.
template <class Visit>
core::Result<> forOutputs(const PoolShape& shape, Visit&& visit) {
    for (std::int64_t batch = 0; batch < shape.batch; ++batch) {
        for (std::int64_t channel = 0; channel < shape.channels; ++channel) {
            for (std::int64_t d = 0; d < shape.axes[0].output; ++d) {
                for (std::int64_t h = 0; h < shape.axes[1].output; ++h) {
                    for (std::int64_t w = 0; w < shape.axes[2].output; ++w) {
                        ET_TRY(visit(PoolRun{batch, channel, {d, h, w}, 1, false}));
                    }
                }
            }
        }
    }
    return {};
}

template <class T>
core::Result<> scatter(const PoolShape& shape, const Tensor& gradOutput, const Tensor& indices,
                       Tensor& gradInput) {
    const PoolStrides gradStrides = shape.stridesOf(gradOutput);
    const PoolStrides indexStrides = shape.stridesOf(indices);
    const PoolStrides inputStrides = shape.stridesOf(gradInput);
    const T* gradients = gradOutput.data<T>();
    const auto* places = indices.data<std::int64_t>();
    T* result = gradInput.mutableData<T>();
    return forOutputs(shape, [&](const PoolRun& run) -> core::Result<> {
        const std::int64_t place = places[run.offset(indexStrides)];
        if (place < 0 || place >= shape.plane()) {
            return invalid(fmt::format("expected indices from 0 to {}, got {}", shape.plane() - 1, place));
        }
        const std::int64_t row = place / shape.axes[2].input;
        const PoolRun target{
            run.batch,
            run.channel,
            {row / shape.axes[1].input, row % shape.axes[1].input, place % shape.axes[2].input},
            1,
            false};
        T& sum = result[target.offset(inputStrides)];
        using Number = typename Maximum<T>::Number;
        sum = static_cast<T>(static_cast<Number>(sum) +
                             static_cast<Number>(gradients[run.offset(gradStrides)]));
        return {};
    });
}

}  // namespace

core::Result<> maxPoolBackward(const PoolShape& shape, const Tensor& gradOutput, const Tensor& self,
                               const Tensor& indices, Tensor& gradInput) {
    ET_TRY(gradInput.resize(self.sizes()));
    ET_TRY(checkTypes(self, gradInput, indices));
    ET_TRY(checkTypes(self, gradOutput, indices));
    if (gradOutput.sizes() != shape.outSizes || indices.sizes() != shape.outSizes) {
        return invalid(fmt::format("expected gradients and indices of {}, got {} and {}",
                                   core::sizesText(shape.outSizes), core::sizesText(gradOutput.sizes()),
                                   core::sizesText(indices.sizes())));
    }
    if (gradInput.numel() == 0) {
        return {};
    }
    std::memset(gradInput.raw(), 0, gradInput.bytes());
    return core::FloatTypes::visit(
        self.dtype(),
        [&]<class T>(std::type_identity<T>) { return scatter<T>(shape, gradOutput, indices, gradInput); },
        [&] -> core::Result<> { return unsupportedType(self.dtype()); });
}

}  // namespace et::kernels::spatial
