#pragma once

#include <executorch/runtime/core/portable_type/half.h>

namespace executorch::runtime::etensor {

/// A complex number whose parts may be small floats.
template <typename T>
struct alignas(2 * sizeof(T)) complex {
    using value_type = T;

    T real_{};
    T imag_{};

    constexpr complex() = default;
    constexpr complex(T real, T imaginary = T{}) : real_(real), imag_(imaginary) {}
    template <typename From>
    explicit constexpr complex(const complex<From>& other)
        : real_(static_cast<T>(other.real_)), imag_(static_cast<T>(other.imag_)) {}

    constexpr T real() const { return real_; }
    constexpr T imag() const { return imag_; }

    complex& operator+=(const complex& other) { return *this = *this + other; }
    complex& operator-=(const complex& other) { return *this = *this - other; }
    complex& operator*=(const complex& other) { return *this = *this * other; }
    complex& operator/=(const complex& other) { return *this = *this / other; }

    friend complex operator+(const complex& a, const complex& b) {
        return {static_cast<T>(a.real_ + b.real_), static_cast<T>(a.imag_ + b.imag_)};
    }
    friend complex operator-(const complex& a, const complex& b) {
        return {static_cast<T>(a.real_ - b.real_), static_cast<T>(a.imag_ - b.imag_)};
    }
    friend complex operator-(const complex& a) {
        return {static_cast<T>(-a.real_), static_cast<T>(-a.imag_)};
    }
    friend complex operator*(const complex& a, const complex& b) {
        return {static_cast<T>(a.real_ * b.real_ - a.imag_ * b.imag_),
                static_cast<T>(a.real_ * b.imag_ + a.imag_ * b.real_)};
    }
    friend complex operator/(const complex& a, const complex& b) {
        const T norm = b.real_ * b.real_ + b.imag_ * b.imag_;
        return {static_cast<T>((a.real_ * b.real_ + a.imag_ * b.imag_) / norm),
                static_cast<T>((a.imag_ * b.real_ - a.real_ * b.imag_) / norm)};
    }
    friend bool operator==(const complex& a, const complex& b) {
        return a.real_ == b.real_ && a.imag_ == b.imag_;
    }
    friend bool operator!=(const complex& a, const complex& b) { return !(a == b); }
};

}  // namespace executorch::runtime::etensor

namespace torch::executor {
using ::executorch::runtime::etensor::complex;
}
namespace c10 {
using ::executorch::runtime::etensor::complex;
}
