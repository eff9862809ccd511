#pragma once

#include <utility>

namespace et::serve {

/// Makes an object the current one of its type on this thread, while it exists.
template <class T>
class Current {
  public:
    explicit Current(T& inner) : outer(std::exchange(current, &inner)) {}
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
    ~Current() { current = outer; }

    /// Returns the current object of this thread, or null.
    [[nodiscard]] static T* get() { return current; }

  private:
    inline static thread_local T* current = nullptr;

    T* outer;
};

}  // namespace et::serve
