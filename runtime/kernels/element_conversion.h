#pragma once

#include "runtime/core/result.h"
#include "runtime/core/scalar.h"
#include "runtime/core/scalar_type.h"
#include "runtime/kernels/elements.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

// Numbers of one real dtype (bool, integers, floats) as numbers of another, as core::convertTo() has it.
namespace et::kernels {

namespace detail {

/// Converts by way of Ts.
template <ComputeType T>
struct Through {
    LoadElements<T> load = nullptr;
    StoreElements<T> store = nullptr;
    std::int64_t fromWidth = 1;  ///< bytes
    std::int64_t toWidth = 1;
    bool fromIsT = false;  ///< elements are read where they are
    bool toIsT = false;    ///< likewise written

    void run(const std::byte* from, std::int64_t fromStep, std::byte* to, std::int64_t toStep,
             std::int64_t count) const;
};

}  // namespace detail

/// Goes through the compute type that holds what both dtypes share.
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

    std::variant<detail::Through<float>, detail::Through<double>, detail::Through<std::int64_t>> way;
};

/// An element of any dtype; what is behind its width is 0.
using ElementBytes = std::array<std::byte, 16>;

/// `number` as an element of `type`, complex ones included. Errors: Unsupported (quantized dtypes).
[[nodiscard]] core::Result<ElementBytes> elementOf(core::ScalarType type, core::Scalar number);

}  // namespace et::kernels
