#pragma once

#include "runtime/core/scalar_type.h"

#include <array>
#include <string_view>

namespace et::native::detail {

/// A dtype by its name in safetensors files.
struct StoredTypeName {
    std::string_view name;
    core::ScalarType type;
};
inline constexpr std::array storedTypeNames =
    std::to_array<StoredTypeName>({{"F64", core::ScalarType::Double},
                                   {"F32", core::ScalarType::Float},
                                   {"F16", core::ScalarType::Half},
                                   {"BF16", core::ScalarType::BFloat16},
                                   {"I64", core::ScalarType::Long},
                                   {"I32", core::ScalarType::Int},
                                   {"I16", core::ScalarType::Short},
                                   {"I8", core::ScalarType::Char},
                                   {"U8", core::ScalarType::Byte},
                                   {"U16", core::ScalarType::UInt16},
                                   {"U32", core::ScalarType::UInt32},
                                   {"U64", core::ScalarType::UInt64},
                                   {"BOOL", core::ScalarType::Bool},
                                   {"C64", core::ScalarType::ComplexFloat}});

}  // namespace et::native::detail
