#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/reduction/element_access.h"
#include "runtime/kernels/reduction/fourier_transform.h"
#include "runtime/kernels/reduction/reduction_walk.h"
#include "runtime/kernels/strided_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <span>
#include <vector>

// aten::_fft_r2c, _fft_c2r and _fft_c2c. Elements are complex doubles between the first and the last
// transform.
namespace et::kernels {
namespace {

using core::Result;
using reduction::ElementReader;
using reduction::ElementWriter;
using reduction::FourierTransform;
using Complex = FourierTransform::Complex;

enum class Direction : std::uint8_t { Forward, Backward };

/// Elements between two transforms, in row-major order.
struct Workspace {
    Sizes sizes;
    Strides strides;
    std::span<Complex> elements;

    static Result<Workspace> make(KernelContext& context, const Tensor& like) {
        ET_ASSIGN(const auto elements, context.scratch<Complex>(static_cast<std::size_t>(like.numel())));
        return Workspace{
            .sizes = like.sizes(), .strides = rowMajorStrides(like.sizes()), .elements = elements};
    }
};

/// Transform of the lines along one dimension.
struct Pass {
    const FourierTransform& transform;
    Direction direction;
    std::span<Complex> from;
    std::span<Complex> to;

    void run() const {
        direction == Direction::Forward ? transform.run(from, to) : transform.runBackward(from, to);
    }
};

/// Calls `visit(pass, offsets)` for every line along `dim`: offsets of its first element for two sets of
/// strides, which apply to tensors that have `sizes` in all other dimensions.
template <class Visit>
Result<> forLines(KernelContext& context, std::int64_t length, Direction direction, std::size_t dim,
                  Sizes sizes, const std::array<Strides, 2>& strides, const Visit& visit) {
    ET_ASSIGN(const auto transform, FourierTransform::make(context, length));
    ET_ASSIGN(const auto from, context.scratch<Complex>(transform.length()));
    ET_ASSIGN(const auto to, context.scratch<Complex>(transform.length()));
    const Pass pass{.transform = transform, .direction = direction, .from = from, .to = to};
    sizes[dim] = 1;
    const StridedWalk<2> walk(sizes, strides);
    walk.forRows(0, walk.rows(), [&](const auto& row) {
        for (std::int64_t i = 0; i < walk.rowLength(); ++i) {
            visit(pass, row[0] + i * walk.rowStrides()[0], row[1] + i * walk.rowStrides()[1]);
        }
    });
    return {};
}

/// Transforms along `dims`, in place.
Result<> transformInside(KernelContext& context, std::span<const std::size_t> dims, Direction direction,
                         const Workspace& work) {
    for (const std::size_t dim : dims) {
        const auto stride = static_cast<std::size_t>(work.strides[dim]);
        ET_TRY(forLines(context, work.sizes[dim], direction, dim, work.sizes, {work.strides, work.strides},
                        [&](const Pass& pass, std::int64_t at, std::int64_t) {
                            Complex* line = work.elements.data() + at;
                            for (std::size_t i = 0; i < pass.from.size(); ++i) {
                                pass.from[i] = line[i * stride];
                            }
                            pass.run();
                            for (std::size_t i = 0; i < pass.to.size(); ++i) {
                                line[i * stride] = pass.to[i];
                            }
                        }));
    }
    return {};
}

Result<> load(const Tensor& input, const Workspace& work) {
    ET_ASSIGN(const auto reader, ElementReader<Complex>::make(input));
    const StridedWalk<2> walk(input.sizes(), {work.strides, input.strides()});
    const auto length = static_cast<std::size_t>(walk.rowLength());
    walk.forRows(0, walk.rows(), [&](const auto& row) {
        reader.copy(row[1], walk.rowStrides()[1], length, work.elements.data() + row[0]);
    });
    return {};
}

/// Writes the workspace times `scale`.
Result<> store(const Workspace& work, double scale, Tensor& out) {
    ET_ASSIGN(const auto writer, ElementWriter<Complex>::make(out));
    for (Complex& element : work.elements) {
        element *= scale;
    }
    const StridedWalk<2> walk(out.sizes(), {work.strides, out.strides()});
    walk.forRows(0, walk.rows(), [&](const auto& row) {
        writer.commit(work.elements.data() + row[0], row[1], walk.rowStrides()[1],
                      static_cast<std::size_t>(walk.rowLength()));
    });
    return {};
}

/// Dimensions of a transform in the order given; at least one.
struct TransformDims {
    std::vector<std::size_t> dims;

