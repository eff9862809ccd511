#pragma once

#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::backends::xnnpack {

/// The arguments of a delegate call as the library takes them: their own memory, unless they are computed in
/// another datatype, or lie where the library must not read (see isReadable()).
class Arguments {
  public:
    /// `widenHalf`: fp16 is computed as fp32. `payload` must outlive this.
    Arguments(const Payload& payload, bool widenHalf);

    /// Takes the shapes of inputs into `shapes`. True: one is not what it was. Errors: InvalidArgument (too
    /// few, no tensor, another datatype or number of dimensions).
    [[nodiscard]] core::Result<bool> takeShapes(std::span<core::Value* const> arguments, Shapes& shapes);

    /// Gives the outputs of the last takeShapes() their shapes and finds all addresses. `plannedMemory`: see
    /// executor::DelegateCallContext. Errors:
    /// InvalidArgument, Limit.
    [[nodiscard]] core::Result<> bind(const Shapes& shapes, std::span<const core::Bytes> plannedMemory);

    /// One an external of the payload; valid until the next bind().
    [[nodiscard]] std::span<void* const> addresses() const { return places; }

    /// Whether outputs have no elements at all, so that there is nothing to compute.
    [[nodiscard]] bool areEmpty() const { return empty; }

    /// Writes outputs that were computed in another datatype.
    void finish();

  private:
    struct External {
        ValueIndex value = 0;
        std::size_t argument = 0;
        core::Tensor* tensor = nullptr;
        bool isWidened = false;
        std::vector<std::byte> copy;  ///< only grows
    };

    core::Result<> check(External& external, std::span<core::Value* const> arguments) const;
    void placeInput(External& external, std::span<const core::Bytes> plannedMemory, void*& place) const;
    core::Result<> placeOutput(External& external, const ValueSizes& sizes, void*& place) const;

    const Payload& payload;
    std::vector<External> externals;
    std::vector<void*> places;
    bool empty = false;
};

}  // namespace et::backends::xnnpack
