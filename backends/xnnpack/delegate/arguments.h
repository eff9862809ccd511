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

    /// Whether these are the tensors of the last bind(), in the same places and shapes, so that neither
    /// takeShapes() nor bind() has anything to do. Never where one of them is converted or copied.
    [[nodiscard]] bool areBound(std::span<core::Value* const> arguments) const;

    /// One an external of the payload; valid until the next bind().
    [[nodiscard]] std::span<void* const> addresses() const { return places; }

    /// Whether outputs have no elements at all, so that there is nothing to compute.
    [[nodiscard]] bool areEmpty() const { return empty; }

    /// Writes outputs that were computed in another datatype.
    void finish();

  private:
    struct External {
        ValueIndex value = 0;
        std::uint32_t argument = 0;
        core::Tensor* tensor = nullptr;
        bool isWidened = false;
        std::vector<std::byte> copy;  ///< only grows
    };

    /// A tensor that was bound. Every run looks at it, so it is short.
    struct Bound {
        const core::Tensor* tensor = nullptr;
        const void* address = nullptr;
        std::uint32_t argument = 0;
        bool keepsShape = false;
    };
    /// What it was, which is asked only where it does not keep that.
    struct BoundShape {
        core::Sizes sizes{};
        core::DimOrder order{};
        core::ScalarType dtype = core::ScalarType::Float;
    };

    core::Result<> check(External& external, std::span<core::Value* const> arguments) const;
    /// Whether the library reads or writes the tensor itself, and may do so as long as it stays there.
    [[nodiscard]] bool isTensorItself(const External& external, const void* place,
                                      std::span<const core::Bytes> plannedMemory) const;
    [[nodiscard]] bool areTensorsThemselves(std::span<const core::Bytes> plannedMemory) const;
    void noteBindings();
    [[nodiscard]] bool isShapedAsBound(std::size_t external) const;
    void placeInput(External& external, std::span<const core::Bytes> plannedMemory, void*& place) const;
    core::Result<> placeOutput(External& external, const ValueSizes& sizes, void*& place) const;

    const Payload& payload;
    std::vector<External> externals;
    std::vector<void*> places;            ///< one an external, as the following
    std::vector<Bound> bindings;          ///< empty: not all of them are the tensors themselves
    std::vector<BoundShape> boundShapes;  ///< as many
    bool empty = false;
};

}  // namespace et::backends::xnnpack
