#pragma once

#include "runtime/program/program.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::test {

/// Kinds of planted faults. All except the last are inside an XNNPACK delegate.
enum class FaultKind : std::uint8_t {
    WeightSign,       ///< sign of the largest weight flipped
    ChannelSign,      ///< signs of the first output channel's weights flipped
    ZeroPoint,        ///< zero point of the result increased by 25
    Scale,            ///< scale of the result increased by a tenth
    ActivationBound,  ///< upper bound of the activation is a fifth of the result's maximum
    Operator,         ///< add becomes subtract
    Padding,          ///< one row of padding moved from the top to the bottom
    KernelConstant,   ///< a weight of a kernel call outside delegates changed
};

/// A program with one fault.
struct FaultyProgram {
    std::vector<std::byte> bytes;   ///< a .pte
    std::int64_t debugHandle = -1;  ///< of the faulty operator in the delegate
    std::int32_t instruction = -1;  ///< of the faulty kernel call
    std::string node;               ///< its kind in the delegate, or the name of the called operator
};

/// A real program (.bpte), prepared for planting faults.
class FaultPlanter {
  public:
    explicit FaultPlanter(const std::filesystem::path& bundle);

    /// Plants the fault in the `ordinal`-th applicable node; wraps around. Fails the test and returns no
    /// bytes if there is none.
    [[nodiscard]] FaultyProgram plant(FaultKind kind, std::size_t ordinal) const;
    /// The unmodified program.
    [[nodiscard]] std::vector<std::byte> untouched() const;

  private:
    std::shared_ptr<const program::Program> program;
};

}  // namespace et::test
