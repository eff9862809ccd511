#pragma once

#include "runtime/core/boxed.h"
#include "runtime/core/dim_list.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/strong_id.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace et::program {

/// Index of a value in its method.
using ValueId = core::StrongId<struct ValueIdTag, std::uint32_t>;

/// Index into Method::arenas; 0 is for constants and never used by the plan.
using ArenaId = core::StrongId<struct ArenaIdTag, std::uint32_t>;

/// A compute device as numbered in the file: type 0 is the CPU, 1 CUDA; others are kept unchanged.
struct Device {
    std::int8_t type = 0;
    std::int8_t index = 0;

    bool operator==(const Device&) const = default;
};

/// Meaning of TensorInfo::sizes.
enum class ShapeDynamism : std::uint8_t {
    Static,    ///< exact sizes
    Bounded,   ///< maximum sizes
    Unbounded  ///< a hint only; memory is allocated at run time
};

/// Source of a tensor's bytes before the method runs.
enum class InitialData : std::uint8_t {
    None,     ///< none: an input, an output or an intermediate
    Program,  ///< TensorInfo::data
    External  ///< in a tensor data file (.ptd), by TensorInfo::name
};

/// The planned memory of a tensor; offset in bytes from the start of its arena.
struct Allocation {
    ArenaId arena;
    std::uint64_t offset = 0;

    bool operator==(const Allocation&) const = default;
};

/// A tensor as described by the exporter. Allocation and initial data determine its role:
///   no allocation, data            a constant
///   allocation, no data            an intermediate, or an input or output with planned memory
///   allocation, data               mutable state with an initial value
///   neither                        an input or output whose memory the caller provides
struct TensorInfo {
    std::int8_t scalarType = 0;  ///< core::scalarType() code as read from the file; may be unknown
    std::int8_t layout = 0;      ///< 0: strided; as read from the file
    bool requiresGrad = false;
    ShapeDynamism dynamism = ShapeDynamism::Static;
    InitialData initialData = InitialData::None;
    Device device;
    std::uint32_t dataIndex = 0;  ///< the file's data_buffer_idx, for display
    core::SizeList sizes;         ///< in elements, nonnegative
    core::OrderList dimOrder;     ///< a permutation: dimensions from outermost to innermost in memory
    std::optional<std::int64_t> byteSize;  ///< of the dense tensor; empty for an unknown dtype
    std::optional<Allocation> allocation;  ///< offset + byteSize is inside the arena
    core::Bytes data;                      ///< byteSize bytes of the file; empty unless InitialData::Program
    std::string_view name;                 ///< fully qualified name ("linear.weight"); mostly empty
};

/// Integers boxed as separate values, because some are known only at run time (symbolic sizes).
struct IntList {
    std::vector<ValueId> items;  ///< values of type Int
};

struct DoubleList {
    std::vector<double> items;
};

struct BoolList {
    std::vector<bool> items;
};

struct TensorList {
    std::vector<ValueId> items;
};

struct OptionalTensorList {
    std::vector<std::optional<ValueId>> items;  ///< empty for None
};

/// A slot of a method, read or written by instructions. Most are scalars; larger content is stored
/// separately.
class Value {
  public:
    /// In the order of the file's union; monostate is Null.
    using Kind =
        std::variant<std::monostate, std::int64_t, bool, double, core::Boxed<TensorInfo>, std::string_view,
                     IntList, DoubleList, core::Boxed<BoolList>, TensorList, OptionalTensorList>;

    Value() = default;
    template <class Content>
        requires(!std::same_as<std::remove_cvref_t<Content>, Value> && std::constructible_from<Kind, Content>)
    // NOLINTNEXTLINE(google-explicit-constructor): a value is one of its kinds
    Value(Content&& content) : kind(std::forward<Content>(content)) {}

    /// The content as T, a TensorInfo or another of Kind's alternatives; null if it has another kind.
    template <class T>
    [[nodiscard]] T* as() {
        return core::contentOf<T>(kind);
    }
    template <class T>
    [[nodiscard]] const T* as() const {
        return core::contentOf<T>(kind);
    }
    template <class T>
    [[nodiscard]] bool is() const {
        return as<T>() != nullptr;
    }

    /// Calls `visitor` with the content, a TensorInfo for a tensor, and returns its result.
    template <class Self, class Visitor>
    decltype(auto) visit(this Self&& self, Visitor&& visitor) {
        return std::visit([&](auto& content) -> decltype(auto) { return visitor(core::unboxed(content)); },
                          self.kind);
    }

    /// Index in Kind.
    [[nodiscard]] std::size_t index() const { return kind.index(); }

  private:
    Kind kind;
};

/// "Tensor", "IntList", …: the names used by the format.
[[nodiscard]] std::string_view valueTypeName(const Value& value);

}  // namespace et::program
