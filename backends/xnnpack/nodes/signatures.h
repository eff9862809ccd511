#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace et::backends::xnnpack {

/// A set of datatypes.
template <class... Types>
constexpr std::uint32_t setOf(Types... types) {
    return ((1U << static_cast<unsigned>(types)) | ... | 0U);
}
constexpr bool has(std::uint32_t set, Datatype type) {
    return (set >> static_cast<unsigned>(type) & 1U) != 0;
}

inline constexpr std::uint32_t floats = setOf(Datatype::Fp32, Datatype::Fp16);
inline constexpr std::uint32_t floatsAndBytes = floats | setOf(Datatype::QInt8, Datatype::QUInt8);
inline constexpr std::uint32_t anyActivation = floatsAndBytes | setOf(Datatype::Int32);

/// The datatypes of a node's values.
class NodeTypes {
  public:
    NodeTypes(const Payload& from, const PayloadNode& of, bool widen)
        : payload(from), node(of), widenHalf(widen) {}

    [[nodiscard]] NodeKind kind() const { return node.traits->kind; }
    [[nodiscard]] std::size_t inputs() const { return node.inputs.size(); }
    [[nodiscard]] bool hasInput(std::size_t i) const {
        return i < node.inputs.size() && node.inputs[i] != noValue;
    }
    /// Of an input that is present.
    [[nodiscard]] Datatype input(std::size_t i) const { return type(node.inputs[i]); }
    [[nodiscard]] bool isConstant(std::size_t i) const { return payload.value(node.inputs[i]).constant != 0; }
    [[nodiscard]] Datatype output(std::size_t i = 0) const { return type(node.outputs[i]); }

  private:
    [[nodiscard]] Datatype type(ValueIndex value) const;

    const Payload& payload;
    const PayloadNode& node;
    bool widenHalf;
};

/// For NodeFormInfo::accepts: whether all values have the same datatype, one of the set.
[[nodiscard]] bool haveOneTypeOf(std::uint32_t set, const NodeTypes& types);
template <std::uint32_t set>
[[nodiscard]] bool haveOneType(const NodeTypes& types) {
    return haveOneTypeOf(set, types);
}

/// Datatypes of a product that the library supports. The bias is always optional.
struct ProductTypes {
    Datatype input, filter, bias, output;
};
enum class Filter : std::uint8_t {
    Constant,
    MayVary,  ///< a computed one has the type of the value it is multiplied with
};
[[nodiscard]] bool isProductOf(std::span<const ProductTypes> products, Filter filter, const NodeTypes& types);

/// Checks that the library computes a node as `form` on values of these datatypes. The library trusts its
/// caller: with an unknown combination it may write elements larger than the output's, or reach code that it
/// marks as unreachable. `widenHalf`: fp16 is computed as fp32. Errors: Unsupported.
[[nodiscard]] core::Result<> checkSignature(const Payload& payload, std::size_t node,
                                            const NodeFormInfo& form, bool widenHalf);

}  // namespace et::backends::xnnpack
