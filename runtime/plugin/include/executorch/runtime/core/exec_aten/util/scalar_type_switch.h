#pragma once

#include <executorch/runtime/core/exec_aten/util/scalar_type_sets.h>

// ET_SWITCH_*(dtype, context, "op.out", CTYPE, [&] { ... }): calls the function with CTYPE as the C++ type.
// Other dtypes fail in the context.

#define ET_INTERNAL_SWITCH_CASE(dtype_, ALIAS_, ...)                                              \
    case dtype_: {                                                                                \
        using ALIAS_ [[maybe_unused]] = ::executorch::runtime::ScalarTypeToCppType<dtype_>::type; \
        return __VA_ARGS__();                                                                     \
    }
#define ET_INTERNAL_CASE(name_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH_CASE(::executorch::aten::ScalarType::name_, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH(dtype_, context_, name_, ...)                      \
    [&] {                                                                     \
        const auto& et_switched = dtype_;                                     \
        const char* et_switch_name = name_;                                   \
        (void)et_switch_name;                                                 \
        C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED("-Wswitch-enum")           \
        switch (et_switched) {                                                \
            __VA_ARGS__                                                       \
            default:                                                          \
                ET_LOG(Error, "%s does not support dtype %s", et_switch_name, \
                       ::executorch::runtime::toString(et_switched));         \
                context_.fail(::executorch::runtime::Error::InvalidArgument); \
        }                                                                     \
        C10_DIAGNOSTIC_POP()                                                  \
    }()

