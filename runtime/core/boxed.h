#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace et::core {

/// A heap-allocated T with value semantics, like std::indirect of C++26. Keeps variants small when few of
/// them hold the large alternative.
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

    /// Null only after being moved from.
    [[nodiscard]] T* get() { return held.get(); }
    [[nodiscard]] const T* get() const { return held.get(); }

  private:
    std::unique_ptr<T> held;
};

/// Unwraps a boxed variant alternative for visitors; other alternatives are returned unchanged.
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

/// The content as T, whether boxed or not; null if the variant holds another alternative.
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
