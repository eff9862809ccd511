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

// Strided copies. Nearly every shape operator is one: it views a tensor, or a part of it, with other sizes
// and strides, and copies the elements of the view.
namespace et::kernels {

/// A strided view of a tensor's elements: a part of it, permuted, repeated (stride 0) or reversed (negative
/// stride). Valid as long as the tensor's memory.
template <class Byte>
struct StridedView {
    core::ScalarType dtype = core::ScalarType::Float;
    std::size_t elementSize = 0;
    Byte* data = nullptr;     ///< of the tensor, not of the view
    std::int64_t offset = 0;  ///< offset of the view's first element, in elements
    Sizes sizes;
    Strides strides;  ///< in elements; all 0 for a view of an empty tensor

    [[nodiscard]] std::size_t dim() const { return sizes.size(); }
    [[nodiscard]] bool isEmpty() const { return std::ranges::contains(sizes, 0); }
    /// Pointer to the first element; the view must not be empty.
    [[nodiscard]] Byte* first() const { return data + offset * static_cast<std::int64_t>(elementSize); }

    /// Keeps `count` positions of `dimension`: start, start + step, … All of them must exist.
    void narrow(std::size_t dimension, std::int64_t start, std::int64_t count, std::int64_t step = 1) {
        if (count > 0) {
            offset += start * strides[dimension];
        }
        // The step after the last position may be arbitrarily large.
        strides[dimension] = count > 1 ? strides[dimension] * step : 0;
        sizes[dimension] = count;
    }
    /// Drops `dimension`, fixing its position `index`, which must exist.
    void select(std::size_t dimension, std::int64_t index) {
        narrow(dimension, index, 1);
        drop(dimension);
    }
    /// Drops a dimension of size 1.
    void drop(std::size_t dimension) {
        sizes.erase(dimension);
        strides.erase(dimension);
    }
    /// Appends a last dimension; the rank must be below core::maxDims.
    void append(std::int64_t size, std::int64_t stride) {
        sizes.push_back(size);
        strides.push_back(stride);
    }
    /// Reverses `dimension`.
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

/// View of the whole tensor.
[[nodiscard]] ReadView viewOf(const core::Tensor& tensor);
[[nodiscard]] WriteView viewOf(core::Tensor& tensor);

/// Broadcasts the view to `sizes`. Errors: InvalidArgument (not broadcastable).
[[nodiscard]] core::Result<ReadView> broadcastTo(ReadView view, std::span<const std::int64_t> sizes);

/// The real (part 0) or imaginary parts (1) of complex elements.
[[nodiscard]] ReadView complexPart(ReadView view, std::int64_t part);
[[nodiscard]] WriteView complexPart(WriteView view, std::int64_t part);

/// Strides of a row-major tensor of `sizes`; 0 if it is empty.
[[nodiscard]] Strides rowMajorStrides(std::span<const std::int64_t> sizes);

/// Copies elementwise between views of the same sizes; converts if the dtypes differ, see
/// element_conversion.h. An element that is written may only be read at the same position. Errors:
/// Unsupported (no such conversion).
[[nodiscard]] core::Result<> copyElements(const ThreadPool& threads, const ReadView& from,
                                          const WriteView& to);

/// Sets every element to `number`, converted to the dtype. Errors: Unsupported (quantized dtypes).
[[nodiscard]] core::Result<> fillElements(const ThreadPool& threads, core::Scalar number,
                                          const WriteView& to);

/// A precomputed copy of elements of one width, for repeated use between blocks of the same sizes and strides
/// at other addresses.
class CopyPlan {
  public:
    /// `fromStrides` and `toStrides` in elements of `width` bytes: 1, 2, 4, 8 or 16.
    CopyPlan(std::size_t width, std::span<const std::int64_t> sizes, const Strides& fromStrides,
             const Strides& toStrides);

    /// Copies from the block at `from` to the block at `to`. Empty blocks may be null.
    void run(const std::byte* from, std::byte* to) const { runItems(from, to, 0, items); }
    void run(const ThreadPool& threads, const std::byte* from, std::byte* to) const;

  private:
    void chooseTranspose();
    void runRows(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const;
    void runItems(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const;
    void runStrips(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const;

    StridedWalk<2> walk;  ///< to, from
    std::int64_t elementSize;
    std::int64_t toStep;    ///< bytes between elements of a row
    std::int64_t fromStep;  ///< likewise
    std::int64_t items;     ///< work items: rows, or strips if transposing
    std::int64_t itemElements;
    MoveRow moveRow = nullptr;  ///< null: rows are contiguous

    TransposeTile transposeTile = nullptr;  ///< null: copied row by row
    std::int64_t countA = 0;                ///< length of the dimension along which `from` is contiguous
    std::int64_t stepA = 0;                 ///< bytes between its positions in `to`
    std::int64_t stripsA = 0;
};

}  // namespace et::kernels
