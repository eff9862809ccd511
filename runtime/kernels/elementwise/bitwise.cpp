#include "runtime/kernels/boxing.h"
#include "runtime/kernels/builtin.h"
#include "runtime/kernels/elementwise/kernels.h"

namespace et::kernels {
namespace {

constexpr Loops bitAndLoops = integerLoops<[](auto a, auto b) { return a & b; }, 2>();
constexpr Loops bitOrLoops = integerLoops<[](auto a, auto b) { return a | b; }, 2>();
constexpr Loops bitXorLoops = integerLoops<[](auto a, auto b) { return a ^ b; }, 2>();

/// Number: bits of the dtype. Shifts by a negative amount or by all bits yield 0.
constexpr Loops leftShiftLoops = withoutBool(integerLoops<[](auto a, auto by, const auto& numbers) {
    return by < 0 || by >= numbers[0] ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << by);
},
                                                          2>());

/// Number: bits of the dtype. Shifts by a negative amount or by all bits yield only the sign.
constexpr auto rightShift = [](auto a, auto by, const auto& numbers) {
    using T = decltype(a);
    return isNegative(by) || by >= numbers[0] ? static_cast<T>(isNegative(a) ? -1 : 0)
                                              : static_cast<T>(a >> by);
};
constexpr Loops rightShiftLoops = withUnsigned<rightShift, 2>(withoutBool(integerLoops<rightShift, 2>()));

core::Result<> shift(KernelContext& context, const Loops& loops, ScalarType type, const Tensor& self,
                     const Input& by, Tensor& out) {
    const auto bits = static_cast<std::int64_t>(core::elementBytes(type) * 8);
    return compute(context, {.loops = loops, .common = type, .result = type, .numbers = {bits}},
                   std::array{Input(self), by}, out);
}

/// (Tensor self, Tensor other, out)
template <const Loops& loops>
core::Result<> shiftTensor(KernelContext& context, const Tensor& self, const Tensor& other, Tensor& out) {
    return shift(context, loops, resultType(self, other), self, other, out);
}

/// (Tensor self, Scalar other, out)
template <const Loops& loops>
core::Result<> shiftScalar(KernelContext& context, const Tensor& self, Scalar other, Tensor& out) {
    return shift(context, loops, resultType(self, other), self, other, out);
}

/// (Tensor self, out): logical not for bool
core::Result<> bitwiseNot(KernelContext& context, const Tensor& self, Tensor& out) {
    static constexpr Loops loops = integerLoops<[](auto x) { return ~x; }, 1>();
    static constexpr Loops boolLoops = integerLoops<[](auto x) { return x == 0; }, 1>();
    return compute(context,
                   {.loops = self.dtype() == ScalarType::Bool ? boolLoops : loops,
                    .common = self.dtype(),
                    .result = self.dtype()},
                   std::array{Input(self)}, out);
}

constexpr KernelEntry bitwiseEntries[] = {
    {"aten::bitwise_and.Tensor_out", box<&binary<bitAndLoops, sameType>>},
    {"aten::bitwise_and.Scalar_out", box<&binary<bitAndLoops, sameType, Scalar>>},
    {"aten::bitwise_or.Tensor_out", box<&binary<bitOrLoops, sameType>>},
    {"aten::bitwise_or.Scalar_out", box<&binary<bitOrLoops, sameType, Scalar>>},
    {"aten::bitwise_xor.Tensor_out", box<&binary<bitXorLoops, sameType>>},
    {"aten::bitwise_xor.Scalar_out", box<&binary<bitXorLoops, sameType, Scalar>>},
    {"aten::bitwise_not.out", box<&bitwiseNot>},
    {"aten::bitwise_left_shift.Tensor_out", box<&shiftTensor<leftShiftLoops>>},
    {"aten::bitwise_left_shift.Tensor_Scalar_out", box<&shiftScalar<leftShiftLoops>>},
    {"aten::bitwise_right_shift.Tensor_out", box<&shiftTensor<rightShiftLoops>>},
    {"aten::bitwise_right_shift.Tensor_Scalar_out", box<&shiftScalar<rightShiftLoops>>},
};

}  // namespace

std::span<const KernelEntry> bitwiseKernels() {
    return bitwiseEntries;
}

}  // namespace et::kernels
