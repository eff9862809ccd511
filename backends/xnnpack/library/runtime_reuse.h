#pragma once

#include "backends/xnnpack/nodes/reuse_limits.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::backends::xnnpack {

/// Decides whether a runtime of the library can be reshaped instead of recreated. Some operators keep buffers
/// or pixel lists made for the previous batch or channels, and memory is only replanned when a value grows
/// beyond its maximum so far. If one of these matters, a new runtime must be made.
class RuntimeReuse {
  public:
    /// `payload` must outlive this.
    explicit RuntimeReuse(const Payload& payload);

    /// Records the shapes of all values for which a new runtime was made.
    void begin(const Shapes& shapes);

    /// Whether the runtime supports these shapes. If true, they become its current shapes.
    [[nodiscard]] bool allows(const Shapes& shapes);

  private:
    /// A dynamically quantized value: the library only replans memory for its scales when its number of
    /// elements grows.
    struct Rows {
        ValueIndex value;
        std::size_t nonbatchDims;
        std::size_t elements = 0;  ///< maximum so far
        std::size_t rows = 0;      ///< rows when that maximum was reached
    };
    /// Properties of the shapes that must not change, by the lists of ReuseLimits.
    struct Kept {
        std::vector<ValueSizes> fixed{};
        std::vector<std::size_t> channels{};
        /// When memory is planned, an output reuses the memory of an input of equal size, and keeps doing so
        /// when both are replanned with their maximum sizes, which may differ. Whether the sizes are equal,
        /// for each input of the broadcasting nodes in order; false where the library plans no memory for one
        /// of both.
        std::vector<bool> isAsLarge{};

        bool operator==(const Kept&) const = default;
    };

    [[nodiscard]] bool hasRowsFor(const Shapes& shapes);
    [[nodiscard]] Kept keptOf(const Shapes& shapes) const;

    const Payload* payload;
    ReuseLimits limits;
    Kept kept;  ///< for the first shapes
    std::vector<Rows> quantized;
};

}  // namespace et::backends::xnnpack
