#pragma once

#include <cstdint>

namespace executorch::runtime::etensor {

// Elements of quantized and packed tensors: the stored integer, without arithmetic.
#define ET_INTERNAL_STORED_TYPE(name, storage)       \
    struct alignas(storage) name {                   \
        using underlying = storage;                  \
        storage val_;                                \
        name() = default;                            \
        explicit name(storage value) : val_(value) { \
        }                                            \
    };
ET_INTERNAL_STORED_TYPE(qint8, int8_t)
ET_INTERNAL_STORED_TYPE(quint8, uint8_t)
ET_INTERNAL_STORED_TYPE(qint32, int32_t)
ET_INTERNAL_STORED_TYPE(quint4x2, uint8_t)
ET_INTERNAL_STORED_TYPE(quint2x4, uint8_t)
ET_INTERNAL_STORED_TYPE(bits1x8, uint8_t)
ET_INTERNAL_STORED_TYPE(bits2x4, uint8_t)
ET_INTERNAL_STORED_TYPE(bits4x2, uint8_t)
ET_INTERNAL_STORED_TYPE(bits8, uint8_t)
ET_INTERNAL_STORED_TYPE(bits16, uint16_t)
namespace unused_dtype {
ET_INTERNAL_STORED_TYPE(Float8_e5m2, uint8_t)
ET_INTERNAL_STORED_TYPE(Float8_e4m3fn, uint8_t)
ET_INTERNAL_STORED_TYPE(Float8_e5m2fnuz, uint8_t)
ET_INTERNAL_STORED_TYPE(Float8_e4m3fnuz, uint8_t)
}  // namespace unused_dtype
#undef ET_INTERNAL_STORED_TYPE

}  // namespace executorch::runtime::etensor

namespace torch::executor {
using ::executorch::runtime::etensor::bits16;
using ::executorch::runtime::etensor::bits1x8;
using ::executorch::runtime::etensor::bits2x4;
using ::executorch::runtime::etensor::bits4x2;
using ::executorch::runtime::etensor::bits8;
using ::executorch::runtime::etensor::qint32;
using ::executorch::runtime::etensor::qint8;
using ::executorch::runtime::etensor::quint2x4;
using ::executorch::runtime::etensor::quint4x2;
using ::executorch::runtime::etensor::quint8;
}  // namespace torch::executor
