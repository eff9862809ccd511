#pragma once

// Macros that expand for sets of dtypes. REAL: integers, float and double; H: Half, B: Bool, BF16: BFloat16.

#define ET_INTERNAL_CTYPE(name) \
    ::executorch::runtime::ScalarTypeToCppType<::executorch::aten::ScalarType::name>::type

#define ET_FORALL_INT_TYPES(_) \
    _(uint8_t, Byte)           \
    _(int8_t, Char)            \
    _(int16_t, Short)          \
    _(int32_t, Int)            \
    _(int64_t, Long)

#define ET_FORALL_FLOAT_TYPES(_) \
    _(float, Float)              \
    _(double, Double)

#define ET_FORALL_FLOATH_TYPES(_) \
    _(float, Float)               \
    _(double, Double)             \
    _(::executorch::aten::Half, Half)

#define ET_FORALL_FLOATHBF16_TYPES(_) \
    _(float, Float)                   \
    _(double, Double)                 \
    _(::executorch::aten::Half, Half) \
    _(::executorch::aten::BFloat16, BFloat16)

#define ET_FORALL_REAL_TYPES(_) \
    _(uint8_t, Byte)            \
    _(int8_t, Char)             \
    _(int16_t, Short)           \
    _(int32_t, Int)             \
    _(int64_t, Long)            \
    _(float, Float)             \
    _(double, Double)

#define ET_FORALL_REALH_TYPES(_) \
    _(uint8_t, Byte)             \
    _(int8_t, Char)              \
    _(int16_t, Short)            \
    _(int32_t, Int)              \
    _(int64_t, Long)             \
    _(float, Float)              \
    _(double, Double)            \
    _(::executorch::aten::Half, Half)

#define ET_FORALL_REALHBF16_TYPES(_)  \
    _(uint8_t, Byte)                  \
    _(int8_t, Char)                   \
    _(int16_t, Short)                 \
    _(int32_t, Int)                   \
    _(int64_t, Long)                  \
    _(float, Float)                   \
    _(double, Double)                 \
    _(::executorch::aten::Half, Half) \
    _(::executorch::aten::BFloat16, BFloat16)

#define ET_FORALL_REALHBBF16_TYPES(_) \
    _(uint8_t, Byte)                  \
    _(int8_t, Char)                   \
    _(int16_t, Short)                 \
    _(int32_t, Int)                   \
    _(int64_t, Long)                  \
    _(float, Float)                   \
    _(double, Double)                 \
    _(bool, Bool)                     \
    _(::executorch::aten::Half, Half) \
    _(::executorch::aten::BFloat16, BFloat16)

#define ET_FORALL_QINT_TYPES(_)               \
    _(::executorch::aten::qint8, QInt8)       \
    _(::executorch::aten::quint8, QUInt8)     \
    _(::executorch::aten::qint32, QInt32)     \
    _(::executorch::aten::quint4x2, QUInt4x2) \
    _(::executorch::aten::quint2x4, QUInt2x4)

#define ET_FORALL_COMPLEX_TYPES(_)                      \
    _(::executorch::aten::complex<float>, ComplexFloat) \
    _(::executorch::aten::complex<double>, ComplexDouble)

#define ET_FORALL_COMPLEXH_TYPES(_)                                       \
    _(::executorch::aten::complex<::executorch::aten::Half>, ComplexHalf) \
    _(::executorch::aten::complex<float>, ComplexFloat)                   \
    _(::executorch::aten::complex<double>, ComplexDouble)

#define ET_FORALL_INT_TYPES_WITH(ANOTHER_, _) \
    _(ANOTHER_, uint8_t, Byte)                \
    _(ANOTHER_, int8_t, Char)                 \
    _(ANOTHER_, int16_t, Short)               \
    _(ANOTHER_, int32_t, Int)                 \
    _(ANOTHER_, int64_t, Long)

#define ET_FORALL_FLOAT_TYPES_WITH(ANOTHER_, _) \
    _(ANOTHER_, float, Float)                   \
    _(ANOTHER_, double, Double)

