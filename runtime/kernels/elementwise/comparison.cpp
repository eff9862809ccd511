#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/elementwise/kernels.h"

#include <cmath>

namespace et::kernels {
namespace {

constexpr auto equal = [](auto a, auto b) { return a == b; };
constexpr auto notEqual = [](auto a, auto b) { return a != b; };
constexpr auto less = [](auto a, auto b) { return a < b; };
constexpr auto lessEqual = [](auto a, auto b) { return a <= b; };
constexpr auto greater = [](auto a, auto b) { return a > b; };
constexpr auto greaterEqual = [](auto a, auto b) { return a >= b; };

constexpr Loops equalLoops = withComplex<equal, 2>(realLoops<equal, 2>());
constexpr Loops notEqualLoops = withComplex<notEqual, 2>(realLoops<notEqual, 2>());
constexpr Loops lessLoops = orderedLoops<less, 2>();
constexpr Loops lessEqualLoops = orderedLoops<lessEqual, 2>();
constexpr Loops greaterLoops = orderedLoops<greater, 2>();
constexpr Loops greaterEqualLoops = orderedLoops<greaterEqual, 2>();

constexpr Loops andLoops = realLoops<[](auto a, auto b) { return a != 0 && b != 0; }, 2>();
constexpr Loops orLoops = realLoops<[](auto a, auto b) { return a != 0 || b != 0; }, 2>();
constexpr Loops xorLoops = realLoops<[](auto a, auto b) { return (a != 0) != (b != 0); }, 2>();
constexpr Loops notLoops = realLoops<[](auto x) { return x == 0; }, 1>();

// NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
constexpr Loops isNanLoops = realLoops<[](auto x) { return x != x; }, 1>();
constexpr Loops isInfiniteLoops = realLoops<[](auto x) {
    if constexpr (isInteger<decltype(x)>) {
        return false;
    } else {
        return std::isinf(x);
    }
},
                                            1>();

constexpr KernelEntry comparisonEntries[] = {
    {"aten::eq.Tensor_out", box<&binary<equalLoops, truthType>>},
    {"aten::eq.Scalar_out", box<&binary<equalLoops, truthType, Scalar>>},
    {"aten::ne.Tensor_out", box<&binary<notEqualLoops, truthType>>},
    {"aten::ne.Scalar_out", box<&binary<notEqualLoops, truthType, Scalar>>},
    {"aten::lt.Tensor_out", box<&binary<lessLoops, truthType>>},
    {"aten::lt.Scalar_out", box<&binary<lessLoops, truthType, Scalar>>},
    {"aten::le.Tensor_out", box<&binary<lessEqualLoops, truthType>>},
    {"aten::le.Scalar_out", box<&binary<lessEqualLoops, truthType, Scalar>>},
    {"aten::gt.Tensor_out", box<&binary<greaterLoops, truthType>>},
    {"aten::gt.Scalar_out", box<&binary<greaterLoops, truthType, Scalar>>},
    {"aten::ge.Tensor_out", box<&binary<greaterEqualLoops, truthType>>},
    {"aten::ge.Scalar_out", box<&binary<greaterEqualLoops, truthType, Scalar>>},

    {"aten::logical_and.out", box<&binary<andLoops, truthType>>},
    {"aten::logical_or.out", box<&binary<orLoops, truthType>>},
    {"aten::logical_xor.out", box<&binary<xorLoops, truthType>>},
    {"aten::logical_not.out", box<&unary<notLoops, truthType>>},

    {"aten::isinf.out", box<&unaryExact<isInfiniteLoops, truthType>>},
    {"aten::isnan.out", box<&unaryExact<isNanLoops, truthType>>},
};

}  // namespace

std::span<const KernelEntry> comparisonKernels() {
    return comparisonEntries;
}

}  // namespace et::kernels
