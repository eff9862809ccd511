#include "runtime/core/scalar_type.h"

#include <algorithm>
#include <array>
#include <limits>

namespace et::core {
namespace {

constexpr std::array table{
    ScalarTypeFacts{0, "BYTE", "uint8", 1},
    ScalarTypeFacts{1, "CHAR", "int8", 1},
    ScalarTypeFacts{2, "SHORT", "int16", 2},
    ScalarTypeFacts{3, "INT", "int32", 4},
    ScalarTypeFacts{4, "LONG", "int64", 8},
    ScalarTypeFacts{5, "HALF", "float16", 2},
    ScalarTypeFacts{6, "FLOAT", "float32", 4},
    ScalarTypeFacts{7, "DOUBLE", "float64", 8},
    ScalarTypeFacts{8, "COMPLEX32", "complex32", 4},
    ScalarTypeFacts{9, "COMPLEX64", "complex64", 8},
    ScalarTypeFacts{10, "COMPLEX128", "complex128", 16},
    ScalarTypeFacts{11, "BOOL", "bool", 1},
    ScalarTypeFacts{12, "QINT8", "qint8", 1},
    ScalarTypeFacts{13, "QUINT8", "quint8", 1},
    ScalarTypeFacts{14, "QINT32", "qint32", 4},
    ScalarTypeFacts{15, "BFLOAT16", "bfloat16", 2},
    ScalarTypeFacts{16, "QUINT4X2", "quint4x2", 1},
    ScalarTypeFacts{17, "QUINT2X4", "quint2x4", 1},
    ScalarTypeFacts{18, "BITS1X8", "bits1x8", 1},
    ScalarTypeFacts{19, "BITS2X4", "bits2x4", 1},
    ScalarTypeFacts{20, "BITS4X2", "bits4x2", 1},
    ScalarTypeFacts{21, "BITS8", "bits8", 1},
    ScalarTypeFacts{22, "BITS16", "bits16", 2},
    ScalarTypeFacts{23, "FLOAT8E5M2", "float8_e5m2", 1},
    ScalarTypeFacts{24, "FLOAT8E4M3FN", "float8_e4m3fn", 1},
    ScalarTypeFacts{25, "FLOAT8E5M2FNUZ", "float8_e5m2fnuz", 1},
    ScalarTypeFacts{26, "FLOAT8E4M3FNUZ", "float8_e4m3fnuz", 1},
    ScalarTypeFacts{27, "UINT16", "uint16", 2},
    ScalarTypeFacts{28, "UINT32", "uint32", 4},
    ScalarTypeFacts{29, "UINT64", "uint64", 8},
};

}  // namespace

std::span<const ScalarTypeFacts> scalarTypes() {
    return table;
}

std::optional<ScalarTypeFacts> scalarType(std::int64_t code) {
    const auto* found =
        std::ranges::find(table, code, [](const auto& facts) { return std::int64_t{facts.code}; });
    return found == table.end() ? std::nullopt : std::optional(*found);
}

std::string scalarTypeName(std::int64_t code) {
    const auto facts = scalarType(code);
    return facts ? std::string(facts->torchName) : "dtype " + std::to_string(code);
}

std::size_t elementBytes(ScalarType type) {
    const auto facts = scalarType(static_cast<std::int64_t>(type));
    return facts ? facts->bytes : 0;
}

std::optional<std::int64_t> tensorBytes(std::int64_t code, std::span<const std::int64_t> sizes) {
    const auto facts = scalarType(code);
    if (!facts || facts->bytes == 0 ||
        std::ranges::any_of(sizes, [](std::int64_t size) { return size < 0; })) {
        return std::nullopt;
    }
    std::int64_t total = facts->bytes;
    if (std::ranges::find(sizes, 0) != sizes.end()) {
        return 0;
    }
    for (const std::int64_t size : sizes) {
        if (total > std::numeric_limits<std::int64_t>::max() / size) {
            return std::nullopt;
        }
        total *= size;
    }
    return total;
}

}  // namespace et::core