#define ET_FORALL_FLOATH_TYPES_WITH(ANOTHER_, _) \
    _(ANOTHER_, float, Float)                    \
    _(ANOTHER_, double, Double)                  \
    _(ANOTHER_, ::executorch::aten::Half, Half)

#define ET_FORALL_REAL_TYPES_WITH(ANOTHER_, _) \
    _(ANOTHER_, uint8_t, Byte)                 \
    _(ANOTHER_, int8_t, Char)                  \
    _(ANOTHER_, int16_t, Short)                \
    _(ANOTHER_, int32_t, Int)                  \
    _(ANOTHER_, int64_t, Long)                 \
    _(ANOTHER_, float, Float)                  \
    _(ANOTHER_, double, Double)

#define ET_FORALL_INT_TYPES_WITH2(ANOTHER1_, ANOTHER2_, _) \
    _(ANOTHER1_, ANOTHER2_, uint8_t, Byte)                 \
    _(ANOTHER1_, ANOTHER2_, int8_t, Char)                  \
    _(ANOTHER1_, ANOTHER2_, int16_t, Short)                \
    _(ANOTHER1_, ANOTHER2_, int32_t, Int)                  \
    _(ANOTHER1_, ANOTHER2_, int64_t, Long)

#define ET_FORALL_FLOAT_TYPES_WITH2(ANOTHER1_, ANOTHER2_, _) \
    _(ANOTHER1_, ANOTHER2_, float, Float)                    \
    _(ANOTHER1_, ANOTHER2_, double, Double)

#define ET_FORALL_FLOATHBF16_TYPES_WITH2(ANOTHER1_, ANOTHER2_, _) \
    _(ANOTHER1_, ANOTHER2_, float, Float)                         \
    _(ANOTHER1_, ANOTHER2_, double, Double)                       \
    _(ANOTHER1_, ANOTHER2_, ::executorch::aten::Half, Half)       \
    _(ANOTHER1_, ANOTHER2_, ::executorch::aten::BFloat16, BFloat16)

#define ET_FORALL_REAL_TYPES_WITH2(ANOTHER1_, ANOTHER2_, _) \
    _(ANOTHER1_, ANOTHER2_, uint8_t, Byte)                  \
    _(ANOTHER1_, ANOTHER2_, int8_t, Char)                   \
    _(ANOTHER1_, ANOTHER2_, int16_t, Short)                 \
    _(ANOTHER1_, ANOTHER2_, int32_t, Int)                   \
    _(ANOTHER1_, ANOTHER2_, int64_t, Long)                  \
    _(ANOTHER1_, ANOTHER2_, float, Float)                   \
    _(ANOTHER1_, ANOTHER2_, double, Double)

#define ET_FORALL_REALHBF16_TYPES_WITH2(ANOTHER1_, ANOTHER2_, _) \
    _(ANOTHER1_, ANOTHER2_, uint8_t, Byte)                       \
    _(ANOTHER1_, ANOTHER2_, int8_t, Char)                        \
    _(ANOTHER1_, ANOTHER2_, int16_t, Short)                      \
    _(ANOTHER1_, ANOTHER2_, int32_t, Int)                        \
    _(ANOTHER1_, ANOTHER2_, int64_t, Long)                       \
    _(ANOTHER1_, ANOTHER2_, float, Float)                        \
    _(ANOTHER1_, ANOTHER2_, double, Double)                      \
    _(ANOTHER1_, ANOTHER2_, ::executorch::aten::Half, Half)      \
    _(ANOTHER1_, ANOTHER2_, ::executorch::aten::BFloat16, BFloat16)

