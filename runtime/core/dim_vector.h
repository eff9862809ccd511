#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace et::core {

/// Most dimensions of a tensor that runs; the reference runtime's limit.
inline constexpr std::size_t maxDims = 16;

/// One number a dimension, in place: at most maxDims. The caller checks counts that come from a file.
template <class T>
class DimVector {
  public:
    // Items behind the last one are never looked at: to fill them with zeros would take longer than most of
    // what is done with those that are there.
    // NOLINTNEXTLINE(modernize-use-equals-default): braces would fill them again where it were that
    constexpr DimVector() {}
    constexpr DimVector(const DimVector& other) : DimVector(std::span<const T>(other)) {}
    constexpr DimVector& operator=(const DimVector& other) {
        if (this != &other) {
            assign(std::span<const T>(other));
        }
        return *this;
    }
    constexpr ~DimVector() = default;
    constexpr DimVector(std::initializer_list<T> values) { assign(std::span(values.begin(), values.size())); }
    constexpr explicit DimVector(std::span<const T> values) { assign(values); }
    constexpr DimVector(std::size_t size, T value) : count(size) {
        assert(size <= maxDims);
        std::fill_n(items.begin(), size, value);
    }

    constexpr void assign(std::span<const T> values) {
        assert(values.size() <= maxDims);
        count = values.size();
        std::ranges::copy(values, items.begin());
    }
    constexpr void push_back(T value) {  // NOLINT(readability-identifier-naming): as containers have it
        assert(count < maxDims);
        items[count++] = value;
    }
    /// A new item before the one at `at`, which may be size().
    constexpr void insert(std::size_t at, T value) {
        assert(count < maxDims && at <= count);
        std::copy_backward(items.begin() + at, items.begin() + count, items.begin() + count + 1);
        items[at] = value;
        ++count;
    }
    constexpr void erase(std::size_t at) {
        assert(at < count);
        std::copy(items.begin() + at + 1, items.begin() + count, items.begin() + at);
        --count;
    }
    constexpr void resize(std::size_t size, T value = {}) {
        assert(size <= maxDims);
        if (size > count) {
            std::fill(items.begin() + count, items.begin() + size, value);
        }
        count = size;
    }

    [[nodiscard]] constexpr std::size_t size() const { return count; }
    [[nodiscard]] constexpr bool empty() const { return count == 0; }
    [[nodiscard]] constexpr T& operator[](std::size_t at) { return items[at]; }
    [[nodiscard]] constexpr const T& operator[](std::size_t at) const { return items[at]; }
    [[nodiscard]] constexpr T* begin() { return items.data(); }
    [[nodiscard]] constexpr T* end() { return items.data() + count; }
    [[nodiscard]] constexpr const T* begin() const { return items.data(); }
    [[nodiscard]] constexpr const T* end() const { return items.data() + count; }
    [[nodiscard]] constexpr T* data() { return items.data(); }
    [[nodiscard]] constexpr const T* data() const { return items.data(); }
    [[nodiscard]] constexpr T& back() { return items[count - 1]; }
    [[nodiscard]] constexpr const T& back() const { return items[count - 1]; }

    constexpr bool operator==(const DimVector& other) const { return std::ranges::equal(*this, other); }

  private:
    std::array<T, maxDims> items;
    std::size_t count = 0;
};

using Sizes = DimVector<std::int64_t>;
using Strides = DimVector<std::int64_t>;  ///< in elements
using DimOrder = DimVector<std::uint8_t>;

}  // namespace et::core