    [[nodiscard]] std::size_t last() const { return dims.back(); }
    [[nodiscard]] std::span<const std::size_t> others() const {
        return std::span(dims).first(dims.size() - 1);
    }
};

Result<TransformDims> transformDims(const Tensor& self, IntList dims) {
    if (dims.empty() || self.dim() == 0) {
        return invalid("expected at least one dimension to transform, got none");
    }
    ET_TRY(wrapDims(dims, self.dim(), false));
    TransformDims wrapped;
    for (const std::int64_t dim : dims) {
        ET_ASSIGN(const std::size_t index, wrapDim(dim, self.dim()));
        wrapped.dims.push_back(index);
    }
    return wrapped;
}

/// Returns the scale of the results: 1, or the number of transformed elements of `signal` to the power of
/// -1/2 or
/// -1.
Result<double> scaleOf(std::int64_t normalization, const Tensor& signal, const TransformDims& dims) {
    double count = 1;
    for (const std::size_t dim : dims.dims) {
        count *= static_cast<double>(signal.size(dim));
    }
    switch (normalization) {
        case 0:
            return 1;
        case 1:
            return 1 / std::sqrt(count);
        case 2:
            return 1 / count;
        default:
            return invalid(fmt::format("expected a normalization from 0 to 2, got {}", normalization));
    }
}

/// Checks that `real` and `complex` have the same precision.
Result<> requirePrecision(const Tensor& real, const Tensor& complex) {
    if (real.dtype() != ScalarType::Float) {
        ET_TRY(expectType(real, ScalarType::Double));
    }
    return expectType(
        complex, real.dtype() == ScalarType::Float ? ScalarType::ComplexFloat : ScalarType::ComplexDouble);
}

Result<> fftR2cOut(KernelContext& context, const Tensor& self, IntList dim, std::int64_t normalization,
                   bool onesided, Tensor& out) {
    ET_ASSIGN(const auto dims, transformDims(self, dim));
    ET_TRY(requirePrecision(self, out));
    const std::size_t last = dims.last();
    const std::int64_t length = self.size(last);
    Sizes sizes = self.sizes();
    sizes[last] = onesided ? length / 2 + 1 : length;
    ET_TRY(out.resize(sizes));
    ET_ASSIGN(const double scale, scaleOf(normalization, self, dims));
    if (out.numel() == 0 || self.numel() == 0) {
        return length == 0 ? invalid("expected elements to transform, got none") : Result<>();
    }
    ET_ASSIGN(const auto work, Workspace::make(context, out));
    ET_ASSIGN(const auto reader, ElementReader<Complex>::make(self));
    const std::int64_t stride = self.stride(last);
    const auto workStride = static_cast<std::size_t>(work.strides[last]);
    const auto kept = static_cast<std::size_t>(sizes[last]);
    ET_TRY(forLines(context, length, Direction::Forward, last, sizes, {work.strides, self.strides()},
                    [&](const Pass& pass, std::int64_t to, std::int64_t from) {
                        reader.copy(from, stride, pass.from.size(), pass.from.data());
                        pass.run();
                        for (std::size_t i = 0; i < kept; ++i) {
                            work.elements[static_cast<std::size_t>(to) + i * workStride] = pass.to[i];
                        }
                    }));
    ET_TRY(transformInside(context, dims.others(), Direction::Forward, work));
    return store(work, scale, out);
}

/// Fills the second half of the spectrum of a real signal: conjugates of the first half in reverse.
void completeSpectrum(std::span<Complex> line) {
    const std::size_t length = line.size();
    line[0] = line[0].real();
    for (std::size_t i = length / 2 + 1; i < length; ++i) {
        line[i] = std::conj(line[length - i]);
    }
    if (length % 2 == 0) {
        line[length / 2] = line[length / 2].real();
    }
}

Result<> fftC2rOut(KernelContext& context, const Tensor& self, IntList dim, std::int64_t normalization,
                   std::int64_t lastDimSize, Tensor& out) {
    ET_ASSIGN(const auto dims, transformDims(self, dim));
    ET_TRY(requirePrecision(out, self));
    const std::size_t last = dims.last();
    if (lastDimSize < 1 || self.size(last) < 1) {
        return invalid(
            fmt::format("expected a spectrum for {} elements, got {} values", lastDimSize, self.size(last)));
    }
    Sizes sizes = self.sizes();
    sizes[last] = lastDimSize;
    ET_TRY(out.resize(sizes));
    ET_ASSIGN(const double scale, scaleOf(normalization, out, dims));
    if (out.numel() == 0) {
        return {};
    }
    ET_ASSIGN(const auto work, Workspace::make(context, self));
    ET_ASSIGN(const auto writer, ElementWriter<double>::make(out));
    ET_ASSIGN(const auto numbers, context.scratch<double>(static_cast<std::size_t>(lastDimSize)));
    ET_TRY(load(self, work));
    ET_TRY(transformInside(context, dims.others(), Direction::Backward, work));
    const auto workStride = static_cast<std::size_t>(work.strides[last]);
    // PyTorch ignores excess spectrum elements and treats missing ones as zeros.
    const std::int64_t half = lastDimSize / 2 + 1;
    const auto given = static_cast<std::size_t>(std::min(self.size(last), half));
    return forLines(context, lastDimSize, Direction::Backward, last, sizes, {work.strides, out.strides()},
                    [&](const Pass& pass, std::int64_t from, std::int64_t to) {
                        for (std::size_t i = 0; i < given; ++i) {
                            pass.from[i] = work.elements[static_cast<std::size_t>(from) + i * workStride];
                        }
                        std::ranges::fill(pass.from.subspan(given), Complex());
                        completeSpectrum(pass.from);
                        pass.run();
                        std::ranges::transform(pass.to, numbers.begin(),
                                               [scale](Complex x) { return x.real() * scale; });
                        writer.commit(numbers.data(), to, out.stride(last), numbers.size());
                    });
}

Result<> fftC2cOut(KernelContext& context, const Tensor& self, IntList dim, std::int64_t normalization,
                   bool forward, Tensor& out) {
    ET_ASSIGN(const auto dims, transformDims(self, dim));
    ET_TRY(out.resize(self.sizes()));
    ET_TRY(expectType(out, self.dtype()));
    if (!core::isComplex(self.dtype())) {
        return unsupportedType(self.dtype());
    }
    ET_ASSIGN(const double scale, scaleOf(normalization, self, dims));
    if (out.numel() == 0) {
        return {};
    }
    ET_ASSIGN(const auto work, Workspace::make(context, self));
    ET_TRY(load(self, work));
    ET_TRY(transformInside(context, dims.dims, forward ? Direction::Forward : Direction::Backward, work));
    return store(work, scale, out);
}

constexpr std::array fourierEntries{
    KernelEntry{"aten::_fft_r2c.out", box<&fftR2cOut>},
    KernelEntry{"aten::_fft_c2r.out", box<&fftC2rOut>},
    KernelEntry{"aten::_fft_c2c.out", box<&fftC2cOut>},
};

}  // namespace

std::span<const KernelEntry> fourierKernels() {
    return fourierEntries;
}

}  // namespace et::kernels
