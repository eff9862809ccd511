#pragma once

#include "runtime/core/element_types.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/compute_type.h"
#include "runtime/kernels/element_conversion.h"
#include "runtime/kernels/elements.h"
#include "runtime/kernels/kernel_context.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Element access for reductions, which compute in a few types: elements are converted blockwise in a small
// buffer, or used in place if they have the compute type and are contiguous.
namespace et::kernels::reduction {

using core::ScalarType;
using core::Tensor;

/// Maximum number of elements converted at a time.
inline constexpr std::size_t blockSize = 512;

/// Reads a tensor's elements as `Compute`: float, double, int64 or complex double. Valid as long as the
/// tensor's memory.
template <class Compute>
class ElementReader {
  public:
    using Element = Compute;

    /// With `through`, elements are first converted to that dtype: the `dtype` argument of sum and similar
    /// operators, whose compute type is `Compute`. Errors: Unsupported (a dtype that is not real).
    [[nodiscard]] static core::Result<ElementReader> make(const Tensor& tensor, ScalarType through);
    [[nodiscard]] static core::Result<ElementReader> make(const Tensor& tensor) {
        return make(tensor, tensor.dtype());
    }

    /// True if elements with this stride are read in place.
    [[nodiscard]] bool isInPlace(std::int64_t stride) const { return inPlace && stride == 1; }
    /// Reads `count` elements (at most blockSize if `through` has an effect) starting at `offset` with a
    /// stride of `stride`. Returns a pointer into the tensor or to `buffer`.
    [[nodiscard]] const Compute* read(std::int64_t offset, std::int64_t stride, std::size_t count,
                                      Compute* buffer) const {
        if (inPlace && (stride == 1 || count == 1)) {
            return reinterpret_cast<const Compute*>(memory) + offset;
        }
        convert(memory + offset * width, stride, buffer, count);
        if (rounding != nullptr) {
            rounding(buffer, count);
        }
        return buffer;
    }
    /// The same, but always copies to `buffer`.
    void copy(std::int64_t offset, std::int64_t stride, std::size_t count, Compute* buffer) const {
        const Compute* elements = read(offset, stride, count, buffer);
        std::copy_n(elements, elements == buffer ? 0 : count, buffer);
    }

  private:
    const std::byte* memory = nullptr;
    std::int64_t width = 0;
    bool inPlace = false;
    LoadElements<Compute> convert = nullptr;
    void (*rounding)(Compute*, std::size_t) = nullptr;
};

/// Reads whether elements are nonzero; NaN is.
class TruthReader {
  public:
    using Element = bool;

    /// Errors: Unsupported (a dtype that is not real).
    [[nodiscard]] static core::Result<TruthReader> make(const Tensor& tensor);
    [[nodiscard]] const bool* read(std::int64_t offset, std::int64_t stride, std::size_t count,
                                   bool* buffer) const {
        conversion.run(memory + offset * width, stride * width, reinterpret_cast<std::byte*>(buffer), 1,
                       static_cast<std::int64_t>(count));
        return buffer;
    }

  private:
    const std::byte* memory = nullptr;
    std::int64_t width = 0;
    Conversion conversion;
};

/// Writes a tensor's elements, computed as `Compute`: float, double, int64 or complex double. Valid as long
/// as the tensor's memory.
template <class Compute>
class ElementWriter {
  public:
    /// Errors: Unsupported (a dtype that is not real).
    [[nodiscard]] static core::Result<ElementWriter> make(Tensor& tensor);

    /// True if elements with this stride are computed in place.
    [[nodiscard]] bool isInPlace(std::int64_t stride) const { return inPlace && stride == 1; }
    /// Returns where to compute elements: in the tensor or in `buffer`. Must be followed by commit() with the
    /// same pointer.
    [[nodiscard]] Compute* place(std::int64_t offset, std::int64_t stride, Compute* buffer) const {
        return isInPlace(stride) ? reinterpret_cast<Compute*>(memory) + offset : buffer;
    }
    void commit(const Compute* computed, std::int64_t offset, std::int64_t stride, std::size_t count) const {
        if (!isInPlace(stride) || computed != reinterpret_cast<Compute*>(memory) + offset) {
            convert(computed, memory + offset * width, stride, count);
        }
    }

  private:
    std::byte* memory = nullptr;
    std::int64_t width = 0;
    bool inPlace = false;
    StoreElements<Compute> convert = nullptr;
};

/// Writes `of(i)` for i below `count`, which is at most blockSize.
template <class Compute, class Of>
void writeElements(const ElementWriter<Compute>& writer, std::int64_t offset, std::int64_t stride,
                   std::size_t count, const Of& of) {
    std::array<Compute, blockSize> buffer;
    Compute* to = writer.place(offset, stride, buffer.data());
    for (std::size_t i = 0; i < count; ++i) {
        to[i] = of(i);
    }
    writer.commit(to, offset, stride, count);
}

}  // namespace et::kernels::reduction
