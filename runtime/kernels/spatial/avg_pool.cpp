#include "runtime/kernels/spatial/pool_loops.h"
#include "runtime/kernels/spatial/pooling.h"

#include <fmt/format.h>

#include <array>

namespace et::kernels::spatial {
namespace {

/// Saturating product: windows that extend far into padding can have more positions than int64 holds.
std::int64_t product(std::int64_t left, std::int64_t right) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(left, right, &result) ? INT64_MAX : result;
}

template <class T>
class Average {
  public:
    /// Integers are summed as unsigned ones, whose overflow is defined.
    using Sum = std::conditional_t<std::is_integral_v<T>, std::uint64_t,
                                   std::conditional_t<std::is_same_v<T, double>, double, float>>;

    Average(const PoolShape& poolShape, const AverageDivisor& by, T* out, const PoolStrides& strides)
        : shape(poolShape), divisor(by), values(out), valueStrides(strides) {}

    void start(std::int64_t lane, std::int64_t) { sums[lane] = 0; }

    void take(const T* source, std::int64_t step, std::int64_t lane, std::int64_t count, std::int64_t,
              std::int64_t) {
        Sum* sum = sums + lane;
        // Separate loops, so that the compiler vectorises them.
        if (step == 1) {
            for (std::int64_t i = 0; i < count; ++i) {
                sum[i] += static_cast<Sum>(source[i]);
            }
        } else {
            for (std::int64_t i = 0; i < count; ++i) {
                sum[i] += static_cast<Sum>(source[i * step]);
            }
        }
    }

    void fold(const T* source, std::int64_t step, std::int64_t lane, std::int64_t count, std::int64_t,
              std::int64_t) {
        constexpr std::int64_t parts = 8;
        std::array<Sum, parts> partial{};
        std::int64_t i = 0;
        if (step == 1) {
            for (; i + parts <= count; i += parts) {
                for (std::int64_t part = 0; part < parts; ++part) {
                    partial[static_cast<std::size_t>(part)] += static_cast<Sum>(source[i + part]);
                }
            }
        }
        Sum sum = 0;
        for (; i < count; ++i) {
            sum += static_cast<Sum>(source[i * step]);
        }
        for (const Sum part : partial) {
            sum += part;
        }
        sums[lane] += sum;
    }

    void store(const PoolRun& run) {
        const std::array windows{shape.axes[0].window(run.at[0]), shape.axes[1].window(run.at[1])};
        T* value = values + run.offset(valueStrides);
        const std::int64_t step = run.laneStep(valueStrides);
        for (std::int64_t lane = 0; lane < run.lanes; ++lane) {
            const PoolWindow width = shape.axes[2].window(run.at[2] + (run.alongChannels ? 0 : lane));
            const std::int64_t inputs = windows[0].count * windows[1].count * width.count;
            std::int64_t by = inputs;
            if (divisor.fixed) {
                by = *divisor.fixed;
            } else if (divisor.countPadding) {
                by = product(product(windows[0].places, windows[1].places), width.places);
            }
            value[lane * step] = inputs == 0 ? T{} : quotient(sums[lane], by);
        }
    }

  private:
    static T quotient(Sum sum, std::int64_t by) {
        if constexpr (std::is_integral_v<T>) {
            const Sum size = by == -1 ? 0 - sum : static_cast<Sum>(static_cast<std::int64_t>(sum) / by);
            return static_cast<T>(size);
        } else {
            return static_cast<T>(sum / static_cast<Sum>(by));
        }
    }

    alignas(64) Sum sums[maxLanes];
    const PoolShape& shape;
    AverageDivisor divisor;
    T* values;
    PoolStrides valueStrides;
};

template <class T>
core::Result<> average(KernelContext& context, const PoolShape& shape, const AverageDivisor& divisor,
                       const Tensor& self, Tensor& out) {
    const PoolStrides strides = shape.stridesOf(self);
    const PoolStrides outStrides = shape.stridesOf(out);
    pool(context, shape, self.data<T>(), strides, shape.channels > 1 && strides.channel == 1,
         [&] { return Average<T>(shape, divisor, out.mutableData<T>(), outStrides); });
    return {};
}

using AveragedTypes = core::ElementTypes<std::int64_t, core::Half, core::BFloat16, float, double>;

}  // namespace

core::Result<> avgPool(KernelContext& context, const PoolShape& shape, const AverageDivisor& divisor,
                       const Tensor& self, Tensor& out) {
    if (divisor.fixed == 0) {
        return invalid("expected a non-zero divisor");
    }
    ET_TRY(out.resize(shape.outSizes));
    if (out.dtype() != self.dtype()) {
        return invalid(fmt::format("expected a result of {}, got {}", core::scalarTypeName(self.dtype()),
                                   core::scalarTypeName(out.dtype())));
    }
    if (out.numel() == 0) {
        return {};
    }
    return AveragedTypes::visit(
        self.dtype(),
        [&]<class T>(std::type_identity<T>) { return average<T>(context, shape, divisor, self, out); },
        [&] -> core::Result<> { return unsupportedType(self.dtype()); });
}

}  // namespace et::kernels::spatial
