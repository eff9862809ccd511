#pragma once

#include <cmath>

namespace et::kernels::spatial {

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

}  // namespace et::kernels::spatial
