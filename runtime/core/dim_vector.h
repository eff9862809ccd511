#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>

namespace et::core {

/// Maximum number of dimensions at run time; the reference runtime's limit.
inline constexpr std::size_t maxDims = 16;

/// One number per dimension, stored inline: at most `most`. The caller validates counts from files.
template <class T, std::size_t most = maxDims>
class DimVector {
  public:
    // Items past the end are never read; zero-initializing them would take longer than most operations on the
    // used ones.
    // NOLINTNEXTLINE(modernize-use-equals-default): value initialization would zero a defaulted constructor
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
    constexpr DimVector(std::size_t size, T value) : count(static_cast<Count>(size)) {
        assert(size <= most);
        std::fill_n(items.begin(), size, value);
    }

    constexpr void assign(std::span<const T> values) {
        assert(values.size() <= most);
        count = static_cast<Count>(values.size());
        std::ranges::copy(values, items.begin());
    }
    constexpr void push_back(T value) {  // NOLINT(readability-identifier-naming): as containers have it
        assert(count < most);
        items[count++] = value;
    }
    /// Inserts an item before position `at`, which may be size().
    constexpr void insert(std::size_t at, T value) {
        assert(count < most && at <= count);
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
        assert(size <= most);
        if (size > count) {
            std::fill(items.begin() + count, items.begin() + size, value);
        }
        count = static_cast<Count>(size);
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
    using Count = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::size_t>;

    // Placed before the items, so that it shares a cache line with those of most tensors.
    Count count = 0;
    std::array<T, most> items;
};

using Sizes = DimVector<std::int64_t>;
using Strides = DimVector<std::int64_t>;  ///< in elements
using DimOrder = DimVector<std::uint8_t>;

}  // namespace et::core
