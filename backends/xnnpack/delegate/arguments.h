#pragma once

#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::backends::xnnpack {

/// Arguments of a delegate call in the form that the library accepts: the tensors' own memory, unless they
/// are computed in another datatype, or the library must not read their memory (see isReadable()).
class Arguments {
  public:
    /// `widenHalf`: fp16 is computed as fp32. `payload` must outlive this.
    Arguments(const Payload& payload, bool widenHalf);

    /// Copies the shapes of inputs into `shapes`. Returns true if one has changed. Errors: InvalidArgument
    /// (too few, not a tensor, another datatype or number of dimensions).
    [[nodiscard]] core::Result<bool> takeShapes(std::span<core::Value* const> arguments, Shapes& shapes);

    /// Sets the shapes of outputs after the last takeShapes(), and determines all addresses. `plannedMemory`:
    /// see executor::DelegateCallContext. Errors: InvalidArgument, Limit.
    [[nodiscard]] core::Result<> bind(const Shapes& shapes, std::span<const core::Bytes> plannedMemory);

    /// Whether these are the tensors of the last bind() with unchanged addresses and shapes, so that
    /// takeShapes() and bind() can be skipped. Always false if a tensor is converted or copied.
    [[nodiscard]] bool areBound(std::span<core::Value* const> arguments) const;

    /// One per external of the payload; valid until the next bind().
    [[nodiscard]] std::span<void* const> addresses() const { return places; }

    /// Whether all outputs are empty, so that there is nothing to compute.
    [[nodiscard]] bool areEmpty() const { return empty; }

    /// Writes back outputs that were computed in another datatype.
    void finish();

  private:
    struct External {
        ValueIndex value = 0;
        std::uint32_t argument = 0;
        core::Tensor* tensor = nullptr;
        bool isWidened = false;
        std::vector<std::byte> copy;  ///< only grows
    };

    /// A bound tensor. Small, since every run checks it.
    struct Bound {
        const core::Tensor* tensor = nullptr;
        const void* address = nullptr;
        std::uint32_t argument = 0;
        bool keepsShape = false;
    };
    /// Its shape, which is only compared if the tensor may have changed.
    struct BoundShape {
        core::Sizes sizes{};
        core::DimOrder order{};
        core::ScalarType dtype = core::ScalarType::Float;
    };

    core::Result<> check(External& external, std::span<core::Value* const> arguments) const;
    /// Whether the library accesses the tensor directly, and may do so while its address stays the same.
    [[nodiscard]] bool isTensorItself(const External& external, const void* place,
                                      std::span<const core::Bytes> plannedMemory) const;
    [[nodiscard]] bool areTensorsThemselves(std::span<const core::Bytes> plannedMemory) const;
    void noteBindings();
    [[nodiscard]] bool isShapedAsBound(std::size_t external) const;
    void placeInput(External& external, std::span<const core::Bytes> plannedMemory, void*& place) const;
    core::Result<> placeOutput(External& external, const ValueSizes& sizes, void*& place) const;

    const Payload& payload;
    std::vector<External> externals;
    std::vector<void*> places;            ///< one per external, like the members below
    std::vector<Bound> bindings;          ///< empty if some are not accessed directly
    std::vector<BoundShape> boundShapes;  ///< as many
    bool empty = false;
};

}  // namespace et::backends::xnnpack
