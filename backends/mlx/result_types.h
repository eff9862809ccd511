#pragma once

#include "backends/mlx/payload.h"
#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::backends::mlx {

inline constexpr std::int64_t unknownSize = -1;

/// Dtype and sizes of a tensor as far as the payload determines them.
struct TensorType {
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;  ///< unknownSize: known at run time only

    bool operator==(const TensorType&) const = default;
};

/// "float32 [1, 4, ?, 8]".
[[nodiscard]] std::string typeText(const TensorType& type);

/// How dynamic sizes of the interface count.
enum class DynamicSizes : std::uint8_t {
    Unknown,
    Largest,  ///< as their upper bound, for upper bounds of other sizes
};

/// Derives the types of temporaries, which have no metadata, by MLX's rules of shapes and dtypes. Nodes must
/// be added in execution order.
class ResultTypes {
  public:
    explicit ResultTypes(const Payload& of, DynamicSizes dynamic = DynamicSizes::Unknown);

    /// Adds the results of a node; those of its chains must have been added before.
    void add(const Node& node);

    /// Nothing: unknown.
    [[nodiscard]] const std::optional<TensorType>& of(TensorNumber tensor) const { return tensors[tensor]; }
    [[nodiscard]] std::optional<std::int64_t> valueOf(const Item& item) const;
    /// Replaces a type, such as that of a loop's slice.
    void set(TensorNumber tensor, std::optional<TensorType> type);

  private:
    void addValue(const Node& node);

    const Payload* payload;
    std::vector<std::optional<TensorType>> tensors;
    std::vector<std::optional<std::int64_t>> values;
};

/// The dtype of computing with both, as MLX promotes arrays.
[[nodiscard]] core::ScalarType promoted(core::ScalarType left, core::ScalarType right);
/// float32 for integers and booleans, otherwise the dtype itself.
[[nodiscard]] core::ScalarType floatingOf(core::ScalarType dtype);
/// Tensors in the order of the field's items; empty for another field.
[[nodiscard]] std::vector<TensorNumber> tensorsIn(const Node& node, std::string_view field);
/// The tensor in a field; nothing if it is omitted.
[[nodiscard]] std::optional<TensorNumber> tensorIn(const Node& node, std::string_view field);
/// Items of a field of numbers; empty if it is omitted.
[[nodiscard]] std::vector<Item> itemsIn(const Node& node, std::string_view field);
/// A field of one number; 0 if it is omitted.
[[nodiscard]] std::int64_t wholeIn(const Node& node, std::string_view field);
[[nodiscard]] double realIn(const Node& node, std::string_view field);
[[nodiscard]] std::vector<std::int64_t> wholesIn(const Node& node, std::string_view field);
[[nodiscard]] std::string_view textIn(const Node& node, std::string_view field);

/// An axis counted from the front; negative if there is no such axis.
[[nodiscard]] constexpr std::int64_t axisOf(std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    return axis < -count || axis >= count ? -1 : axis < 0 ? axis + count : axis;
}

}  // namespace et::backends::mlx
