#pragma once

#include <executorch/runtime/platform/assert.h>

#include <cstddef>
#include <cstdint>

namespace executorch::runtime {

/// Borrowed elements.
template <typename T>
class Span final {
  public:
    using value_type = T;
    using iterator = T*;
    using size_type = size_t;

    constexpr Span() noexcept = default;
    constexpr Span(T* from, size_t length) : first(from), count(length) {}
    constexpr Span(T* from, T* to) : first(from), count(static_cast<size_t>(to - from)) {}
    template <size_t N>
    constexpr Span(T (&from)[N]) : first(from), count(N) {}
    constexpr Span(T& one) : first(&one), count(1) {}

    constexpr iterator begin() const noexcept { return first; }
    constexpr iterator end() const noexcept { return first + count; }
    constexpr T* data() const noexcept { return first; }
    constexpr size_t size() const noexcept { return count; }
    constexpr bool empty() const noexcept { return count == 0; }
    constexpr T& operator[](size_t at) const { return first[at]; }

  private:
    T* first = nullptr;
    size_type count = 0;
};

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::Span;
}
