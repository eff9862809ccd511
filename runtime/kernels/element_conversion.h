#pragma once

#include "runtime/core/result.h"
#include "runtime/core/scalar.h"
#include "runtime/core/scalar_type.h"
#include "runtime/kernels/elements.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

// Conversion of elements between real dtypes (bool, integers, floats), with the semantics of
// core::convertTo().
namespace et::kernels {

namespace detail {

/// Conversion through the compute type T.
template <ComputeType T>
struct ComputeAs {
    LoadElements<T> load = nullptr;
    StoreElements<T> store = nullptr;
    std::int64_t fromWidth = 1;  ///< bytes
    std::int64_t toWidth = 1;
    bool fromIsT = false;  ///< elements are read in place
    bool toIsT = false;    ///< likewise written

    void run(const std::byte* from, std::int64_t fromStep, std::byte* to, std::int64_t toStep,
             std::int64_t count) const;
};

}  // namespace detail

/// Conversion through the compute type that covers both dtypes.
class Conversion {
  public:
    /// Errors: Unsupported (complex and quantized dtypes).
    [[nodiscard]] static core::Result<Conversion> between(core::ScalarType from, core::ScalarType to);

    /// Converts `count` elements; steps in bytes.
    void run(const std::byte* from, std::int64_t fromStep, std::byte* to, std::int64_t toStep,
             std::int64_t count) const;

  private:
    template <ComputeType T>
    static core::Result<Conversion> through(core::ScalarType from, core::ScalarType to);

    std::variant<detail::ComputeAs<float>, detail::ComputeAs<double>, detail::ComputeAs<std::int64_t>> way;
};

/// An element of any dtype; bytes beyond its width are 0.
using ElementBytes = std::array<std::byte, 16>;

/// Converts `number` to an element of `type`, including complex types. Errors: Unsupported (quantized
/// dtypes).
[[nodiscard]] core::Result<ElementBytes> elementOf(core::ScalarType type, core::Scalar number);

}  // namespace et::kernels
