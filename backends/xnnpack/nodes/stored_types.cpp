#include "backends/xnnpack/nodes/stored_types.h"

#include <algorithm>

namespace et::backends::xnnpack {

bool hasHalf(const Payload& payload) {
    return std::ranges::contains(payload.values, Datatype::Fp16, &PayloadValue::datatype);
}

Datatype computedAs(Datatype type, bool widenHalf) {
    return type == Datatype::BFloat16 || (type == Datatype::Fp16 && widenHalf) ? Datatype::Fp32 : type;
}

Datatype storedAs(Datatype type, bool widenHalf) {
    return type == Datatype::QDInt8 ? Datatype::Fp32 : computedAs(type, widenHalf);
}

std::size_t storedBytes(const Payload& payload, ValueIndex value, const ValueSizes& sizes, bool widenHalf) {
    std::size_t bytes = datatypeInfo(storedAs(payload.value(value).datatype, widenHalf))->bits / 8U;
    for (const std::size_t size : sizes) {
        bytes *= size;
    }
    return bytes;
}

}  // namespace et::backends::xnnpack
