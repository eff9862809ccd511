#pragma once

#include "runtime/core/dim_vector.h"
#include "runtime/core/element_types.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace et::core {

/// Memory of a tensor whose size is unknown before the run.
class GrowingMemory {
  public:
    virtual ~GrowingMemory() = default;
    /// Provides at least `bytes` bytes, 64-byte aligned, with undefined contents. Errors: Limit.
    [[nodiscard]] virtual Result<std::byte*> reserve(std::size_t bytes) = 0;
    /// Declares the contents unused: the memory may be released until the next write.
    virtual void forget() = 0;
};

/// A dense tensor: dtype, shape and borrowed memory. Strides follow from sizes and dim order, so the elements
/// always fill `bytes()` bytes without gaps.
class Tensor {
  public:
    /// Shapes allowed in resize().
    enum class Shape : std::uint8_t {
        Fixed,    ///< nothing
        Bounded,  ///< every shape that fits the memory
        Growing   ///< every shape; memory comes from `growing`
    };

    Tensor() = default;

    /// A tensor over `data`, which may be null if the elements are never accessed. `order` is a permutation
    /// of the dimensions from outermost to innermost in memory; empty: row-major. Errors: Limit (more than
    /// maxDims dimensions, 2^63 bytes or more), Unsupported (a dtype without a size in bytes),
    /// InvalidArgument (a negative size, not a permutation).
    [[nodiscard]] static Result<Tensor> make(ScalarType dtype, std::span<const std::int64_t> sizes,
                                             std::byte* data, std::span<const std::uint8_t> order = {});
    /// As make(), initializing a new tensor in place: a method has a thousand of them.
    [[nodiscard]] Result<> makeHere(ScalarType dtype, std::span<const std::int64_t> sizes, std::byte* data,
                                    std::span<const std::uint8_t> dimOrder = {});

    /// A row-major view for temporaries of kernels; `sizes` must be valid.
    template <class T>
    [[nodiscard]] static Tensor over(T* elements, std::span<const std::int64_t> sizes) {
        auto made = make(scalarTypeOf<T>, sizes, reinterpret_cast<std::byte*>(elements));
        assert(made);
        return *made;
    }

    [[nodiscard]] ScalarType dtype() const { return type; }
    [[nodiscard]] std::size_t dim() const { return shape.size(); }
    [[nodiscard]] std::int64_t size(std::size_t dimension) const { return shape[dimension]; }
    [[nodiscard]] std::int64_t stride(std::size_t dimension) const { return steps[dimension]; }
    [[nodiscard]] const Sizes& sizes() const { return shape; }
    [[nodiscard]] const Strides& strides() const { return steps; }  ///< in elements
    [[nodiscard]] const DimOrder& dimOrder() const { return order; }
    [[nodiscard]] std::int64_t numel() const { return elements; }
    [[nodiscard]] std::size_t elementSize() const { return elementWidth; }
    [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(elements) * elementWidth; }

    /// Whether the elements are in row-major order. Dimensions of size 1 are ignored, so a channels-last
    /// tensor with one channel is also contiguous.
    [[nodiscard]] bool isContiguous() const;
    /// Whether the elements of both have the same order in memory, given equal sizes.
    [[nodiscard]] bool sameLayout(const Tensor& other) const;

    [[nodiscard]] std::byte* raw() const { return memory; }
    [[nodiscard]] std::span<std::byte> rawBytes() const { return {memory, bytes()}; }

    /// The first element; T must be the C++ type of the dtype.
    template <class T>
    [[nodiscard]] const T* data() const {
        assert(type == scalarTypeOf<T>);
        return reinterpret_cast<const T*>(memory);
    }
    template <class T>
    [[nodiscard]] T* mutableData() {
        assert(type == scalarTypeOf<T>);
        return reinterpret_cast<T*>(memory);
    }

    /// Whether it is a weight whose bytes never change, so that kernels may cache a packed copy.
    [[nodiscard]] bool isConstant() const { return constant; }

    /// Changes the sizes, keeping the dim order (row-major if the number of dimensions changes). Errors:
    /// InvalidArgument (a fixed shape that differs, a bounded one whose memory is too small: names expected
    /// and given), Limit.
    [[nodiscard]] Result<> resize(std::span<const std::int64_t> sizes);
    [[nodiscard]] Result<> resize(const Sizes& sizes) { return resize(std::span<const std::int64_t>(sizes)); }

    /// Declares the elements unused. Releases memory that the tensor owns.
    void forgetElements() {
        if (growing != nullptr) {
            growing->forget();
        }
    }

    // Memory assignment by the executor.
    void setMemory(std::byte* data, std::size_t capacityBytes) {
        memory = data;
        capacity = capacityBytes;
    }
    void setConstant(bool value) { constant = value; }
    void setShape(Shape value, GrowingMemory* source = nullptr) {
        resizing = value;
        growing = source;
    }
    [[nodiscard]] Shape resizable() const { return resizing; }
    /// Whether its dtype, sizes and dim order always equal the program's declaration; they can change only if
    /// this is false.
    [[nodiscard]] bool keepsShape() const { return resizing == Shape::Fixed; }
    [[nodiscard]] std::size_t capacityBytes() const { return capacity; }

  private:
    Result<> layOut(std::span<const std::int64_t> sizes, std::span<const std::uint8_t> dimOrder);

    ScalarType type = ScalarType::Float;
    Shape resizing = Shape::Fixed;
    bool constant = false;
    std::uint8_t elementWidth = 4;
    std::int64_t elements = 0;
    std::byte* memory = nullptr;
    std::size_t capacity = 0;
    GrowingMemory* growing = nullptr;
    DimOrder order;  // before the longer arrays, of which most tensors use a quarter
    Sizes shape;
    Strides steps;
};

/// "[2, 3]".
[[nodiscard]] std::string sizesText(std::span<const std::int64_t> sizes);
[[nodiscard]] inline std::string sizesText(const Sizes& sizes) {
    return sizesText(std::span<const std::int64_t>(sizes));
}
/// "float32 [2, 3]".
[[nodiscard]] std::string describe(const Tensor& tensor);

}  // namespace et::core
