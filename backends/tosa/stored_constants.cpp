#include "backends/tosa/stored_constants.h"

#include "backends/tosa/elements.h"
#include "backends/tosa/read_payload.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace et::backends::tosa {
namespace {

using core::ScalarType;

/// Nothing for datatypes that tensors cannot have, such as int48.
std::optional<ScalarType> scalarTypeOf(std::uint32_t datatype) {
    constexpr std::array types = std::to_array<std::pair<std::string_view, ScalarType>>({
        {"bool", ScalarType::Bool},
        {"int8", ScalarType::Char},
        {"int16", ScalarType::Short},
        {"int32", ScalarType::Int},
        {"int64", ScalarType::Long},
        {"float16", ScalarType::Half},
        {"bfloat16", ScalarType::BFloat16},
        {"float32", ScalarType::Float},
    });
    const DatatypeInfo* const info = datatypeInfo(datatype);
    for (const auto& [name, type] : types) {
        if (info != nullptr && info->name == name) {
            return type;
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<StoredConstant> storedConstants(core::Bytes payload) {
    const auto read = readPayload(payload);
    std::vector<StoredConstant> constants;
    if (!read) {
        return constants;
    }
    const Block& block = read->blocks.front();
    for (std::size_t i = 0; i < block.tensors.size(); ++i) {
        const Tensor& tensor = block.tensors[i];
        const auto dtype = scalarTypeOf(tensor.datatype);
        if (dtype && !tensor.data.empty() && !tensor.isUnranked && typeBytes(tensor) == tensor.data.size()) {
            // The graph's first values are the tensors of this block.
            constants.push_back({.value = i,
                                 .data = tensor.data,
                                 .elements = {.dtype = *dtype, .sizes = tensor.sizes, .scales = {}}});
        }
    }
    return constants;
}

}  // namespace et::backends::tosa
