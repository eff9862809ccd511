#pragma once

#include "runtime/core/result.h"
#include "runtime/kernels/kernel_context.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::kernels::reduction {

/// The discrete Fourier transform of one length: y[k] = sum of x[j] * exp(-2 pi i j k / length), not
/// normalized. Lengths with small prime factors use Cooley and Tukey's mixed-radix algorithm
/// (https://doi.org/10.1090/S0025-5718-1965-0178586-1), others Bluestein's, which converts it to a
/// convolution (https://doi.org/10.1109/TAU.1970.1162132): length * log(length) steps in both cases.
class FourierTransform {
  public:
    using Complex = std::complex<double>;
    using Line = std::span<Complex>;

    /// Keeps its tables in the instruction's scratch memory. Errors: InvalidArgument (a length below 1),
    /// Limit.
    [[nodiscard]] static core::Result<FourierTransform> make(KernelContext& context, std::int64_t length);

    [[nodiscard]] std::size_t length() const { return size; }
    /// `from` and `to` must have length() elements and not overlap; `from` may be overwritten.
    void run(Line from, Line to) const;
    /// The same with exp(+2 pi i j k / length).
    void runBackward(Line from, Line to) const;

  private:
    FourierTransform() = default;
    core::Result<> makeMixed(KernelContext& context);
    core::Result<> makeChirp(KernelContext& context);
    void mixed(const Complex* from, std::size_t step, Complex* to, std::size_t count,
               std::size_t factor) const;
    void combine(Complex* parts, std::size_t count, std::size_t radix) const;
    void runChirp(Line from, Line to) const;

    std::size_t size = 0;
    std::vector<std::size_t> factors;  ///< prime factors of `size`; empty for Bluestein's algorithm
    Line roots;                        ///< exp(-2 pi i j / size)

    // Bluestein's algorithm: a convolution with a chirp, using power-of-two transforms.
    std::vector<FourierTransform> inner;  ///< at most one
    Line chirp;                           ///< exp(-pi i j^2 / size)
    Line chirpSpectrum;                   ///< spectrum of its conjugate, divided by the inner length
    Line padded;
    Line spectrum;
};

}  // namespace et::kernels::reduction
