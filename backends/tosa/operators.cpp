#include "backends/tosa/operators.h"

#include <array>

namespace et::backends::tosa {
namespace {

using enum FieldKind;

constexpr FieldInfo argMax[] = {{Int, "axis"}, {NanMode, "NaN mode"}};
constexpr FieldInfo averagePool[] = {
    {IntList, "kernel"}, {IntList, "stride"}, {IntList, "padding"}, {Datatype, "accumulator"}};
constexpr FieldInfo convolution[] = {{IntList, "padding"},
                                     {IntList, "stride"},
                                     {IntList, "dilation"},
                                     {Bool, "local bound"},
                                     {Datatype, "accumulator"}};
constexpr FieldInfo fft[] = {{Bool, "inverse"}, {Bool, "local bound"}};
constexpr FieldInfo maxPool[] = {
    {IntList, "kernel"}, {IntList, "stride"}, {IntList, "padding"}, {NanMode, "NaN mode"}};
constexpr FieldInfo realFft[] = {{Bool, "local bound"}};
constexpr FieldInfo transposedConvolution[] = {
    {IntList, "output padding"}, {IntList, "stride"}, {Bool, "local bound"}, {Datatype, "accumulator"}};
constexpr FieldInfo clamp[] = {{Element, "minimum"}, {Element, "maximum"}, {NanMode, "NaN mode"}};
constexpr FieldInfo rightShift[] = {{Bool, "round"}};
constexpr FieldInfo nanMode[] = {{NanMode, "NaN mode"}};
constexpr FieldInfo axis[] = {{Int, "axis"}};
constexpr FieldInfo order[] = {{IntList, "order"}};
constexpr FieldInfo resize[] = {{ResizeMode, "mode"}};
constexpr FieldInfo rescale[] = {{Bool, "32-bit multiplier"},
                                 {RoundingMode, "rounding"},
                                 {Bool, "per channel"},
                                 {Bool, "unsigned input"},
                                 {Bool, "unsigned output"}};
constexpr FieldInfo custom[] = {{Text, "operator"}, {Text, "domain"}, {Blob, "attributes"}};
constexpr FieldInfo branches[] = {{Graph, "then"}, {Graph, "else"}};
constexpr FieldInfo loop[] = {{Graph, "condition"}, {Graph, "body"}};
constexpr FieldInfo blockScaled[] = {{Int, "block size"}};
constexpr FieldInfo broadcast[] = {{Bool, "allow broadcast"}};
constexpr FieldInfo accumulator[] = {{Datatype, "accumulator"}};

constexpr std::string_view one = "input";
constexpr std::string_view two = "input1 input2";
constexpr std::string_view convolved = "input weight bias input_zp weight_zp";

/// By number, from 1.
constexpr std::array operators = std::to_array<OperatorInfo>({
    {"ARGMAX", one, argMax},
    {"AVG_POOL2D", "input input_zp output_zp", averagePool},
    {"CONV2D", convolved, convolution},
    {"CONV3D", convolved, convolution},
    {"DEPTHWISE_CONV2D", convolved, convolution},
    {"FFT2D", "input_real input_imag", fft},
    {"MATMUL", "A B A_zp B_zp"},
    {"MAX_POOL2D", one, maxPool},
    {"RFFT2D", one, realFft},
    {"TRANSPOSE_CONV2D", convolved, transposedConvolution},
    {"CLAMP", one, clamp},
    {"ERF", one},
    {"SIGMOID", one},
    {"TANH", one},
    {"ADD", two},
    {"ARITHMETIC_RIGHT_SHIFT", two, rightShift},
    {"BITWISE_AND", two},
    {"BITWISE_OR", two},
    {"BITWISE_XOR", two},
    {"INTDIV", two},
    {"LOGICAL_AND", two},
    {"LOGICAL_LEFT_SHIFT", two},
    {"LOGICAL_RIGHT_SHIFT", two},
    {"LOGICAL_OR", two},
    {"LOGICAL_XOR", two},
    {"MAXIMUM", two, nanMode},
    {"MINIMUM", two, nanMode},
    {"MUL", "input1 input2 shift"},
    {"POW", two},
    {"SUB", two},
    {"TABLE", "input table"},
    {"ABS", one},
    {"BITWISE_NOT", one},
    {"CEIL", one},
    {"CLZ", one},
    {"COS", one},
    {"EXP", one},
    {"FLOOR", one},
    {"LOG", one},
    {"LOGICAL_NOT", one},
    {"NEGATE", "input input_zp output_zp"},
    {"RECIPROCAL", one},
    {"RSQRT", one},
    {"SIN", one},
    {"SELECT", "condition on_true on_false"},
    {"EQUAL", two},
    {"GREATER", two},
    {"GREATER_EQUAL", two},
    {"REDUCE_ALL", one, axis},
    {"REDUCE_ANY", one, axis},
    {"REDUCE_MAX", one, argMax},
    {"REDUCE_MIN", one, argMax},
    {"REDUCE_PRODUCT", one, axis},
    {"REDUCE_SUM", one, axis},
    {"CONCAT", "", axis},
    {"PAD", "input padding pad_const"},
    {"RESHAPE", "input shape"},
    {"REVERSE", one, axis},
    {"SLICE", "input start size"},
    {"TILE", "input multiples"},
    {"TRANSPOSE", one, order},
    {"GATHER", "values indices"},
    {"SCATTER", "values_in indices input"},
    {"RESIZE", "input scale offset border", resize},
    {"CAST", one},
    {"RESCALE", "input multiplier shift input_zp output_zp", rescale},
    {"CONST", ""},
    {"IDENTITY", one},
    {"CUSTOM", "", custom},
    {"COND_IF", "", branches},
    {"WHILE_LOOP", "", loop},
    {"VARIABLE", ""},
    {"VARIABLE_WRITE", one},
    {"VARIABLE_READ", ""},
    {"CONST_SHAPE", ""},
    {"MATMUL_T_BLOCK_SCALED", "A_data A_scale B_data B_scale", blockScaled},
    {"CAST_FROM_BLOCK_SCALED", "data scale", blockScaled},
    {"CAST_TO_BLOCK_SCALED", one, blockScaled},
    {"DIM", one, axis},
    {"CONCAT_SHAPE", ""},
    {"ADD_SHAPE", two},
    {"SUB_SHAPE", two},
    {"MUL_SHAPE", two},
    {"SLICE_SHAPE", "input start size"},
    {"EXP2_SHAPE", one},
    {"LOG2_CEIL_SHAPE", one},
    {"LOG2_FLOOR_SHAPE", one},
    {"MAX_SHAPE", two},
    {"MIN_SHAPE", two},
    {"MOD_SHAPE", two},
    {"DIV_CEIL_SHAPE", two},
    {"DIV_FLOOR_SHAPE", two},
    {"ASSERT_EQUAL_SHAPE", two, broadcast},
    {"CONV2D_BLOCK_SCALED", "", blockScaled},
    {"MAX_POOL2D_ADAPTIVE", "", nanMode},
    {"AVG_POOL2D_ADAPTIVE", "", accumulator},
});

/// By code.
constexpr std::array datatypes = std::to_array<DatatypeInfo>({
    {"unknown", 0},     {"bool", 8},           {"int4", 4},        {"int8", 8},        {"int16", 16},
    {"int32", 32},      {"int48", 48},         {"float32", 32},    {"float16", 16},    {"bfloat16", 16},
    {"shape", 64},      {"float8_e4m3fn", 8},  {"float8_e5m2", 8}, {"float6_e2m3", 6}, {"float6_e3m2", 6},
    {"float4_e2m1", 4}, {"float8_e8m0fnu", 8}, {"int64", 64},      {"mxint8", 8},
});

constexpr std::array<std::string_view, 3> resizeModes{"unknown", "nearest", "bilinear"};
constexpr std::array<std::string_view, 3> nanModes{"unknown", "propagate", "ignore"};
constexpr std::array<std::string_view, 4> roundingModes{"unknown", "single", "inexact", "double"};

template <class Names>
std::string_view nameAt(const Names& names, std::uint32_t code) {
    return code < names.size() ? names[code] : std::string_view();
}

}  // namespace

const OperatorInfo* operatorInfo(std::uint32_t number) {
    return number == 0 || number > operators.size() ? nullptr : &operators[number - 1];
}

const DatatypeInfo* datatypeInfo(std::uint32_t code) {
    return code < datatypes.size() ? &datatypes[code] : nullptr;
}

std::string_view modeName(FieldKind kind, std::uint32_t code) {
    switch (kind) {
        case ResizeMode:
            return nameAt(resizeModes, code);
        case NanMode:
            return nameAt(nanModes, code);
        case RoundingMode:
            return nameAt(roundingModes, code);
        default:
            return {};
    }
}

}  // namespace et::backends::tosa