#define ET_FORALL_REALHBBF16_TYPES_WITH2(ANOTHER1_, ANOTHER2_, _) \
    _(ANOTHER1_, ANOTHER2_, uint8_t, Byte)                        \
    _(ANOTHER1_, ANOTHER2_, int8_t, Char)                         \
    _(ANOTHER1_, ANOTHER2_, int16_t, Short)                       \
    _(ANOTHER1_, ANOTHER2_, int32_t, Int)                         \
    _(ANOTHER1_, ANOTHER2_, int64_t, Long)                        \
    _(ANOTHER1_, ANOTHER2_, float, Float)                         \
    _(ANOTHER1_, ANOTHER2_, double, Double)                       \
    _(ANOTHER1_, ANOTHER2_, bool, Bool)                           \
    _(ANOTHER1_, ANOTHER2_, ::executorch::aten::Half, Half)       \
    _(ANOTHER1_, ANOTHER2_, ::executorch::aten::BFloat16, BFloat16)

#define ET_FORALL_INT_TYPES_AND(DTYPE1_, _) \
    _(uint8_t, Byte)                        \
    _(int8_t, Char)                         \
    _(int16_t, Short)                       \
    _(int32_t, Int)                         \
    _(int64_t, Long)                        \
    _(ET_INTERNAL_CTYPE(DTYPE1_), DTYPE1_)

#define ET_FORALL_FLOAT_TYPES_AND(DTYPE1_, _) \
    _(float, Float)                           \
    _(double, Double)                         \
    _(ET_INTERNAL_CTYPE(DTYPE1_), DTYPE1_)

#define ET_FORALL_FLOAT_TYPES_AND2(DTYPE1_, DTYPE2_, _) \
    _(float, Float)                                     \
    _(double, Double)                                   \
    _(ET_INTERNAL_CTYPE(DTYPE1_), DTYPE1_)              \
    _(ET_INTERNAL_CTYPE(DTYPE2_), DTYPE2_)

#define ET_FORALL_REAL_TYPES_AND(DTYPE1_, _) \
    _(uint8_t, Byte)                         \
    _(int8_t, Char)                          \
    _(int16_t, Short)                        \
    _(int32_t, Int)                          \
    _(int64_t, Long)                         \
    _(float, Float)                          \
    _(double, Double)                        \
    _(ET_INTERNAL_CTYPE(DTYPE1_), DTYPE1_)

#define ET_FORALL_REAL_TYPES_AND2(DTYPE1_, DTYPE2_, _) \
    _(uint8_t, Byte)                                   \
    _(int8_t, Char)                                    \
    _(int16_t, Short)                                  \
    _(int32_t, Int)                                    \
    _(int64_t, Long)                                   \
    _(float, Float)                                    \
    _(double, Double)                                  \
    _(ET_INTERNAL_CTYPE(DTYPE1_), DTYPE1_)             \
    _(ET_INTERNAL_CTYPE(DTYPE2_), DTYPE2_)

#define ET_FORALL_REAL_TYPES_AND3(DTYPE1_, DTYPE2_, DTYPE3_, _) \
    _(uint8_t, Byte)                                            \
    _(int8_t, Char)                                             \
    _(int16_t, Short)                                           \
    _(int32_t, Int)                                             \
    _(int64_t, Long)                                            \
    _(float, Float)                                             \
    _(double, Double)                                           \
    _(ET_INTERNAL_CTYPE(DTYPE1_), DTYPE1_)                      \
    _(ET_INTERNAL_CTYPE(DTYPE2_), DTYPE2_)                      \
    _(ET_INTERNAL_CTYPE(DTYPE3_), DTYPE3_)

#define ET_FORALL_REAL_TYPES_AND_WITH(DTYPE_, ANOTHER_, _) \
    _(ANOTHER_, uint8_t, Byte)                             \
    _(ANOTHER_, int8_t, Char)                              \
    _(ANOTHER_, int16_t, Short)                            \
    _(ANOTHER_, int32_t, Int)                              \
    _(ANOTHER_, int64_t, Long)                             \
    _(ANOTHER_, float, Float)                              \
    _(ANOTHER_, double, Double)                            \
    _(ANOTHER_, ET_INTERNAL_CTYPE(DTYPE_), DTYPE_)
