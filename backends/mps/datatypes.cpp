#include "backends/mps/datatypes.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace et::backends::mps {
namespace {

struct CodeTraits {
    std::string_view name;
    std::uint64_t bits;
};

/// By code.
constexpr std::array datatypes = std::to_array<CodeTraits>({
    {"no datatype", 0},
    {"float16", 16},
    {"float32", 32},
    {"float64", 64},
    {"bfloat16", 16},
    {"int4", 4},
    {"int8", 8},
    {"int16", 16},
    {"int32", 32},
    {"int64", 64},
    {"uint4", 4},
    {"uint8", 8},
    {"uint16", 16},
    {"uint32", 32},
    {"uint64", 64},
    {"bool", 8},
    {"complex32", 32},
    {"complex64", 64},
});

}  // namespace

DatatypeInfo datatypeInfo(std::int16_t code) {
    if (code < 0 || static_cast<std::size_t>(code) >= datatypes.size()) {
        return {.name = fmt::format("datatype {}", code)};
    }
    const CodeTraits& info = datatypes[static_cast<std::size_t>(code)];
    return {.name = std::string(info.name), .bits = info.bits};
}

}  // namespace et::backends::mps
