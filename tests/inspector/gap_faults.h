#pragma once

#include "runtime/program/program.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::test {

/// What is planted. All but the last one are inside of an XNNPACK delegate.
enum class FaultKind : std::uint8_t {
    WeightSign,       ///< the largest weight has the other sign
    ChannelSign,      ///< those of the first output channel do
    ZeroPoint,        ///< of the result, 25 more
    Scale,            ///< of the result, a tenth more
    ActivationBound,  ///< the upper bound of the activation is a fifth of what the result reaches
    Operator,         ///< add becomes subtract
    Padding,          ///< one row of zeros moves from the top to the bottom
    KernelConstant,   ///< a weight of a kernel call outside of delegates
};

/// A program with one fault.
struct FaultyProgram {
    std::vector<std::byte> bytes;   ///< a .pte
    std::int64_t debugHandle = -1;  ///< of the delegate's operator that is wrong now
    std::int32_t instruction = -1;  ///< of the kernel call that is wrong now
    std::string node;               ///< its kind in the delegate, or the operator that is called
};

/// Real programs (.bpte), taken apart to plant faults.
class FaultPlanter {
  public:
    explicit FaultPlanter(const std::filesystem::path& bundle);

    /// Into the `ordinal`-th node that the fault fits; wraps around. A test failure and no bytes where there
    /// is none.
    [[nodiscard]] FaultyProgram plant(FaultKind kind, std::size_t ordinal) const;
    /// The program as it is.
    [[nodiscard]] std::vector<std::byte> untouched() const;

  private:
    std::shared_ptr<const program::Program> program;
};

}  // namespace et::test
