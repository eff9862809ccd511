#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace flatbuffers {
class Table;
struct TypeTable;
}  // namespace flatbuffers

namespace et::backends {

/// Sizes of the parts of a payload; they add up to its size.
struct PayloadBytes {
    std::uint64_t known = 0;    ///< described
    std::uint64_t opaque = 0;   ///< not described
    std::uint64_t padding = 0;  ///< zeros that nothing refers to

    bool operator==(const PayloadBytes&) const = default;
    [[nodiscard]] std::uint64_t total() const { return known + opaque + padding; }
};

/// Collects the bytes of a payload that a reader describes.
class ByteCoverage {
  public:
    explicit ByteCoverage(core::Bytes of) : payload(of) {}

    /// Adds a range; the part outside the payload is ignored.
    void add(const void* start, std::size_t size);
    /// Declares bytes of an unknown format, which may be zeros.
    void addOpaque(core::Bytes bytes);
    /// Adds everything that a verified flatbuffer refers to, as far as its schema declares it: `root` is the
    /// generated function of the root table (schema::GraphTypeTable()), `identifier` empty if it has none.
    /// Fields and union members that the schema lacks are not added. The flatbuffer may be unaligned.
    void addFlatbuffer(core::Bytes flatbuffer, std::string_view identifier,
                       const flatbuffers::TypeTable& root);
    /// Adds a verified table and its vtable, without the objects that its offsets refer to.
    void addTable(const flatbuffers::Table& table);
    /// Adds a verified vector or string of elements of `size` bytes, with its length; null: none.
    template <class Vector>
    void addVector(const Vector* vector, std::size_t size) {
        if (vector != nullptr) {
            add(vector, sizeof(std::uint32_t) + size * vector->size());
        }
    }

    /// Removes these parts of the payload from the ranges.
    void remove(const std::vector<core::Bytes>& parts);
    /// Adds the ranges of a payload that is stored in `part`.
    void addInner(core::Bytes part, const ByteCoverage& inner);
    /// Without any range, all bytes are opaque.
    [[nodiscard]] PayloadBytes count() const;

  private:
    friend class CountedParts;

    using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;  ///< start and end
    void addTo(Ranges& to, const void* start, std::size_t size) const;

    core::Bytes payload;
    Ranges ranges;
    Ranges opaque;
};

/// Counts the bytes of parts of a payload.
class CountedParts {
  public:
    explicit CountedParts(const ByteCoverage& coverage);

    /// [begin, end) must be in the payload.
    [[nodiscard]] PayloadBytes count(std::size_t begin, std::size_t end) const;

  private:
    enum class Kind : std::uint8_t { Known, Opaque, Padding };
    /// From `start` to the start of the next one.
    struct Segment {
        std::size_t start = 0;
        Kind kind = Kind::Opaque;
        PayloadBytes before{};  ///< bytes before `start`
    };
    static std::uint64_t& memberOf(PayloadBytes& bytes, Kind kind);
    void addUntil(std::size_t end, Kind kind);
    /// Adds bytes that nothing refers to.
    void addGap(std::size_t end);
    [[nodiscard]] PayloadBytes countUntil(std::size_t end) const;

    core::Bytes payload;
    std::vector<Segment> segments;  ///< by start; the first starts at 0
    std::size_t at = 0;             ///< end of the segments
    PayloadBytes counted;           ///< of the segments
};

}  // namespace et::backends
