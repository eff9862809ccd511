#pragma once

#include <cstddef>

namespace et::kernels::reduction {

/// What reductions and normalizations do with floats that lie side by side, vectorised for the processor at
/// hand. Sums are of type T in several parts: give them at most a few thousand elements at a time. T is float
/// or double.
template <class T>
struct RowFunctions {
    T (*sum)(const T* x, std::size_t count);
    /// Of (x - center)².
    T (*squaredDistance)(const T* x, std::size_t count, T center);
    /// NaN when an element is NaN; -infinity without elements.
    T (*maximum)(const T* x, std::size_t count);
    /// NaN when an element is NaN; infinity without elements.
    T (*minimum)(const T* x, std::size_t count);
    /// extremes = the larger (or smaller) of x and extremes, element by element; NaN stays once it is there.
    void (*maximumEach)(const T* x, std::size_t count, T* extremes);
    void (*minimumEach)(const T* x, std::size_t count, T* extremes);

    /// y = 1 / sqrt(x + addend). y may be x.
    void (*reciprocalRoots)(const T* x, std::size_t count, T addend, T* y);
    /// y = exp(x - shift); the sum of y. y may be x.
    T (*exponentials)(const T* x, std::size_t count, T shift, T* y);
    /// y = exp(x - shifts), added to sums, element by element. y may be x.
    void (*exponentialsEach)(const T* x, std::size_t count, const T* shifts, T* y, T* sums);

    /// y = (x - center) * factor + addend. y may be x.
    void (*affine)(const T* x, std::size_t count, T center, T factor, T addend, T* y);
    /// The same with three numbers an element.
    void (*affineEach)(const T* x, std::size_t count, const T* centers, const T* factors, const T* addends,
                       T* y);
    /// y = (x - center) * factor * weights + addends; null weights are 1, null addends 0. y may be x.
    void (*affineWeighted)(const T* x, std::size_t count, T center, T factor, const T* weights,
                           const T* addends, T* y);
};

template <class T>
[[nodiscard]] const RowFunctions<T>& rowFunctions();

}  // namespace et::kernels::reduction
