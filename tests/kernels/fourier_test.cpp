#include "tests/kernels/kernel_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace et::test {
namespace {

using core::Tensor;
using testing::HasSubstr;
using Complex = std::complex<double>;

std::vector<double> samples(std::int64_t count) {
    std::vector<double> made;
    for (std::int64_t i = 0; i < count; ++i) {
        made.push_back(static_cast<double>(i * 7919 % 101) / 10 - 5);
    }
    return made;
}

/// Element k of the transform, computed by its definition.
Complex transformAt(const std::vector<double>& x, std::size_t k) {
    Complex sum;
    for (std::size_t j = 0; j < x.size(); ++j) {
        const double turns = static_cast<double>(j * k % x.size()) / static_cast<double>(x.size());
        sum += x[j] * std::polar(1.0, -2 * std::numbers::pi * turns);
    }
    return sum;
}

std::vector<Complex> spectrumOf(const std::vector<double>& x, std::int64_t normalization) {
    const auto length = static_cast<std::int64_t>(x.size());
    KernelCall call;
    call.tensor<double>({length}, x);
    call.ints({0});
    call.add(normalization);
    call.add(true);
    Tensor& out = call.emptyTensor<Complex>({length / 2 + 1});
    EXPECT_TRUE(call.run("aten::_fft_r2c.out"));
    return elements<Complex>(out);
}

// Powers of two, small and large prime factors, and lengths that require a convolution.
TEST(Fourier, OfAnyLength) {
    for (const std::int64_t length : {1, 2, 3, 4, 5, 6, 7, 12, 16, 60, 61, 64, 67, 77, 100, 134, 201, 243}) {
        const auto x = samples(length);
        const auto spectrum = spectrumOf(x, 0);
        for (std::size_t k = 0; k < spectrum.size(); ++k) {
            ASSERT_LT(std::abs(spectrum[k] - transformAt(x, k)), 1e-9) << length << " elements, number " << k;
        }
    }
}

TEST(Fourier, NormalizesByRootOrCount) {
    const auto x = samples(9);
    const auto plain = spectrumOf(x, 0);
    EXPECT_LT(std::abs(spectrumOf(x, 1)[2] - plain[2] / 3.0), 1e-12);
    EXPECT_LT(std::abs(spectrumOf(x, 2)[2] - plain[2] / 9.0), 1e-12);
}

TEST(Fourier, ThereAndBackInTwoDimensions) {
    const auto x = samples(6 * 5);
    for (const bool lastFirst : {false, true}) {
        const std::int64_t halved = lastFirst ? 0 : 1;
        const std::vector<std::int64_t> half =
            lastFirst ? std::vector<std::int64_t>{4, 5} : std::vector<std::int64_t>{6, 3};
        KernelCall there;
        there.tensor<double>({6, 5}, x, {1, 0});
        there.ints({1 - halved, halved});
        there.add(std::int64_t{0});
        there.add(true);
        Tensor& spectrum = there.emptyTensor<Complex>(half);
        ASSERT_TRUE(there.run("aten::_fft_r2c.out"));

        KernelCall back;
        back.tensor<Complex>(half, elements<Complex>(spectrum));
        back.ints({1 - halved, halved});
        back.add(std::int64_t{2});
        back.add(std::int64_t{lastFirst ? 6 : 5});
        Tensor& out = back.emptyTensor<double>({6, 5}, {1, 0});
        ASSERT_TRUE(back.run("aten::_fft_c2r.out"));
        EXPECT_THAT(elements<double>(out), testing::Pointwise(testing::DoubleNear(1e-12), x));
    }
}

TEST(Fourier, ComplexBackwardUndoesForward) {
    std::vector<Complex> x;
    for (const double real : samples(14)) {
        x.emplace_back(real, real * real - 3);
    }
    KernelCall there;
    there.tensor<Complex>({2, 7}, x);
    there.ints({0, 1});
    there.add(std::int64_t{1});
    there.add(true);
    Tensor& spectrum = there.emptyTensor<Complex>({2, 7});
    ASSERT_TRUE(there.run("aten::_fft_c2c.out"));
    KernelCall back;
    back.tensor<Complex>({2, 7}, elements<Complex>(spectrum));
    back.ints({0, 1});
    back.add(std::int64_t{1});
    back.add(false);
    Tensor& out = back.emptyTensor<Complex>({2, 7});
    ASSERT_TRUE(back.run("aten::_fft_c2c.out"));
    const auto result = elements<Complex>(out);
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_LT(std::abs(result[i] - x[i]), 1e-12);
    }
}

TEST(Fourier, RejectsWrongArguments) {
    const auto transform = [](std::initializer_list<std::int64_t> dims, std::int64_t normalization,
                              std::int64_t size) {
        KernelCall call;
        call.emptyTensor<std::complex<float>>({2, 3});
        call.ints(dims);
        call.add(normalization);
        call.add(size);
        call.resizableTensor<float>({2, 5});
        const auto done = call.run("aten::_fft_c2r.out");
        return done ? std::string("no error") : done.error().message;
    };
    EXPECT_EQ(transform({1}, 0, 4), "no error");
    EXPECT_THAT(transform({}, 0, 4), HasSubstr("at least one dimension"));
    EXPECT_THAT(transform({1, -1}, 0, 4), HasSubstr("twice"));
    EXPECT_THAT(transform({2}, 0, 4), HasSubstr("expected a dimension"));
    EXPECT_THAT(transform({1}, 3, 4), HasSubstr("normalization from 0 to 2, got 3"));
    for (const std::int64_t size : {std::int64_t{0}, INT64_MIN}) {
        EXPECT_THAT(transform({1}, 0, size), HasSubstr("expected a spectrum"));
    }
    EXPECT_THAT(transform({1}, 0, INT64_MAX), HasSubstr("too large"));
}

}  // namespace
}  // namespace et::test
