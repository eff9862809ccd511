#include "runtime/program/method.h"

#include <array>
#include <numeric>
#include <utility>

namespace et::program {

std::string_view valueTypeName(const Value& value) {
    static constexpr std::array<std::string_view, std::variant_size_v<Value::Kind>> names{
        "Null",
        "Int",
        "Bool",
        "Double",
        "Tensor",
        "String",
        "IntList",
        "DoubleList",
        "BoolList",
        "TensorList",
        "OptionalTensorList"};
    return names[value.index()];
}

std::string_view segmentUseName(SegmentUse use) {
    static constexpr std::array<std::string_view, 5> names{"unused", "constants", "mutable state",
                                                           "delegate payload", "named data"};
    return names[std::to_underlying(use)];
}

std::string_view instructionName(const Instruction& instruction) {
    static constexpr std::array<std::string_view, std::variant_size_v<Instruction>> names{
        "KernelCall", "DelegateCall", "MoveCall", "JumpFalseCall", "FreeCall"};
    return names[instruction.index()];
}

std::string Operator::fullName() const {
    std::string full(name);
    if (!overload.empty()) {
        full += '.';
        full += overload;
    }
    return full;
}

std::uint64_t Method::plannedBytes() const {
    return std::accumulate(arenas.begin(), arenas.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Arena& arena) { return sum + arena.bytes; });
}

}  // namespace et::program
