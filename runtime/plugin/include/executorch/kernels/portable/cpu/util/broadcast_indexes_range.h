#pragma once

#include <c10/util/irange.h>
#include <executorch/kernels/portable/cpu/util/delinearize_index.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/tensor_dimension_limit.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <tuple>

namespace torch::executor {

namespace internal {

/// Whether broadcasting one shape to the other moves no element: they are equal after leading ones.
inline bool sizes_match_ignoring_leading_1s(ArrayRef<Tensor::SizesType> a, ArrayRef<Tensor::SizesType> b) {
    const auto is_one = [](Tensor::SizesType size) { return size == 1; };
    const auto* const from_a = std::find_if_not(a.begin(), a.end(), is_one);
    const auto* const from_b = std::find_if_not(b.begin(), b.end(), is_one);
    return std::equal(from_a, a.end(), from_b, b.end());
}

/// Iterates over the output's elements: the index of each, and those of the inputs' elements for it.
template <size_t kNumInputs, bool strided = false>
class BroadcastIndexesIterator {
  public:
    using difference_type = ssize_t;
    using value_type = std::array<ssize_t, kNumInputs + 1>;
    using reference = const value_type&;
    using pointer = const value_type*;
    using iterator_category = std::forward_iterator_tag;
    struct make_end_t {};

    BroadcastIndexesIterator() = default;
    template <typename... Inputs>
    explicit BroadcastIndexesIterator(const Tensor& output, const Inputs&... inputs) : shape(output.sizes()) {
        static_assert(sizeof...(inputs) == kNumInputs);
        is_flat = !strided && (sizes_match_ignoring_leading_1s(inputs.sizes(), output.sizes()) && ...);
        if (!is_flat) {
            size_t at = 0;
            (set_steps(at++, output, inputs), ...);
        }
    }
    template <typename... Inputs>
    BroadcastIndexesIterator(make_end_t /*tag*/, const Tensor& output, const Inputs&... /*inputs*/) {
        current[0] = output.numel();
    }

    reference operator*() const { return current; }
    pointer operator->() const { return &current; }
    bool operator==(const BroadcastIndexesIterator& other) const { return current[0] == other.current[0]; }
    bool operator!=(const BroadcastIndexesIterator& other) const { return current[0] != other.current[0]; }
    difference_type operator-(const BroadcastIndexesIterator& other) const {
        return current[0] - other.current[0];
    }

    BroadcastIndexesIterator& operator++() {
        ++current[0];
        if (is_flat) {
            std::fill(current.begin() + 1, current.end(), current[0]);
            return *this;
        }
        for (size_t dim = shape.size(); dim-- > 0;) {
            const bool wraps = ++place[dim] == static_cast<size_t>(shape[dim]);
            const ssize_t moved = wraps ? 1 - static_cast<ssize_t>(place[dim]) : 1;
            for (size_t i = 0; i < kNumInputs; ++i) {
                current[i + 1] += moved * steps[i][dim];
            }
            if (!wraps) {
                break;
            }
            place[dim] = 0;
        }
        return *this;
    }
    BroadcastIndexesIterator operator++(int) {
        const BroadcastIndexesIterator before = *this;
        ++*this;
        return before;
    }
    BroadcastIndexesIterator& operator+=(difference_type count) {
        current[0] += count;
        if (is_flat) {
            std::fill(current.begin() + 1, current.end(), current[0]);
            return *this;
        }
        delinearize_index(static_cast<size_t>(current[0]), shape, place.data(), place.size());
        for (size_t i = 0; i < kNumInputs; ++i) {
            current[i + 1] = 0;
            for (size_t dim = 0; dim < shape.size(); ++dim) {
                current[i + 1] += static_cast<ssize_t>(place[dim]) * steps[i][dim];
            }
        }
        return *this;
    }
    BroadcastIndexesIterator operator+(difference_type count) const {
        BroadcastIndexesIterator moved = *this;
        moved += count;
        return moved;
    }

  private:
    void set_steps(size_t at, const Tensor& output, const Tensor& input) {
        ET_CHECK_MSG(input.dim() <= output.dim(), "cannot broadcast %zd dimensions to %zd", input.dim(),
                     output.dim());
        const auto before = static_cast<size_t>(output.dim() - input.dim());
        for (size_t i = 0; i < input.sizes().size(); ++i) {
            steps[at][before + i] = input.sizes()[i] == 1 ? 0 : input.strides()[i];
        }
    }

    value_type current{};
    bool is_flat = true;
    ArrayRef<Tensor::SizesType> shape;
    std::array<size_t, kTensorDimensionLimit> place{};
    std::array<std::array<ssize_t, kTensorDimensionLimit>, kNumInputs> steps{};
};

}  // namespace internal

/// for (const auto [out, a, b] : BroadcastIndexesRange<2>(out_tensor, a_tensor, b_tensor)). With `strided`,
/// the inputs' strides count even if their shapes equal the output's.
template <size_t kNumInputs, bool strided = false>
class BroadcastIndexesRange {
  public:
    using iterator = internal::BroadcastIndexesIterator<kNumInputs, strided>;

    template <typename... Inputs>
    explicit BroadcastIndexesRange(const Tensor& output, const Inputs&... inputs)
        : tensors{&output, (&inputs)...} {}

    iterator begin() const {
        return std::apply([](const auto*... each) { return iterator(*each...); }, tensors);
    }
    iterator end() const {
        return std::apply(
            [](const auto*... each) { return iterator(typename iterator::make_end_t(), *each...); }, tensors);
    }

  private:
    std::array<const Tensor*, kNumInputs + 1> tensors;
};

}  // namespace torch::executor
