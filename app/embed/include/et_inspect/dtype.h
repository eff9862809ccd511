#pragma once

#include <et_inspect/api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace et_inspect {

/// Element types, with their numbers in files (those of PyTorch).
enum class DType : std::int8_t {
    UInt8 = 0,
    Int8 = 1,
    Int16 = 2,
    Int32 = 3,
    Int64 = 4,
    Float16 = 5,
    Float32 = 6,
    Float64 = 7,
    Bool = 11,
    BFloat16 = 15,
    UInt16 = 27,
    UInt32 = 28,
    UInt64 = 29,
};

/// "float32".
ET_INSPECT_API std::string name(DType dtype);
/// Size of an element in bytes; 0 for a number that is no dtype.
ET_INSPECT_API std::size_t element_size(DType dtype);

/// The dtype of a C++ type: dtype_of<float> is Float32. Half types have none: use their bits with
/// from_blob().
template <class T>
inline constexpr DType dtype_of = T::no_dtype_of_this_type;
template <>
inline constexpr DType dtype_of<std::uint8_t> = DType::UInt8;
template <>
inline constexpr DType dtype_of<std::int8_t> = DType::Int8;
template <>
inline constexpr DType dtype_of<std::int16_t> = DType::Int16;
template <>
inline constexpr DType dtype_of<std::int32_t> = DType::Int32;
template <>
inline constexpr DType dtype_of<std::int64_t> = DType::Int64;
template <>
inline constexpr DType dtype_of<float> = DType::Float32;
template <>
inline constexpr DType dtype_of<double> = DType::Float64;
template <>
inline constexpr DType dtype_of<bool> = DType::Bool;
template <>
inline constexpr DType dtype_of<std::uint16_t> = DType::UInt16;
template <>
inline constexpr DType dtype_of<std::uint32_t> = DType::UInt32;
template <>
inline constexpr DType dtype_of<std::uint64_t> = DType::UInt64;

}  // namespace et_inspect
