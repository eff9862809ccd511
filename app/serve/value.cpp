#include "app/serve/value.h"

#include <array>

namespace et::serve {

std::string Value::typeName() const {
    if (const auto* const unknown = as<Unknown>()) {
        return unknown->typeName;
    }
    constexpr std::array<const char*, std::variant_size_v<Content>> names{
        "NoneType", "bool",   "int",    "int",  "float", "str", "bytes",
        "ndarray",  "object", "object", "list", "tuple", "dict"};
    return names[content.index()];
}

}  // namespace et::serve
