#pragma once

#include "backends/xnnpack/nodes/reuse_limits.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::backends::xnnpack {

/// Whether a runtime of the library may be reshaped from the shapes that it was made with to others. Not all
/// of its operators follow: some keep buffers, or lists of pixels, that were made for the former batch or
/// channels, and memory is planned anew only when a value gets larger than it ever was. Where one of these
/// would matter, a new runtime has to be made.
class RuntimeReuse {
  public:
    /// `payload` must outlive this.
    explicit RuntimeReuse(const Payload& payload);

    /// A new runtime was made for these shapes of all values.
    void begin(const Shapes& shapes);

    /// Whether the runtime may get these shapes. After true, it has them.
    [[nodiscard]] bool allows(const Shapes& shapes);

  private:
    /// A dynamically quantized value: the library plans memory for its scales only when its elements get
    /// more.
    struct Rows {
        ValueIndex value;
        std::size_t nonbatchDims;
        std::size_t elements = 0;  ///< most so far
        std::size_t rows = 0;      ///< at that time
    };
    /// What of shapes may not change, by the lists of ReuseLimits.
    struct Kept {
        std::vector<ValueSizes> fixed{};
        std::vector<std::size_t> channels{};
        /// An output gets the memory of an input that is as large when memory is planned, and keeps it when
        /// both are planned with what they needed at most, which need not be the same. For each input of
        /// broadcasting nodes, one after another: whether it is.
        std::vector<bool> isAsLarge{};

        bool operator==(const Kept&) const = default;
    };

    [[nodiscard]] bool hasRowsFor(const Shapes& shapes);
    [[nodiscard]] Kept keptOf(const Shapes& shapes) const;

    const Payload* payload;
    ReuseLimits limits;
    Kept kept;  ///< of the first shapes
    std::vector<Rows> quantized;
};

}  // namespace et::backends::xnnpack
