#pragma once

#include <cstddef>

namespace et::kernels::reduction {

/// Vectorised functions of reductions and normalizations on contiguous floats, dispatched by CPU. Sums are of
/// type T with several partial sums: pass at most a few thousand elements at a time. T is float or double.
template <class T>
struct RowFunctions {
    T (*sum)(const T* x, std::size_t count);
    /// Sum of (x - center)².
    T (*squaredDistance)(const T* x, std::size_t count, T center);
    /// NaN if an element is NaN; -infinity without elements.
    T (*maximum)(const T* x, std::size_t count);
    /// NaN if an element is NaN; infinity without elements.
    T (*minimum)(const T* x, std::size_t count);
    /// extremes = elementwise maximum (or minimum) of x and extremes; NaN propagates.
    void (*maximumEach)(const T* x, std::size_t count, T* extremes);
    void (*minimumEach)(const T* x, std::size_t count, T* extremes);

    /// y = 1 / sqrt(x + addend). y may be x.
    void (*reciprocalRoots)(const T* x, std::size_t count, T addend, T* y);
    /// y = exp(x - shift); returns the sum of y. y may be x.
    T (*exponentials)(const T* x, std::size_t count, T shift, T* y);
    /// y = exp(x - shifts), also added to sums, elementwise. y may be x.
    void (*exponentialsEach)(const T* x, std::size_t count, const T* shifts, T* y, T* sums);

    /// y = (x - center) * factor + addend. y may be x.
    void (*affine)(const T* x, std::size_t count, T center, T factor, T addend, T* y);
    /// The same with three values per element.
    void (*affineEach)(const T* x, std::size_t count, const T* centers, const T* factors, const T* addends,
                       T* y);
    /// y = (x - center) * factor * weights + addends; null weights are 1, null addends 0. y may be x.
    void (*affineWeighted)(const T* x, std::size_t count, T center, T factor, const T* weights,
                           const T* addends, T* y);
};

template <class T>
[[nodiscard]] const RowFunctions<T>& rowFunctions();

}  // namespace et::kernels::reduction
