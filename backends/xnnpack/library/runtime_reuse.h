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
    [[nodiscard]] bool hasRowsFor(const Shapes& shapes);
    [[nodiscard]] std::vector<ValueSizes> fixedOf(const Shapes& shapes) const;
    [[nodiscard]] std::vector<std::size_t> channelsOf(const Shapes& shapes) const;
    [[nodiscard]] std::vector<bool> sharingOf(const Shapes& shapes) const;

    const Payload* payload;
    ReuseLimits limits;
    std::vector<ValueSizes> fixed;      ///< of the first shapes, as the next two
    std::vector<std::size_t> channels;  ///< by ReuseLimits::fixedChannels
    std::vector<bool> sharing;          ///< of the inputs of ReuseLimits::broadcasting, one after another
    std::vector<Rows> quantized;
};

}  // namespace et::backends::xnnpack
