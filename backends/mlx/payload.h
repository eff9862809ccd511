#pragma once

#include "backends/mlx/node_kinds.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// A payload of ExecuTorch's MLX compiler in memory.
namespace et::backends::mlx {

/// Number of a tensor or of a value: an integer or a floating-point number computed at run time.
using TensorNumber = std::uint32_t;
using ValueNumber = std::uint32_t;

/// An item of a node's field.
struct Item {
    enum class Kind : std::uint8_t { Int, Float, Bool, Dtype, Value, Tensor, Chain };
    Kind kind = Kind::Int;
    std::uint32_t number = 0;  ///< of a value, tensor or chain
    std::int64_t whole = 0;    ///< also a bool, and a core::scalarType() code
    double real = 0;

    bool operator==(const Item&) const = default;
};

/// A field of a node; monostate: omitted. Texts are borrowed from the payload.
using Field =
    std::variant<std::monostate, Item, std::vector<Item>, std::string_view, std::vector<std::string_view>>;

/// A node; `fields` has one entry for each of `kind->fields`.
struct Node {
    const NodeKindInfo* kind = nullptr;
    std::uint8_t number = 0;  ///< of the kind
    std::vector<Field> fields;

    /// Null if the kind has no such field.
    [[nodiscard]] const Field* find(std::string_view field) const;
};

/// Nodes that run one after another.
using Chain = std::vector<Node>;

/// A dimension of a tensor; `size` -1: dynamic, between `minimum` and `maximum` (-1: unbounded).
struct Dimension {
    std::int32_t size = 0;
    std::int32_t minimum = 0;
    std::int32_t maximum = -1;

    bool operator==(const Dimension&) const = default;
};

struct TensorMeta {
    std::int8_t dtype = 0;  ///< core::scalarType() code
    std::vector<Dimension> sizes;
    std::vector<std::uint8_t> dimOrder;
};

/// Content of a slot of the delegate's interface.
enum class SlotType : std::int8_t { Tensor = 0, Int = 1, Float = 2, Bool = 3 };

/// A tensor or value of the delegate's interface.
struct Slot {
    std::uint32_t number = 0;
    SlotType type = SlotType::Tensor;

    bool operator==(const Slot&) const = default;
};

struct NamedSlot {
    std::string_view name;  ///< for constants and buffers: key of the named data
    Slot slot;
};

/// Roles in the order of tensor numbers.
enum class Role : std::uint8_t { Constant, Input, Output, MutableBuffer, Temporary };

/// A checked payload: all numbers of tensors, values and chains exist, and no chain runs itself. Borrows the
/// payload's bytes.
struct Payload {
    std::string_view version;
    std::array<std::uint32_t, 5> counts{};  ///< of tensors by role
    std::uint32_t values = 0;               ///< as declared
    std::uint32_t valueNumbers = 0;  ///< above the largest number that a node uses; chains that do not run
                                     ///< may exceed those declared
    std::vector<Chain> chains;
    std::uint32_t mainChain = 0;
    std::optional<std::uint32_t> initChain;  ///< runs once, when the delegate is loaded
    std::vector<Slot> inputs;                ///< arguments of the delegate call, in order
    std::vector<Slot> outputs;
    std::vector<Slot> buffers;
    std::vector<NamedSlot> names;
    std::vector<TensorMeta> tensors;  ///< by number; temporaries have none

    [[nodiscard]] std::uint32_t tensorCount() const;
    [[nodiscard]] Role roleOf(TensorNumber tensor) const;
    /// Null for a temporary.
    [[nodiscard]] const TensorMeta* meta(TensorNumber tensor) const {
        return tensor < tensors.size() ? &tensors[tensor] : nullptr;
    }
};

/// Calls `visit(item)` for every item of a field.
template <class Visit>
void forItems(const Field& field, const Visit& visit) {
    if (const auto* item = std::get_if<Item>(&field)) {
        visit(*item);
    } else if (const auto* items = std::get_if<std::vector<Item>>(&field)) {
        for (const Item& each : *items) {
            visit(each);
        }
    }
}

/// Access of a node to the tensors and values of a field.
struct FieldAccess {
    bool reads = false;
    bool writes = false;
};
[[nodiscard]] FieldAccess accessOf(FieldKind kind);

/// The chains that a node runs.
[[nodiscard]] std::vector<std::uint32_t> chainsOf(const Node& node);

}  // namespace et::backends::mlx
