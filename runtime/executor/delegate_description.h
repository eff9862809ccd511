#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Description of a backend's delegates for code that reads their traces and values.
namespace et::executor {

/// Operators of a backend and nodes of the Edge graph that occur in equal numbers.
struct OperatorFamily {
    std::string_view what;  ///< display name, plural: "sums"
    std::span<const std::string_view>
        operators;  ///< type names as returned by TraceConventions::typeOf(): "Add"
    std::span<const std::string_view> nodes = {};  ///< Edge operators, without library and overload: "add"
    bool products = false;  ///< the nodes are all convolutions and matrix products; `nodes` is empty
};

/// How to interpret the event names that a backend's delegates trace. Without `isOperator`, names carry no
/// information.
struct TraceConventions {
    /// True if an operator of this backend has this name: "Convolution (NHWC, F32) IGEMM #1".
    bool (*isOperator)(std::string_view name) = nullptr;
    /// Returns the operator type, independent of kernel and backend version: "Convolution". If null, the
    /// whole name is the type.
    std::string_view (*typeOf)(std::string_view name) = nullptr;
    /// True if the operator computes with quantized values. If null, no operator does.
    bool (*isQuantized)(std::string_view name) = nullptr;

    std::span<const OperatorFamily> families = {};
    /// Types that the backend may add, omit or fuse.
    std::span<const std::string_view> uncounted = {};
    /// Edge operators that the backend may run as several operators; if one is present, counts are not
    /// compared.
    std::span<const std::string_view> composites = {};
    /// Types that only move or convert elements and may not correspond to any node of the Edge graph.
    std::span<const std::string_view> layouts = {};
    /// Types, and kinds of nodes as named by taps, that only change the dtype of their input.
    std::span<const std::string_view> conversions = {};
    /// True if the exporter's delegate map contains graph positions, which can be mistaken for debug handles.
    bool mapsPositions = false;

    [[nodiscard]] std::string_view type(std::string_view name) const {
        return typeOf == nullptr ? name : typeOf(name);
    }
};

/// Permutation from a value's dimensions to those of the lowered graph: dimension i of the graph is dimension
/// order[i] of the value.
using DimensionOrder = std::vector<std::uint8_t>;

/// Quantization parameters of a value: real = scale * (quantized - zeroPoint).
struct ValueScale {
    double scale = 1;
    std::int64_t zeroPoint = 0;
};

/// A value inside a delegate.
struct InnerValue {
    std::uint32_t id = 0;  ///< id used by taps
    DimensionOrder order;
    std::optional<ValueScale> scale{};  ///< empty if not quantized, or if there is more than one scale
};

}  // namespace et::executor
