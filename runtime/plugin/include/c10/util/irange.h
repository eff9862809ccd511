#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace c10 {

/// The integers from `first` to before `last`; empty if last is not greater.
template <typename Integer>
class integer_range {
  public:
    class iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Integer;
        using difference_type = std::ptrdiff_t;
        using pointer = Integer*;
        using reference = Integer&;

        explicit constexpr iterator(Integer at) : value(at) {}
        constexpr Integer operator*() const { return value; }
        constexpr iterator& operator++() {
            ++value;
            return *this;
        }
        constexpr iterator operator++(int) {
            const iterator before = *this;
            ++value;
            return before;
        }
        constexpr bool operator==(const iterator& other) const { return value == other.value; }
        constexpr bool operator!=(const iterator& other) const { return value != other.value; }

      private:
        Integer value;
    };

    constexpr integer_range(Integer from, Integer to) : first(from), last(to < from ? from : to) {}
    constexpr iterator begin() const { return iterator(first); }
    constexpr iterator end() const { return iterator(last); }

  private:
    Integer first;
    Integer last;
};

template <typename First, typename Last>
constexpr integer_range<Last> irange(First first, Last last) {
    return {static_cast<Last>(first), last};
}
template <typename Last>
constexpr integer_range<Last> irange(Last last) {
    return {Last(), last};
}

}  // namespace c10
