#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// What a backend says of its delegates to those who look into them from outside: of their traces and values.
namespace et::executor {

/// Operators of a backend and nodes of the Edge graph that come in equal numbers.
struct OperatorFamily {
    std::string_view what;                         ///< for people, in the plural: "sums"
    std::span<const std::string_view> operators;   ///< as TraceTraits::typeOf() gives them: "Add"
    std::span<const std::string_view> nodes = {};  ///< Edge operators, without library and overload: "add"
    bool products = false;  ///< the nodes are all convolutions and matrix products, `nodes` is empty
};

/// What the names of events say that delegates of a backend trace. Without `isOperator`: nothing.
struct TraceTraits {
    /// Whether an operator of this backend is called so: "Convolution (NHWC, F32) IGEMM #1".
    bool (*isOperator)(std::string_view name) = nullptr;
    /// What it computes, whatever kernel and version of the backend: "Convolution". Null: all of the name.
    std::string_view (*typeOf)(std::string_view name) = nullptr;
    /// Whether it computes with quantized numbers. Null: no operator does.
    bool (*isQuantized)(std::string_view name) = nullptr;

    std::span<const OperatorFamily> families = {};
    /// Types that the backend adds, leaves out or fuses as it likes.
    std::span<const std::string_view> uncounted = {};
    /// Edge operators that it may run as several of its own; with one of them, counting says nothing.
    std::span<const std::string_view> composites = {};
    /// Types that only move or convert elements, and may stand for no node of the Edge graph.
    std::span<const std::string_view> layouts = {};
    /// Types, and kinds of nodes as taps name them, that change the datatype of their input and nothing else.
    std::span<const std::string_view> conversions = {};
    /// Whether the delegate map that its exporter writes has positions in a graph, which may look like debug
    /// handles but are none.
    bool mapsPositions = false;

    [[nodiscard]] std::string_view type(std::string_view name) const {
        return typeOf == nullptr ? name : typeOf(name);
    }
};

/// How the dimensions of a value lie to those of the graph that was lowered: dimension i of the graph is
/// dimension order[i] of the value.
using DimensionOrder = std::vector<std::uint8_t>;

/// What a number in a quantized value stands for: scale * (number - zeroPoint).
struct ValueScale {
    double scale = 1;
    std::int64_t zeroPoint = 0;
};

/// A value inside of a delegate.
struct InnerValue {
    std::uint32_t id = 0;  ///< as taps name it
    DimensionOrder order;
    std::optional<ValueScale> scale{};  ///< nothing: not quantized, or with more than one scale
};

}  // namespace et::executor
