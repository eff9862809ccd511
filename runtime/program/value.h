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

/// Position of a value in its method.
using ValueId = core::StrongId<struct ValueIdTag, std::uint32_t>;

/// Position of an arena in Method::arenas; 0 stands for constants and is never planned into.
using ArenaId = core::StrongId<struct ArenaIdTag, std::uint32_t>;

/// A compute device as the file numbers it: type 0 is the CPU, 1 CUDA; others are kept as found.
struct Device {
    std::int8_t type = 0;
    std::int8_t index = 0;

    bool operator==(const Device&) const = default;
};

/// What TensorInfo::sizes are.
enum class ShapeDynamism : std::uint8_t {
    Static,    ///< the sizes of every run
    Bounded,   ///< the largest sizes that a run may have
    Unbounded  ///< a hint only; memory is found at run time
};

/// Where the bytes are that a tensor has before the method runs.
enum class InitialData : std::uint8_t {
    None,     ///< nothing: an input, an output or an intermediate
    Program,  ///< TensorInfo::data
    External  ///< in a tensor data file (.ptd), by TensorInfo::name
};

/// The planned place of a tensor, in bytes from the start of its arena.
struct Allocation {
    ArenaId arena;
    std::uint64_t offset = 0;

    bool operator==(const Allocation&) const = default;
};

/// A tensor as the exporter described it. Allocation and initial data together say what it is:
///   no allocation, data            a constant
///   allocation, no data            an intermediate, or an input or output with planned memory
///   allocation, data               mutable state with an initial value
///   neither                        an input or output whose memory the caller brings
struct TensorInfo {
    std::int8_t scalarType = 0;  ///< core::scalarType() code; as found, may be unknown
    std::int8_t layout = 0;      ///< 0: strided; as found
    bool requiresGrad = false;
    ShapeDynamism dynamism = ShapeDynamism::Static;
    InitialData initialData = InitialData::None;
    Device device;
    std::uint32_t dataIndex = 0;  ///< the file's data_buffer_idx, for display
    core::SizeList sizes;         ///< in elements, none negative
    core::OrderList dimOrder;     ///< a permutation: dimensions from outermost to innermost in memory
    std::optional<std::int64_t> byteSize;  ///< of the dense tensor; nothing for an unknown dtype
    std::optional<Allocation> allocation;  ///< offset + byteSize is inside the arena
    core::Bytes data;                      ///< byteSize bytes of the file; empty unless InitialData::Program
    std::string_view name;                 ///< fully qualified name ("linear.weight"); mostly empty
};

/// Integers boxed as values of their own, because some are known only at run time (symbolic sizes).
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
    std::vector<std::optional<ValueId>> items;  ///< nothing: None at this place
};

/// A slot of a method: what an instruction reads or writes. Most are numbers: what is larger lies apart.
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

    /// The content as T, a TensorInfo or another of Kind's alternatives; null when it is something else.
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

    /// What `visitor` makes of the content, a TensorInfo for a tensor.
    template <class Self, class Visitor>
    decltype(auto) visit(this Self&& self, Visitor&& visitor) {
        return std::visit([&](auto& content) -> decltype(auto) { return visitor(core::unboxed(content)); },
                          self.kind);
    }

    /// Position in Kind.
    [[nodiscard]] std::size_t index() const { return kind.index(); }

  private:
    Kind kind;
};

/// "Tensor", "IntList", …: the format's own names.
[[nodiscard]] std::string_view valueTypeName(const Value& value);

}  // namespace et::program
