#include "runtime/kernels/spatial/grid_sampler.h"

#include "runtime/kernels/shape_rules.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace et::kernels::spatial {
namespace {

using std::abs;
using std::floor;
using std::nearbyint;
using std::trunc;

/// A number that is rounded to T after every operation, as PyTorch does for half and bfloat16 where it has no
/// wider type: coordinates rounded differently could select other pixels.
template <class T>
class StepRounded {
  public:
    StepRounded() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): stands for a float
    StepRounded(float number) : value(static_cast<float>(static_cast<T>(number))) {}

    explicit operator float() const { return value; }
    explicit operator double() const { return static_cast<double>(value); }
    explicit operator T() const { return static_cast<T>(value); }

    friend StepRounded operator+(StepRounded a, StepRounded b) { return a.value + b.value; }
    friend StepRounded operator-(StepRounded a, StepRounded b) { return a.value - b.value; }
    friend StepRounded operator*(StepRounded a, StepRounded b) { return a.value * b.value; }
    friend StepRounded operator/(StepRounded a, StepRounded b) { return a.value / b.value; }
    friend bool operator<(StepRounded a, StepRounded b) { return a.value < b.value; }
    friend bool operator>=(StepRounded a, StepRounded b) { return a.value >= b.value; }

    friend StepRounded floor(StepRounded a) { return std::floor(a.value); }
    friend StepRounded trunc(StepRounded a) { return std::trunc(a.value); }
    friend StepRounded nearbyint(StepRounded a) { return std::nearbyint(a.value); }
    friend StepRounded abs(StepRounded a) { return std::abs(a.value); }

  private:
    float value = 0;
};

enum class Interpolation : std::uint8_t { Bilinear, Nearest, Bicubic };
enum class Padding : std::uint8_t { Zeros, Border, Reflection };

/// Type N in which coordinates in the input are computed, for elements of type T.
template <class T>
struct ComputeType {
    using Number = StepRounded<T>;
};
template <>
struct ComputeType<float> {
    using Number = float;
};
template <>
struct ComputeType<double> {
    using Number = double;
};

/// One dimension of the input and its coordinate mapping. Coordinates are in pixels; 0 is the centre of the
/// first.
template <class N>
class Axis {
  public:
    Axis(std::int64_t size, std::int64_t stride, Padding mode, bool alignCorners)
        : padding(mode),
          aligned(alignCorners),
          count(size),
          step(stride),
          last(static_cast<float>(size - 1)),
          scale(static_cast<float>(alignCorners ? size - 1 : size) / 2),
          low(alignCorners ? 0.0F : -0.5F),
          twiceSpan(static_cast<float>(alignCorners ? size - 1 : size) * 2) {}

    /// Converts grid coordinates to pixels, ignoring padding.
    [[nodiscard]] N pixel(N coordinate) const {
        const N place = (coordinate + N(1)) * scale;
        return aligned ? place : place - N(0.5F);
    }

    /// Maps a coordinate into the input according to the padding mode; unchanged for zero padding.
    [[nodiscard]] N inside(N place) const {
        if (padding == Padding::Zeros) {
            return place;
        }
        return clipped(padding == Padding::Reflection ? reflected(place) : place);
    }

    /// Offset of an integer coordinate in elements from the start of the dimension; -1 outside, where values
    /// are zero.
    [[nodiscard]] std::int64_t offset(N place) const {
        return place >= N(0) && place < N(static_cast<float>(count))
                   ? std::min(static_cast<std::int64_t>(static_cast<double>(place)), count - 1) * step
                   : -1;
    }

  private:
    /// Clamps to the input; NaN becomes 0.
    [[nodiscard]] N clipped(N place) const {
        if (!(place >= N(0))) {
            return N(0);
        }
        return last < place ? last : place;
    }

    [[nodiscard]] N reflected(N place) const {
        if (!(N(0) < twiceSpan)) {
            return N(0);
        }
        const N distance = abs(place - low);
        const N extra = distance - trunc(distance / twiceSpan) * twiceSpan;
        const N back = twiceSpan - extra;
        return (back < extra ? back : extra) + low;
    }

    Padding padding;
    bool aligned;
    std::int64_t count;
    std::int64_t step;
    N last;
    N scale;
    N low;  ///< coordinates are reflected here, and half of `twiceSpan` above
    N twiceSpan;
};

