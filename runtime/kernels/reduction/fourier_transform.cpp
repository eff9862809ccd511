#include "runtime/kernels/reduction/fourier_transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace et::kernels::reduction {
namespace {

using Complex = FourierTransform::Complex;

/// Maximum prime factor: for larger ones a convolution is cheaper.
constexpr std::size_t largestFactor = 61;
constexpr std::int64_t longest = std::int64_t{1} << 31;

/// exp(-2 pi i part / whole), part < whole.
Complex root(std::size_t part, std::size_t whole) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(part) / static_cast<double>(whole);
    return {std::cos(angle), std::sin(angle)};
}

/// Complex product without the infinity checks of the operator.
Complex product(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Appends the prime factors up to largestFactor in ascending order and returns the remaining factor.
std::size_t takeFactors(std::size_t number, std::vector<std::size_t>& factors) {
    for (std::size_t factor = 2; factor <= largestFactor; ++factor) {
        while (number % factor == 0) {
            factors.push_back(factor);
            number /= factor;
        }
    }
    return number;
}

}  // namespace

core::Result<FourierTransform> FourierTransform::make(KernelContext& context, std::int64_t length) {
    if (length < 1) {
        return invalid(fmt::format("expected at least one element to transform, got {}", length));
    }
    if (length > longest) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("a transform of {} elements is too large", length));
    }
    FourierTransform transform;
    transform.size = static_cast<std::size_t>(length);
    if (takeFactors(transform.size, transform.factors) == 1) {
        ET_TRY(transform.makeMixed(context));
    } else {
        transform.factors.clear();
        ET_TRY(transform.makeChirp(context));
    }
    return transform;
}

core::Result<> FourierTransform::makeMixed(KernelContext& context) {
    ET_ASSIGN(roots, context.scratch<Complex>(size));
    for (std::size_t i = 0; i < size; ++i) {
        roots[i] = root(i, size);
    }
    return {};
}

core::Result<> FourierTransform::makeChirp(KernelContext& context) {
    const std::size_t wide = std::bit_ceil(2 * size - 1);
    ET_ASSIGN(chirp, context.scratch<Complex>(size));
    ET_ASSIGN(chirpSpectrum, context.scratch<Complex>(wide));
    ET_ASSIGN(padded, context.scratch<Complex>(wide));
    ET_ASSIGN(spectrum, context.scratch<Complex>(wide));
    ET_ASSIGN(auto transform, make(context, static_cast<std::int64_t>(wide)));
    inner.push_back(std::move(transform));
    for (std::size_t i = 0; i < size; ++i) {
        chirp[i] = root(i * i % (2 * size), 2 * size);
    }
    std::ranges::fill(padded, Complex{});
    for (std::size_t i = 0; i < size; ++i) {
        padded[i] = std::conj(chirp[i]);
        padded[(wide - i) % wide] = std::conj(chirp[i]);
    }
    inner[0].run(padded, chirpSpectrum);
    for (Complex& number : chirpSpectrum) {
        number /= static_cast<double>(wide);
    }
    return {};
}

void FourierTransform::run(Line from, Line to) const {
    if (inner.empty()) {
        mixed(from.data(), 1, to.data(), size, 0);
    } else {
        runChirp(from, to);
    }
}

void FourierTransform::runBackward(Line from, Line to) const {
    std::ranges::transform(from, from.begin(), [](Complex x) { return std::conj(x); });
    run(from, to);
    std::ranges::transform(to, to.begin(), [](Complex x) { return std::conj(x); });
}

/// Transforms `count` elements with a stride of `step`: first the parts of every radix-th element, then
/// combines them.
void FourierTransform::mixed(const Complex* from, std::size_t step, Complex* to, std::size_t count,
                             std::size_t factor) const {
    if (count == 1) {
        *to = *from;
        return;
    }
    const std::size_t radix = factors[factor];
    const std::size_t part = count / radix;
    for (std::size_t r = 0; r < radix; ++r) {
        mixed(from + r * step, step * radix, to + r * part, part, factor + 1);
    }
    combine(to, count, radix);
}

/// Combines `radix` consecutive transforms into the transform of `count` elements.
void FourierTransform::combine(Complex* parts, std::size_t count, std::size_t radix) const {
    const std::size_t part = count / radix;
    const std::size_t step = size / count;
    if (radix == 2) {
        for (std::size_t k = 0; k < part; ++k) {
            const Complex even = parts[k];
            const Complex odd = product(parts[part + k], roots[k * step]);
            parts[k] = even + odd;
            parts[part + k] = even - odd;
        }
        return;
    }
    std::array<Complex, largestFactor> turned;
    for (std::size_t k = 0; k < part; ++k) {
        for (std::size_t r = 0; r < radix; ++r) {
            turned[r] = product(parts[r * part + k], roots[r * k * step]);
        }
        for (std::size_t q = 0; q < radix; ++q) {
            Complex sum = turned[0];
            for (std::size_t r = 1; r < radix; ++r) {
                sum += product(turned[r], roots[q * r % radix * (size / radix)]);
            }
            parts[q * part + k] = sum;
        }
    }
}

void FourierTransform::runChirp(Line from, Line to) const {
    std::ranges::fill(padded, Complex{});
    for (std::size_t i = 0; i < size; ++i) {
        padded[i] = product(from[i], chirp[i]);
    }
    inner[0].run(padded, spectrum);
    for (std::size_t i = 0; i < spectrum.size(); ++i) {
        spectrum[i] = product(spectrum[i], chirpSpectrum[i]);
    }
    inner[0].runBackward(spectrum, padded);
    for (std::size_t i = 0; i < size; ++i) {
        to[i] = product(padded[i], chirp[i]);
    }
}

}  // namespace et::kernels::reduction
