#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace flatbuffers {
class Table;
}

namespace et::backends {

/// Sizes of the parts of a payload; they add up to its size.
struct PayloadBytes {
    std::uint64_t known = 0;    ///< described
    std::uint64_t opaque = 0;   ///< not described
    std::uint64_t padding = 0;  ///< zeros between described bytes, or behind them

    bool operator==(const PayloadBytes&) const = default;
};

/// Collects the bytes of a payload that a reader describes.
class ByteCoverage {
  public:
    explicit ByteCoverage(core::Bytes of) : payload(of) {}

    /// Adds a range; the part outside the payload is ignored.
    void add(const void* start, std::size_t size);
    /// Adds a verified table and its vtable, without the objects that its offsets refer to.
    void addTable(const flatbuffers::Table& table);
    /// Adds a verified vector or string of elements of `size` bytes, with its length; null: none.
    template <class Vector>
    void addVector(const Vector* vector, std::size_t size) {
        if (vector != nullptr) {
            add(vector, sizeof(std::uint32_t) + size * vector->size());
        }
    }

    [[nodiscard]] PayloadBytes count() const;

  private:
    core::Bytes payload;
    std::vector<std::pair<std::size_t, std::size_t>> ranges;  ///< start and end
};

}  // namespace et::backends