/// The inputs of one output, at most 4 x 4: rows of offsets and weights.
template <class N>
struct Taps {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::array<std::array<std::int64_t, 4>, 4> offsets{};  ///< -1: zero
    std::array<N, 4> rowWeights{};
    std::array<N, 4> columnWeights{};

    void setOffset(std::size_t row, std::size_t column, std::int64_t y, std::int64_t x) {
        offsets[row][column] = y < 0 || x < 0 ? -1 : y + x;
    }
};

/// Keys' cubic convolution with a = -0.75 at distances 1 + t, t, 1 - t and 2 - t.
template <class N>
std::array<N, 4> cubicWeights(N t) {
    const N a(-0.75F);
    const auto near = [a](N x) { return ((a + N(2)) * x - (a + N(3))) * x * x + N(1); };
    const auto far = [a](N x) { return ((a * x - N(5) * a) * x + N(8) * a) * x - N(4) * a; };
    const N rest = N(1) - t;
    return {far(t + N(1)), near(t), near(rest), far(rest + N(1))};
}

template <class N>
Taps<N> nearestTap(const Axis<N>& width, const Axis<N>& height, N x, N y) {
    Taps<N> taps{.rows = 1, .columns = 1};
    taps.setOffset(0, 0, height.offset(nearbyint(height.inside(height.pixel(y)))),
                   width.offset(nearbyint(width.inside(width.pixel(x)))));
    return taps;
}

template <class N>
Taps<N> bilinearTaps(const Axis<N>& width, const Axis<N>& height, N x, N y) {
    const N right = width.inside(width.pixel(x));
    const N down = height.inside(height.pixel(y));
    const N left = floor(right);
    const N up = floor(down);
    Taps<N> taps{.rows = 2, .columns = 2};
    for (std::size_t row = 0; row < 2; ++row) {
        for (std::size_t column = 0; column < 2; ++column) {
            taps.setOffset(row, column, height.offset(up + N(static_cast<float>(row))),
                           width.offset(left + N(static_cast<float>(column))));
        }
    }
    taps.columnWeights[1] = right - left;
    taps.columnWeights[0] = N(1) - taps.columnWeights[1];
    taps.rowWeights[1] = down - up;
    taps.rowWeights[0] = N(1) - taps.rowWeights[1];
    return taps;
}

template <class N>
Taps<N> bicubicTaps(const Axis<N>& width, const Axis<N>& height, N x, N y) {
    const N right = width.pixel(x);
    const N down = height.pixel(y);
    const N left = floor(right);
    const N up = floor(down);
    Taps<N> taps{.rows = 4, .columns = 4};
    for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t column = 0; column < 4; ++column) {
            const N shiftX(static_cast<float>(column) - 1);
            const N shiftY(static_cast<float>(row) - 1);
            taps.setOffset(row, column, height.offset(height.inside(up + shiftY)),
                           width.offset(width.inside(left + shiftX)));
        }
    }
    taps.columnWeights = cubicWeights(right - left);
    taps.rowWeights = cubicWeights(down - up);
    return taps;
}

/// Returns an input element, or zero.
template <class N, class T>
N valueAt(const T* plane, std::int64_t offset) {
    if (offset < 0) {
        return N(0);
    }
    if constexpr (std::is_same_v<N, T>) {
        return plane[offset];
    } else {
        return N(static_cast<float>(plane[offset]));
    }
}

template <class N, class T>
T mixBilinear(const Taps<N>& taps, const T* plane) {
    N sum(0);
    for (std::size_t row = 0; row < 2; ++row) {
        for (std::size_t column = 0; column < 2; ++column) {
            sum = sum + valueAt<N>(plane, taps.offsets[row][column]) *
                            (taps.rowWeights[row] * taps.columnWeights[column]);
        }
    }
    return static_cast<T>(sum);
}

template <class N, class T>
T mixBicubic(const Taps<N>& taps, const T* plane) {
    N sum(0);
    for (std::size_t row = 0; row < 4; ++row) {
        N rowSum(0);
        for (std::size_t column = 0; column < 4; ++column) {
            rowSum = rowSum + valueAt<N>(plane, taps.offsets[row][column]) * taps.columnWeights[column];
        }
        sum = sum + rowSum * taps.rowWeights[row];
    }
    return static_cast<T>(sum);
}

struct Modes {
    Interpolation interpolation;
    Padding padding;
    bool alignCorners;
};

