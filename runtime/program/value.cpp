#include "runtime/program/value.h"

#include <array>

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

}  // namespace et::program