#define ET_INTERNAL_SWITCH_CASE_INT_TYPES(ALIAS_, ...) \
    ET_INTERNAL_CASE(Byte, ALIAS_, __VA_ARGS__)        \
    ET_INTERNAL_CASE(Char, ALIAS_, __VA_ARGS__)        \
    ET_INTERNAL_CASE(Short, ALIAS_, __VA_ARGS__)       \
    ET_INTERNAL_CASE(Int, ALIAS_, __VA_ARGS__)         \
    ET_INTERNAL_CASE(Long, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_UINT_TYPES(ALIAS_, ...) \
    ET_INTERNAL_CASE(UInt16, ALIAS_, __VA_ARGS__)       \
    ET_INTERNAL_CASE(UInt32, ALIAS_, __VA_ARGS__)       \
    ET_INTERNAL_CASE(UInt64, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES(ALIAS_, ...) \
    ET_INTERNAL_CASE(Float, ALIAS_, __VA_ARGS__)         \
    ET_INTERNAL_CASE(Double, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_REAL_TYPES(ALIAS_, ...) \
    ET_INTERNAL_CASE(Byte, ALIAS_, __VA_ARGS__)         \
    ET_INTERNAL_CASE(Char, ALIAS_, __VA_ARGS__)         \
    ET_INTERNAL_CASE(Short, ALIAS_, __VA_ARGS__)        \
    ET_INTERNAL_CASE(Int, ALIAS_, __VA_ARGS__)          \
    ET_INTERNAL_CASE(Long, ALIAS_, __VA_ARGS__)         \
    ET_INTERNAL_CASE(Float, ALIAS_, __VA_ARGS__)        \
    ET_INTERNAL_CASE(Double, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_COMPLEX_TYPES(ALIAS_, ...) \
    ET_INTERNAL_CASE(ComplexFloat, ALIAS_, __VA_ARGS__)    \
    ET_INTERNAL_CASE(ComplexDouble, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_COMPLEXH_TYPES(ALIAS_, ...) \
    ET_INTERNAL_CASE(ComplexFloat, ALIAS_, __VA_ARGS__)     \
    ET_INTERNAL_CASE(ComplexDouble, ALIAS_, __VA_ARGS__)    \
    ET_INTERNAL_CASE(ComplexHalf, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_QINT_TYPES(ALIAS_, ...) \
    ET_INTERNAL_CASE(QInt8, ALIAS_, __VA_ARGS__)        \
    ET_INTERNAL_CASE(QUInt8, ALIAS_, __VA_ARGS__)       \
    ET_INTERNAL_CASE(QInt32, ALIAS_, __VA_ARGS__)       \
    ET_INTERNAL_CASE(QUInt4x2, ALIAS_, __VA_ARGS__)     \
    ET_INTERNAL_CASE(QUInt2x4, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_BITS_TYPES(ALIAS_, ...) \
    ET_INTERNAL_CASE(Bits1x8, ALIAS_, __VA_ARGS__)      \
    ET_INTERNAL_CASE(Bits2x4, ALIAS_, __VA_ARGS__)      \
    ET_INTERNAL_CASE(Bits4x2, ALIAS_, __VA_ARGS__)      \
    ET_INTERNAL_CASE(Bits8, ALIAS_, __VA_ARGS__)        \
    ET_INTERNAL_CASE(Bits16, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_TYPES(ALIAS_, ...) \
    ET_INTERNAL_CASE(Bool, ALIAS_, __VA_ARGS__)               \
    ET_INTERNAL_CASE(Long, ALIAS_, __VA_ARGS__)               \
    ET_INTERNAL_CASE(Double, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_REAL_TYPES(ALIAS_, ...) \
    ET_INTERNAL_CASE(Long, ALIAS_, __VA_ARGS__)                    \
    ET_INTERNAL_CASE(Double, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_INTB_TYPES(ALIAS_, ...) \
    ET_INTERNAL_CASE(Bool, ALIAS_, __VA_ARGS__)                    \
    ET_INTERNAL_CASE(Long, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_FLOATB_TYPES(ALIAS_, ...) \
    ET_INTERNAL_CASE(Bool, ALIAS_, __VA_ARGS__)                      \
    ET_INTERNAL_CASE(Double, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_ALL_TYPES(ALIAS_, ...)   \
    ET_INTERNAL_CASE(Byte, ALIAS_, __VA_ARGS__)          \
    ET_INTERNAL_CASE(Char, ALIAS_, __VA_ARGS__)          \
    ET_INTERNAL_CASE(Short, ALIAS_, __VA_ARGS__)         \
    ET_INTERNAL_CASE(Int, ALIAS_, __VA_ARGS__)           \
    ET_INTERNAL_CASE(Long, ALIAS_, __VA_ARGS__)          \
    ET_INTERNAL_CASE(Float, ALIAS_, __VA_ARGS__)         \
    ET_INTERNAL_CASE(Double, ALIAS_, __VA_ARGS__)        \
    ET_INTERNAL_CASE(Half, ALIAS_, __VA_ARGS__)          \
    ET_INTERNAL_CASE(BFloat16, ALIAS_, __VA_ARGS__)      \
    ET_INTERNAL_CASE(Bool, ALIAS_, __VA_ARGS__)          \
    ET_INTERNAL_CASE(ComplexFloat, ALIAS_, __VA_ARGS__)  \
    ET_INTERNAL_CASE(ComplexDouble, ALIAS_, __VA_ARGS__) \
    ET_INTERNAL_CASE(ComplexHalf, ALIAS_, __VA_ARGS__)   \
    ET_INTERNAL_CASE(QInt8, ALIAS_, __VA_ARGS__)         \
    ET_INTERNAL_CASE(QUInt8, ALIAS_, __VA_ARGS__)        \
    ET_INTERNAL_CASE(QInt32, ALIAS_, __VA_ARGS__)        \
    ET_INTERNAL_CASE(QUInt4x2, ALIAS_, __VA_ARGS__)      \
    ET_INTERNAL_CASE(QUInt2x4, ALIAS_, __VA_ARGS__)      \
    ET_INTERNAL_CASE(Bits1x8, ALIAS_, __VA_ARGS__)       \
    ET_INTERNAL_CASE(Bits2x4, ALIAS_, __VA_ARGS__)       \
    ET_INTERNAL_CASE(Bits4x2, ALIAS_, __VA_ARGS__)       \
    ET_INTERNAL_CASE(Bits8, ALIAS_, __VA_ARGS__)         \
    ET_INTERNAL_CASE(Bits16, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_INT_TYPES_AND(DTYPE1_, ALIAS_, ...) \
    ET_INTERNAL_CASE(Byte, ALIAS_, __VA_ARGS__)                     \
    ET_INTERNAL_CASE(Char, ALIAS_, __VA_ARGS__)                     \
    ET_INTERNAL_CASE(Short, ALIAS_, __VA_ARGS__)                    \
    ET_INTERNAL_CASE(Int, ALIAS_, __VA_ARGS__)                      \
    ET_INTERNAL_CASE(Long, ALIAS_, __VA_ARGS__)                     \
    ET_INTERNAL_CASE(DTYPE1_, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND(DTYPE1_, ALIAS_, ...) \
    ET_INTERNAL_CASE(Float, ALIAS_, __VA_ARGS__)                      \
    ET_INTERNAL_CASE(Double, ALIAS_, __VA_ARGS__)                     \
    ET_INTERNAL_CASE(DTYPE1_, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND2(DTYPE1_, DTYPE2_, ALIAS_, ...) \
    ET_INTERNAL_CASE(Float, ALIAS_, __VA_ARGS__)                                \
    ET_INTERNAL_CASE(Double, ALIAS_, __VA_ARGS__)                               \
    ET_INTERNAL_CASE(DTYPE1_, ALIAS_, __VA_ARGS__)                              \
    ET_INTERNAL_CASE(DTYPE2_, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND3(DTYPE1_, DTYPE2_, DTYPE3_, ALIAS_, ...) \
    ET_INTERNAL_CASE(Float, ALIAS_, __VA_ARGS__)                                         \
    ET_INTERNAL_CASE(Double, ALIAS_, __VA_ARGS__)                                        \
    ET_INTERNAL_CASE(DTYPE1_, ALIAS_, __VA_ARGS__)                                       \
    ET_INTERNAL_CASE(DTYPE2_, ALIAS_, __VA_ARGS__)                                       \
    ET_INTERNAL_CASE(DTYPE3_, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND(DTYPE1_, ALIAS_, ...) \
    ET_INTERNAL_CASE(Byte, ALIAS_, __VA_ARGS__)                      \
    ET_INTERNAL_CASE(Char, ALIAS_, __VA_ARGS__)                      \
    ET_INTERNAL_CASE(Short, ALIAS_, __VA_ARGS__)                     \
    ET_INTERNAL_CASE(Int, ALIAS_, __VA_ARGS__)                       \
    ET_INTERNAL_CASE(Long, ALIAS_, __VA_ARGS__)                      \
    ET_INTERNAL_CASE(Float, ALIAS_, __VA_ARGS__)                     \
    ET_INTERNAL_CASE(Double, ALIAS_, __VA_ARGS__)                    \
    ET_INTERNAL_CASE(DTYPE1_, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND2(DTYPE1_, DTYPE2_, ALIAS_, ...) \
    ET_INTERNAL_CASE(Byte, ALIAS_, __VA_ARGS__)                                \
    ET_INTERNAL_CASE(Char, ALIAS_, __VA_ARGS__)                                \
    ET_INTERNAL_CASE(Short, ALIAS_, __VA_ARGS__)                               \
    ET_INTERNAL_CASE(Int, ALIAS_, __VA_ARGS__)                                 \
    ET_INTERNAL_CASE(Long, ALIAS_, __VA_ARGS__)                                \
    ET_INTERNAL_CASE(Float, ALIAS_, __VA_ARGS__)                               \
    ET_INTERNAL_CASE(Double, ALIAS_, __VA_ARGS__)                              \
    ET_INTERNAL_CASE(DTYPE1_, ALIAS_, __VA_ARGS__)                             \
    ET_INTERNAL_CASE(DTYPE2_, ALIAS_, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND3(DTYPE1_, DTYPE2_, DTYPE3_, ALIAS_, ...) \
    ET_INTERNAL_CASE(Byte, ALIAS_, __VA_ARGS__)                                         \
    ET_INTERNAL_CASE(Char, ALIAS_, __VA_ARGS__)                                         \
    ET_INTERNAL_CASE(Short, ALIAS_, __VA_ARGS__)                                        \
    ET_INTERNAL_CASE(Int, ALIAS_, __VA_ARGS__)                                          \
    ET_INTERNAL_CASE(Long, ALIAS_, __VA_ARGS__)                                         \
    ET_INTERNAL_CASE(Float, ALIAS_, __VA_ARGS__)                                        \
    ET_INTERNAL_CASE(Double, ALIAS_, __VA_ARGS__)                                       \
    ET_INTERNAL_CASE(DTYPE1_, ALIAS_, __VA_ARGS__)                                      \
    ET_INTERNAL_CASE(DTYPE2_, ALIAS_, __VA_ARGS__)                                      \
    ET_INTERNAL_CASE(DTYPE3_, ALIAS_, __VA_ARGS__)

#define ET_SWITCH_ALL_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_, ET_INTERNAL_SWITCH_CASE_ALL_TYPES(ALIAS_, __VA_ARGS__))

#define ET_SWITCH_REAL_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_, ET_INTERNAL_SWITCH_CASE_REAL_TYPES(ALIAS_, __VA_ARGS__))

#define ET_SWITCH_INT_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_, ET_INTERNAL_SWITCH_CASE_INT_TYPES(ALIAS_, __VA_ARGS__))

#define ET_SWITCH_FLOAT_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_, ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES(ALIAS_, __VA_ARGS__))

#define ET_SWITCH_QINT_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_, ET_INTERNAL_SWITCH_CASE_QINT_TYPES(ALIAS_, __VA_ARGS__))

#define ET_SWITCH_COMPLEX_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_, ET_INTERNAL_SWITCH_CASE_COMPLEX_TYPES(ALIAS_, __VA_ARGS__))

#define ET_SWITCH_COMPLEXH_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_, ET_INTERNAL_SWITCH_CASE_COMPLEXH_TYPES(ALIAS_, __VA_ARGS__))

#define ET_SWITCH_SCALAR_OBJ_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_, ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_TYPES(ALIAS_, __VA_ARGS__))

#define ET_SWITCH_SCALAR_OBJ_REAL_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_,                               \
                       ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_REAL_TYPES(ALIAS_, __VA_ARGS__))

#define ET_SWITCH_SCALAR_OBJ_INTB_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_,                               \
                       ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_INTB_TYPES(ALIAS_, __VA_ARGS__))

#define ET_SWITCH_SCALAR_OBJ_FLOATB_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_,                                 \
                       ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_FLOATB_TYPES(ALIAS_, __VA_ARGS__))

#define ET_SWITCH_INT_TYPES_AND(DTYPE1_, TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_,                                \
                       ET_INTERNAL_SWITCH_CASE_INT_TYPES_AND(DTYPE1_, ALIAS_, __VA_ARGS__))

#define ET_SWITCH_FLOAT_TYPES_AND(DTYPE1_, TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_,                                  \
                       ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND(DTYPE1_, ALIAS_, __VA_ARGS__))

#define ET_SWITCH_FLOAT_TYPES_AND2(DTYPE1_, DTYPE2_, TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_,                                            \
                       ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND2(DTYPE1_, DTYPE2_, ALIAS_, __VA_ARGS__))

#define ET_SWITCH_FLOAT_TYPES_AND3(DTYPE1_, DTYPE2_, DTYPE3_, TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(                                                                            \
        TYPE_, CONTEXT_, NAME_,                                                                    \
        ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND3(DTYPE1_, DTYPE2_, DTYPE3_, ALIAS_, __VA_ARGS__))

#define ET_SWITCH_REAL_TYPES_AND(DTYPE1_, TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_,                                 \
                       ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND(DTYPE1_, ALIAS_, __VA_ARGS__))

#define ET_SWITCH_REAL_TYPES_AND2(DTYPE1_, DTYPE2_, TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_,                                           \
                       ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND2(DTYPE1_, DTYPE2_, ALIAS_, __VA_ARGS__))

#define ET_SWITCH_REAL_TYPES_AND3(DTYPE1_, DTYPE2_, DTYPE3_, TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(                                                                           \
        TYPE_, CONTEXT_, NAME_,                                                                   \
        ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND3(DTYPE1_, DTYPE2_, DTYPE3_, ALIAS_, __VA_ARGS__))

#define ET_SWITCH_REALH_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_SWITCH_REAL_TYPES_AND(Half, TYPE_, CONTEXT_, NAME_, ALIAS_, __VA_ARGS__)

#define ET_SWITCH_REALB_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_SWITCH_REAL_TYPES_AND(Bool, TYPE_, CONTEXT_, NAME_, ALIAS_, __VA_ARGS__)

#define ET_SWITCH_REALHB_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_SWITCH_REAL_TYPES_AND2(Half, Bool, TYPE_, CONTEXT_, NAME_, ALIAS_, __VA_ARGS__)

#define ET_SWITCH_REALHBF16_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_SWITCH_REAL_TYPES_AND2(Half, BFloat16, TYPE_, CONTEXT_, NAME_, ALIAS_, __VA_ARGS__)

#define ET_SWITCH_REALHBBF16_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_SWITCH_REAL_TYPES_AND3(Half, Bool, BFloat16, TYPE_, CONTEXT_, NAME_, ALIAS_, __VA_ARGS__)

#define ET_SWITCH_REALHBBF16_AND_UINT_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...)                          \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_,                                                            \
                       ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND3(Half, Bool, BFloat16, ALIAS_, __VA_ARGS__) \
                           ET_INTERNAL_SWITCH_CASE_UINT_TYPES(ALIAS_, __VA_ARGS__))

#define ET_SWITCH_FLOATH_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_SWITCH_FLOAT_TYPES_AND(Half, TYPE_, CONTEXT_, NAME_, ALIAS_, __VA_ARGS__)

#define ET_SWITCH_FLOATHBF16_TYPES(TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_SWITCH_FLOAT_TYPES_AND2(Half, BFloat16, TYPE_, CONTEXT_, NAME_, ALIAS_, __VA_ARGS__)

#define ET_SWITCH_FLOATHBF16_TYPES_AND(DTYPE_, TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_SWITCH_FLOAT_TYPES_AND3(Half, BFloat16, DTYPE_, TYPE_, CONTEXT_, NAME_, ALIAS_, __VA_ARGS__)

#define ET_SWITCH_TWO_TYPES(T1_, T2_, TYPE_, CONTEXT_, NAME_, ALIAS_, ...) \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_,                             \
                       ET_INTERNAL_CASE(T1_, ALIAS_, __VA_ARGS__)          \
                           ET_INTERNAL_CASE(T2_, ALIAS_, __VA_ARGS__))

#define ET_SWITCH_THREE_TYPES(T1_, T2_, T3_, TYPE_, CONTEXT_, NAME_, ALIAS_, ...)                            \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_,                                                               \
                       ET_INTERNAL_CASE(T1_, ALIAS_, __VA_ARGS__) ET_INTERNAL_CASE(T2_, ALIAS_, __VA_ARGS__) \
                           ET_INTERNAL_CASE(T3_, ALIAS_, __VA_ARGS__))

#define ET_SWITCH_FOUR_TYPES(T1_, T2_, T3_, T4_, TYPE_, CONTEXT_, NAME_, ALIAS_, ...)                        \
    ET_INTERNAL_SWITCH(TYPE_, CONTEXT_, NAME_,                                                               \
                       ET_INTERNAL_CASE(T1_, ALIAS_, __VA_ARGS__) ET_INTERNAL_CASE(T2_, ALIAS_, __VA_ARGS__) \
                           ET_INTERNAL_CASE(T3_, ALIAS_, __VA_ARGS__)                                        \
                               ET_INTERNAL_CASE(T4_, ALIAS_, __VA_ARGS__))