template <class T>
void sample(KernelContext& context, const Tensor& input, const Tensor& grid, Modes modes, Tensor& out) {
    using N = typename ComputeType<T>::Number;
    const Axis<N> height(input.size(2), input.stride(2), modes.padding, modes.alignCorners);
    const Axis<N> width(input.size(3), input.stride(3), modes.padding, modes.alignCorners);
    const auto samplePlace = [&](std::int64_t batch, std::int64_t h, std::int64_t w) {
        const T* place = grid.data<T>() + batch * grid.stride(0) + h * grid.stride(1) + w * grid.stride(2);
        const auto x = valueAt<N>(place, 0);
        const auto y = valueAt<N>(place, grid.stride(3));
        const Taps<N> taps =
            modes.interpolation == Interpolation::Bilinear  ? bilinearTaps(width, height, x, y)
            : modes.interpolation == Interpolation::Nearest ? nearestTap(width, height, x, y)
                                                            : bicubicTaps(width, height, x, y);
        const T* plane = input.data<T>() + batch * input.stride(0);
        T* result = out.mutableData<T>() + batch * out.stride(0) + h * out.stride(2) + w * out.stride(3);
        for (std::int64_t channel = 0; channel < input.size(1); ++channel) {
            *result = taps.rows == 1   ? static_cast<T>(valueAt<N>(plane, taps.offsets[0][0]))
                      : taps.rows == 2 ? mixBilinear(taps, plane)
                                       : mixBicubic(taps, plane);
            plane += input.stride(1);
            result += out.stride(1);
        }
    };
    const std::int64_t rows = out.size(0) * out.size(2);
    const std::int64_t cost = out.size(3) * out.size(1) * 8;
    context.threads().parallelFor(
        static_cast<std::size_t>(rows), static_cast<std::size_t>((1 << 15) / cost + 1),
        [&](std::size_t begin, std::size_t end) {
            for (auto row = static_cast<std::int64_t>(begin); row < static_cast<std::int64_t>(end); ++row) {
                for (std::int64_t w = 0; w < out.size(3); ++w) {
                    samplePlace(row / out.size(2), row % out.size(2), w);
                }
            }
        });
}

core::Result<> checkShapes(const Tensor& input, const Tensor& grid) {
    if (input.dim() != 4 || grid.dim() != 4 || grid.size(3) != 2 || grid.size(0) != input.size(0)) {
        return invalid(fmt::format("expected an input [n, c, h, w] and a grid [n, h, w, 2], got {} and {}",
                                   core::sizesText(input.sizes()), core::sizesText(grid.sizes())));
    }
    if (input.size(2) < 1 || input.size(3) < 1) {
        return invalid(fmt::format("expected a non-empty image, got {}", core::sizesText(input.sizes())));
    }
    if (grid.dtype() != input.dtype()) {
        return invalid(fmt::format("expected a grid of {}, got {}", core::scalarTypeName(input.dtype()),
                                   core::scalarTypeName(grid.dtype())));
    }
    return {};
}

}  // namespace

core::Result<> gridSampler2d(KernelContext& context, const Tensor& input, const Tensor& grid,
                             std::int64_t interpolation, std::int64_t padding, bool alignCorners,
                             Tensor& out) {
    ET_TRY(checkShapes(input, grid));
    if (interpolation < 0 || interpolation > 2 || padding < 0 || padding > 2) {
        return invalid(fmt::format("expected interpolation and padding modes from 0 to 2, got {} and {}",
                                   interpolation, padding));
    }
    ET_TRY(out.resize(Sizes{input.size(0), input.size(1), grid.size(1), grid.size(2)}));
    if (out.dtype() != input.dtype()) {
        return invalid(fmt::format("expected a result of {}, got {}", core::scalarTypeName(input.dtype()),
                                   core::scalarTypeName(out.dtype())));
    }
    if (out.numel() == 0) {
        return {};
    }
    const Modes modes{static_cast<Interpolation>(interpolation), static_cast<Padding>(padding), alignCorners};
    return core::FloatTypes::visit(
        input.dtype(),
        [&]<class T>(std::type_identity<T>) -> core::Result<> {
            sample<T>(context, input, grid, modes, out);
            return {};
        },
        [&] -> core::Result<> { return unsupportedType(input.dtype()); });
}

}  // namespace et::kernels::spatial
