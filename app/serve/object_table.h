#pragma once

#include "app/serve/value.h"

#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>

namespace et::serve {

/// The objects that Python refers to, by number. Used by several threads.
class ObjectTable {
  public:
    /// Returns the number of the object, which is never used again.
    [[nodiscard]] std::uint64_t add(Object object);
    /// Returns the object with this number. If the table has none, its `pointer` is null.
    [[nodiscard]] Object find(std::uint64_t number) const;
    /// Removes the objects and destroys those that are not in use. Ignores unknown numbers.
    void remove(std::span<const std::uint64_t> numbers);

  private:
    mutable std::mutex guard;
    std::unordered_map<std::uint64_t, Object> objects;
    std::uint64_t next = 1;
};

}  // namespace et::serve
