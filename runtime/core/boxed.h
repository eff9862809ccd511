#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace et::core {

/// A T apart from what holds it, with T's own copies, as std::indirect of C++26: keeps the variants of an
/// array small when few of them hold the large kind.
template <class T>
class Boxed {
  public:
    // NOLINTNEXTLINE(google-explicit-constructor): a variant takes a T as it takes its other kinds
    Boxed(T content) : held(std::make_unique<T>(std::move(content))) {}
    explicit Boxed(std::in_place_t) : held(std::make_unique<T>()) {}
    Boxed(const Boxed& other)
        requires std::copy_constructible<T>
        : held(other.held == nullptr ? nullptr : std::make_unique<T>(*other.held)) {}
    Boxed(Boxed&& other) noexcept = default;
    Boxed& operator=(const Boxed& other)
        requires std::copy_constructible<T>
    {
        held = Boxed(other).held;
        return *this;
    }
    Boxed& operator=(Boxed&& other) noexcept = default;
    ~Boxed() = default;

    /// Null only after a move from it.
    [[nodiscard]] T* get() { return held.get(); }
    [[nodiscard]] const T* get() const { return held.get(); }

  private:
    std::unique_ptr<T> held;
};

/// What a visitor of a variant is to see: the content of a box, and everything else as it is.
template <class T>
[[nodiscard]] T& unboxed(T& content) {
    // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): what is in a variant stays
    return content;
}
template <class T>
[[nodiscard]] T& unboxed(Boxed<T>& box) {
    return *box.get();
}
template <class T>
[[nodiscard]] const T& unboxed(const Boxed<T>& box) {
    return *box.get();
}

/// The content as T, which the variant holds as it is or in a box; null when it holds something else.
template <class T, class... Kinds>
[[nodiscard]] T* contentOf(std::variant<Kinds...>& content) {
    if constexpr ((std::is_same_v<Boxed<T>, Kinds> || ...)) {
        auto* const box = std::get_if<Boxed<T>>(&content);
        return box == nullptr ? nullptr : box->get();
    } else {
        return std::get_if<T>(&content);
    }
}
template <class T, class... Kinds>
[[nodiscard]] const T* contentOf(const std::variant<Kinds...>& content) {
    if constexpr ((std::is_same_v<Boxed<T>, Kinds> || ...)) {
        const auto* const box = std::get_if<Boxed<T>>(&content);
        return box == nullptr ? nullptr : box->get();
    } else {
        return std::get_if<T>(&content);
    }
}

}  // namespace et::core
