#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace et::core {

/// Numbers per dimension of a tensor in a file: any count, with `inPlace` of them stored inline, so that a
/// program with a thousand tensors is read without a thousand allocations. For tensors at run time, see
/// DimVector.
template <class T, std::size_t inPlace>
    requires std::is_trivially_copyable_v<T>
class DimList {
  public:
    using value_type = T;  // NOLINT(readability-identifier-naming): as containers have it

    DimList() = default;
    DimList(std::initializer_list<T> from) : DimList(std::span(from.begin(), from.size())) {}
    // NOLINTNEXTLINE(google-explicit-constructor): computed dimensions come in vectors
    DimList(const std::vector<T>& from) : DimList(std::span(from)) {}
    explicit DimList(std::span<const T> from) {
        resize(from.size());
        std::ranges::copy(from, begin());
    }
    /// As assign().
    template <std::input_iterator Iterator>
    DimList(Iterator first, Iterator last) {
        assign(first, last);
    }
    DimList(const DimList& other) : DimList(std::span(other)) {}
    DimList(DimList&& other) noexcept { swap(other); }
    DimList& operator=(const DimList& other) { return *this = DimList(other); }
    DimList& operator=(DimList&& other) noexcept {
        swap(other);
        return *this;
    }
    ~DimList() = default;

    // NOLINTNEXTLINE(google-explicit-constructor): see above
    operator std::vector<T>() const { return std::vector<T>(begin(), end()); }

    /// New elements are set to `value`.
    void resize(std::size_t size, T value = {}) {
        if (size > inPlace && size > count) {
            auto grown = std::make_unique_for_overwrite<T[]>(size);
            std::ranges::copy(*this, grown.get());
            std::fill(grown.get() + count, grown.get() + size, value);
            many = std::move(grown);
        } else if (size > count) {
            std::fill(small.begin() + count, small.begin() + size, value);
        } else if (size <= inPlace && many != nullptr) {
            std::copy_n(many.get(), size, small.begin());
            many.reset();
        }
        count = size;
    }
    /// Assigns the elements from `first` to `last`, whose type may differ but must fit.
    template <class Iterator>
    void assign(Iterator first, Iterator last) {
        resize(static_cast<std::size_t>(std::distance(first, last)));
        std::transform(first, last, begin(), [](const auto& each) { return static_cast<T>(each); });
    }
    void push_back(T value) {  // NOLINT(readability-identifier-naming): as containers have it
        resize(count + 1);
        back() = value;
    }

    [[nodiscard]] std::size_t size() const { return count; }
    [[nodiscard]] bool empty() const { return count == 0; }
    [[nodiscard]] T* data() { return many == nullptr ? small.data() : many.get(); }
    [[nodiscard]] const T* data() const { return many == nullptr ? small.data() : many.get(); }
    [[nodiscard]] T* begin() { return data(); }
    [[nodiscard]] T* end() { return data() + count; }
    [[nodiscard]] const T* begin() const { return data(); }
    [[nodiscard]] const T* end() const { return data() + count; }
    [[nodiscard]] T& operator[](std::size_t at) { return data()[at]; }
    [[nodiscard]] const T& operator[](std::size_t at) const { return data()[at]; }
    [[nodiscard]] T& front() { return data()[0]; }
    [[nodiscard]] const T& front() const { return data()[0]; }
    [[nodiscard]] T& back() { return data()[count - 1]; }
    [[nodiscard]] const T& back() const { return data()[count - 1]; }

    friend bool operator==(const DimList& a, const DimList& b) { return std::ranges::equal(a, b); }
    friend bool operator==(const DimList& a, const std::vector<T>& b) { return std::ranges::equal(a, b); }

  private:
    void swap(DimList& other) noexcept {
        std::swap(count, other.count);
        std::swap(many, other.many);
        std::swap(small, other.small);
    }

    std::size_t count = 0;
    std::unique_ptr<T[]> many;  ///< null: stored in `small`
    std::array<T, inPlace> small{};
};

using SizeList = DimList<std::int64_t, 4>;
using OrderList = DimList<std::uint8_t, 8>;

}  // namespace et::core
