#pragma once

#include <c10/util/irange.h>
#include <c10/util/safe_numerics.h>
#include <executorch/runtime/platform/assert.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace executorch::runtime {

/// Borrowed constant elements.
template <typename T>
class ArrayRef final {
  public:
    using iterator = const T*;
    using const_iterator = const T*;
    using size_type = size_t;
    using value_type = T;

    constexpr ArrayRef() = default;
    constexpr ArrayRef(const T& one) : first(&one), count(1) {}
    constexpr ArrayRef(const T* from, size_t length) : first(from), count(length) {}
    constexpr ArrayRef(const T* from, const T* to) : first(from), count(static_cast<size_t>(to - from)) {}
    template <size_t N>
    constexpr ArrayRef(const std::array<T, N>& from) : first(from.data()), count(N) {}
    template <size_t N>
    constexpr ArrayRef(const T (&from)[N]) : first(from), count(N) {}

    constexpr iterator begin() const { return first; }
    constexpr iterator end() const { return first + count; }
    constexpr const_iterator cbegin() const { return first; }
    constexpr const_iterator cend() const { return first + count; }
    constexpr const T* data() const { return first; }
    constexpr size_t size() const { return count; }
    constexpr bool empty() const { return count == 0; }
    constexpr const T& operator[](size_t at) const { return first[at]; }

    const T& at(size_t index) const {
        ET_CHECK(index < count);
        return first[index];
    }
    const T& front() const {
        ET_CHECK(count > 0);
        return first[0];
    }
    const T& back() const {
        ET_CHECK(count > 0);
        return first[count - 1];
    }
    ArrayRef slice(size_t start, size_t length) const {
        ET_CHECK(start <= count && length <= count - start);
        return {first + start, length};
    }
    ArrayRef slice(size_t start) const { return slice(start, count - start); }
    bool equals(ArrayRef other) const {
        if (count != other.count) {
            return false;
        }
        for (size_t i = 0; i < count; ++i) {
            if (!(first[i] == other.first[i])) {
                return false;
            }
        }
        return true;
    }

  private:
    const T* first = nullptr;
    size_type count = 0;
};

template <typename T>
bool operator==(ArrayRef<T> a, ArrayRef<T> b) {
    return a.equals(b);
}
template <typename T>
bool operator!=(ArrayRef<T> a, ArrayRef<T> b) {
    return !a.equals(b);
}

template <typename T>
ArrayRef<T> makeArrayRef(const T& one) {
    return one;
}
template <typename T>
ArrayRef<T> makeArrayRef(const T* from, size_t length) {
    return {from, length};
}
template <typename T>
ArrayRef<T> makeArrayRef(const T* from, const T* to) {
    return {from, to};
}
template <typename T, size_t N>
ArrayRef<T> makeArrayRef(const std::array<T, N>& from) {
    return from;
}
template <typename T>
ArrayRef<T> makeArrayRef(const ArrayRef<T>& from) {
    return from;
}
template <typename T, size_t N>
ArrayRef<T> makeArrayRef(const T (&from)[N]) {
    return ArrayRef<T>(from);
}

using IntArrayRef = ArrayRef<int64_t>;

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::ArrayRef;
using ::executorch::runtime::IntArrayRef;
using ::executorch::runtime::makeArrayRef;
}  // namespace torch::executor

namespace c10 {
using ::executorch::runtime::ArrayRef;
using ::executorch::runtime::IntArrayRef;
}  // namespace c10
