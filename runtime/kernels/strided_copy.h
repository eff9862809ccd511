#pragma once

#include "runtime/core/result.h"
#include "runtime/core/scalar.h"
#include "runtime/core/tensor.h"
#include "runtime/kernels/move_elements.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/thread_pool.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// Moves elements from one place and layout in memory to another. Nearly every operator about shapes is such a
// move: it looks at a tensor, or at a part of it, as if it had other sizes and strides, and copies what it
// sees.
namespace et::kernels {

/// Elements of a tensor as something else than the tensor itself: a part of it, its dimensions in another
/// order, repeated (stride 0), backwards (negative stride). Valid while the tensor's memory is.
template <class Byte>
struct StridedView {
    core::ScalarType dtype = core::ScalarType::Float;
    std::size_t elementSize = 0;
    Byte* data = nullptr;     ///< of the tensor, not of the view
    std::int64_t offset = 0;  ///< of the view's first element, in elements
    Sizes sizes;
    Strides strides;  ///< in elements; all 0 in a view of an empty tensor

    [[nodiscard]] std::size_t dim() const { return sizes.size(); }
    [[nodiscard]] bool isEmpty() const { return std::ranges::contains(sizes, 0); }
    /// The first element; the view must have one.
    [[nodiscard]] Byte* first() const { return data + offset * static_cast<std::int64_t>(elementSize); }

    /// Keeps `count` positions of `dimension`: start, start + step, … All of them must exist.
    void narrow(std::size_t dimension, std::int64_t start, std::int64_t count, std::int64_t step = 1) {
        if (count > 0) {
            offset += start * strides[dimension];
        }
        // A step behind the last position may be as large as it likes.
        strides[dimension] = count > 1 ? strides[dimension] * step : 0;
        sizes[dimension] = count;
    }
    /// Drops `dimension`, keeping its position `index`, which must exist.
    void select(std::size_t dimension, std::int64_t index) {
        narrow(dimension, index, 1);
        drop(dimension);
    }
    /// Drops a dimension of size 1.
    void drop(std::size_t dimension) {
        sizes.erase(dimension);
        strides.erase(dimension);
    }
    /// A new last dimension; there must be room for it (core::maxDims).
    void append(std::int64_t size, std::int64_t stride) {
        sizes.push_back(size);
        strides.push_back(stride);
    }
    /// The other way round along `dimension`.
    void reverse(std::size_t dimension) {
        if (!isEmpty()) {
            offset += (sizes[dimension] - 1) * strides[dimension];
            strides[dimension] = -strides[dimension];
        }
    }
    void swap(std::size_t left, std::size_t right) {
        std::swap(sizes[left], sizes[right]);
        std::swap(strides[left], strides[right]);
    }

    // NOLINTNEXTLINE(google-explicit-constructor): as a pointer to const is
    operator StridedView<const std::byte>() const
        requires(!std::is_const_v<Byte>)
    {
        return {dtype, elementSize, data, offset, sizes, strides};
    }
};

using ReadView = StridedView<const std::byte>;
using WriteView = StridedView<std::byte>;

/// All of a tensor.
[[nodiscard]] ReadView viewOf(const core::Tensor& tensor);
[[nodiscard]] WriteView viewOf(core::Tensor& tensor);

/// The view with `sizes` that it broadcasts to. Errors: InvalidArgument (it does not).
[[nodiscard]] core::Result<ReadView> broadcastTo(ReadView view, std::span<const std::int64_t> sizes);

/// The real (part 0) or the imaginary numbers (1) of complex elements.
[[nodiscard]] ReadView complexPart(ReadView view, std::int64_t part);
[[nodiscard]] WriteView complexPart(WriteView view, std::int64_t part);

/// Strides of a row-major tensor of `sizes`; 0 if it is empty.
[[nodiscard]] Strides rowMajorStrides(std::span<const std::int64_t> sizes);

/// Copies element by element from a view to another one of the same sizes; converts where the dtypes differ,
/// see element_conversion.h. An element that is written may be one that is read only at the same position.
/// Errors: Unsupported (a conversion that does not exist).
[[nodiscard]] core::Result<> copyElements(const ThreadPool& threads, const ReadView& from,
                                          const WriteView& to);

/// Sets every element to `number`, converted to the dtype. Errors: Unsupported (quantized dtypes).
[[nodiscard]] core::Result<> fillElements(const ThreadPool& threads, core::Scalar number,
                                          const WriteView& to);

/// A copy of elements of one width, worked out once to run often: between blocks of the same sizes and
/// strides at other places.
class CopyPlan {
  public:
    /// `fromStrides` and `toStrides` in elements of `width` bytes: 1, 2, 4, 8 or 16.
    CopyPlan(std::size_t width, std::span<const std::int64_t> sizes, const Strides& fromStrides,
             const Strides& toStrides);

    /// Copies from the block that starts at `from` to the one at `to`. Blocks of no elements may be null.
    void run(const std::byte* from, std::byte* to) const { runItems(from, to, 0, items); }
    void run(const ThreadPool& threads, const std::byte* from, std::byte* to) const;

  private:
    void chooseTranspose();
    void runRows(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const;
    void runItems(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const;
    void runStrips(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const;

    StridedWalk<2> walk;  ///< to, from
    std::int64_t elementSize;
    std::int64_t toStep;    ///< bytes from one element of a row to the next
    std::int64_t fromStep;  ///< likewise
    std::int64_t items;     ///< pieces of work: rows, or strips where it transposes
    std::int64_t itemElements;
    MoveRow moveRow = nullptr;  ///< null: rows are contiguous

    TransposeTile transposeTile = nullptr;  ///< null: row by row
    std::int64_t countA = 0;                ///< length of the dimension along which `from` is contiguous
    std::int64_t stepA = 0;                 ///< bytes in `to` from one position of it to the next
    std::int64_t stripsA = 0;
};

}  // namespace et::kernels
