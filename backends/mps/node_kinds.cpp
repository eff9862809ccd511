#include "backends/mps/node_kinds.h"

#include <array>

namespace et::backends::mps {
namespace {

using enum FieldKind;
using Fields = std::span<const FieldInfo>;

constexpr FieldInfo unary[] = {{0, Input, "input"}, {1, Output, "output"}};
constexpr FieldInfo binary[] = {{0, Input, "input"}, {1, Input, "other"}, {2, Output, "output"}};
constexpr FieldInfo ternary[] = {
    {0, Input, "condition"}, {1, Input, "input"}, {2, Input, "other"}, {3, Output, "output"}};
constexpr FieldInfo scaled[] = {
    {0, Input, "input"}, {1, Input, "other"}, {2, Output, "output"}, {3, Float, "alpha"}};
constexpr FieldInfo division[] = {
    {0, Input, "input"}, {1, Input, "other"}, {2, Output, "output"}, {3, Text, "rounding mode"}};
// Stored as a node with two inputs, but uses only one.
constexpr FieldInfo relu[] = {{0, Input, "input"}, {2, Output, "output"}};
constexpr FieldInfo hardTanh[] = {
    {0, Input, "input"}, {1, Output, "output"}, {2, Float, "min"}, {3, Float, "max"}};
constexpr FieldInfo gelu[] = {{0, Input, "input"}, {1, Output, "output"}, {2, Text, "approximation"}};
constexpr FieldInfo leakyRelu[] = {{0, Input, "input"}, {1, Output, "output"}, {2, Float, "negative slope"}};
constexpr FieldInfo softmax[] = {
    {0, Input, "input"}, {1, Output, "output"}, {2, Int, "dimension"}, {3, Bool, "half to float"}};
constexpr FieldInfo product[] = {{0, Input, "bias"},    {1, Input, "input"}, {2, Input, "weight"},
                                 {3, Output, "output"}, {4, Float, "beta"},  {5, Float, "alpha"}};
constexpr FieldInfo full[] = {{0, Input, "input"},
                              {1, Output, "output"},
                              {2, IntList, "sizes"},
                              {3, Float, "value"},
                              {4, Datatype, "datatype"}};
constexpr FieldInfo fullOf[] = {
    {1, Output, "output"}, {2, IntList, "sizes"}, {3, Float, "value"}, {4, Datatype, "datatype"}};
constexpr FieldInfo indexSelect[] = {
    {0, Input, "input"}, {1, Output, "output"}, {2, Int, "dimension"}, {3, Input, "index"}};
constexpr FieldInfo embedding[] = {{0, Input, "weight"},
                                   {1, Input, "indices"},
                                   {2, Output, "output"},
                                   {3, Int, "padding index"},
                                   {4, Bool, "gradient by frequency"},
                                   {5, Bool, "sparse"}};
constexpr FieldInfo indexTensor[] = {{0, Input, "input"}, {1, InputList, "indices"}, {2, Output, "output"}};
constexpr FieldInfo indexPut[] = {{0, Input, "input"},
                                  {1, InputList, "indices"},
                                  {2, IntList, "sizes of values"},
                                  {3, Input, "values"},
                                  {4, Output, "output"}};
constexpr FieldInfo scatter[] = {{0, Input, "input"},
                                 {1, Output, "output"},
                                 {2, Long, "dimension"},
                                 {3, Input, "index"},
                                 {4, Input, "source"}};
constexpr FieldInfo mean[] = {
    {0, Input, "input"}, {1, Output, "output"}, {3, IntList, "dimensions"}, {4, Bool, "keep dimensions"}};
constexpr FieldInfo permute[] = {{0, Input, "input"}, {1, Output, "output"}, {3, IntList, "order"}};
constexpr FieldInfo viewed[] = {{0, Input, "input"}, {1, Output, "output"}, {3, IntList, "sizes"}};
constexpr FieldInfo concatenate[] = {{0, InputList, "inputs"}, {1, Output, "output"}, {2, Int, "dimension"}};
constexpr FieldInfo squeeze[] = {{0, Input, "input"}, {1, Output, "output"}, {2, IntList, "dimensions"}};
constexpr FieldInfo unsqueeze[] = {{0, Input, "input"}, {1, Output, "output"}, {2, Int, "dimension"}};
constexpr FieldInfo select[] = {
    {0, Input, "input"}, {1, Output, "output"}, {2, Int, "dimension"}, {3, Int, "index"}};
constexpr FieldInfo slice[] = {{0, Input, "input"}, {1, Output, "output"}, {2, Long, "dimension"},
                               {3, Long, "start"},  {4, Long, "end"},      {5, Long, "step"}};
constexpr FieldInfo pixelShuffle[] = {{0, Input, "input"}, {1, Output, "output"}, {2, Int, "factor"}};
constexpr FieldInfo split[] = {
    {0, Input, "input"}, {1, OutputList, "outputs"}, {2, IntList, "sizes"}, {3, Int, "dimension"}};
constexpr FieldInfo cast[] = {{0, Input, "input"}, {1, Output, "output"}, {2, Datatype, "datatype"}};
constexpr FieldInfo convolution[] = {
    {0, Input, "input"},        {1, Input, "weight"},       {2, Input, "bias"},
    {3, Output, "output"},      {4, Int, "stride x"},       {5, Int, "stride y"},
    {6, Int, "dilation x"},     {7, Int, "dilation y"},     {8, Int, "groups"},
    {9, Int, "padding left"},   {10, Int, "padding right"}, {11, Int, "padding top"},
    {12, Int, "padding bottom"}};
constexpr FieldInfo batchNorm[] = {{0, Input, "input"},    {1, Input, "mean"},      {2, Input, "variance"},
                                   {3, Input, "weight"},   {4, Input, "bias"},      {5, Float, "momentum"},
                                   {6, Float, "epsilon"},  {8, Output, "output 1"}, {7, Output, "output 2"},
                                   {9, Output, "output 3"}};
constexpr FieldInfo layerNorm[] = {{0, Input, "input"},     {1, IntList, "normalized sizes"},
                                   {2, Input, "weight"},    {3, Input, "bias"},
                                   {4, Float, "epsilon"},   {6, Output, "output 1"},
                                   {5, Output, "output 2"}, {7, Output, "output 3"}};
constexpr FieldInfo averagePooling[] = {
    {0, Input, "input"},         {1, Int, "window height"},     {2, Int, "window width"},
    {3, Int, "stride height"},   {4, Int, "stride width"},      {5, Int, "padding left"},
    {6, Int, "padding right"},   {7, Int, "padding top"},       {8, Int, "padding bottom"},
    {9, Int, "dilation height"}, {10, Int, "dilation width"},   {11, Bool, "ceil"},
    {12, Bool, "count padding"}, {13, Int, "divisor override"}, {14, Output, "output"}};
constexpr FieldInfo maxPooling[] = {
    {0, Input, "input"},         {1, Int, "window height"},   {2, Int, "window width"},
    {3, Int, "stride height"},   {4, Int, "stride width"},    {5, Int, "padding left"},
    {6, Int, "padding right"},   {7, Int, "padding top"},     {8, Int, "padding bottom"},
    {9, Int, "dilation height"}, {10, Int, "dilation width"}, {11, Bool, "ceil"},
    {14, Output, "output"},      {15, Output, "indices"}};
constexpr FieldInfo constantPad[] = {
    {0, Input, "input"}, {1, Output, "output"}, {2, IntList, "padding"}, {3, Float, "value"}};
constexpr FieldInfo range[] = {{0, Output, "output"},
                               {1, Float, "start"},
                               {2, Float, "end"},
                               {3, Float, "step"},
                               {4, Datatype, "datatype"}};
constexpr FieldInfo dequantize[] = {
    {0, Input, "input"},           {1, Output, "output"},     {2, Input, "scales"},
    {3, Input, "zero points"},     {4, Int, "quantized min"}, {5, Int, "quantized max"},
    {6, Datatype, "quantized as"}, {7, Int, "group size"},    {8, Datatype, "datatype"}};

/// By number, starting at 1.
constexpr std::array kinds = std::to_array<NodeKindInfo>({
    {"MPSHardTanh", hardTanh},
    {"MPSReLU", relu},
    {"MPSGELU", gelu},
    {"MPSLeakyReLU", leakyRelu},
    {"MPSSoftmax", softmax},
    {"MPSLogSoftmax", softmax},
    {"MPSAdd", scaled},
    {"MPSSub", scaled},
    {"MPSMul", binary},
    {"MPSDiv", division},
    {"MPSFmod", division},
    {"MPSRemainder", division},
    {"MPSMin", binary},
    {"MPSMax", binary},
    {"MPSPow", binary},
    {"MPSAtan2", binary},
    {"MPSBitwiseAnd", binary},
    {"MPSBitwiseOr", binary},
    {"MPSBitwiseXor", binary},
    {"MPSMinimum", binary},
    {"MPSExp", unary},
    {"MPSExp2", unary},
    {"MPSReciprocal", unary},
    {"MPSSqrt", unary},
    {"MPSNeg", unary},
    {"MPSLog", unary},
    {"MPSLog10", unary},
    {"MPSLog2", unary},
    {"MPSErf", unary},
    {"MPSFloor", unary},
    {"MPSCeil", unary},
    {"MPSRsqrt", unary},
    {"MPSSigmoid", unary},
    {"MPSSin", unary},
    {"MPSSign", unary},
    {"MPSCos", unary},
    {"MPSTan", unary},
    {"MPSAbs", unary},
    {"MPSAsin", unary},
    {"MPSAcos", unary},
    {"MPSAtan", unary},
    {"MPSSinh", unary},
    {"MPSCosh", unary},
    {"MPSTanh", unary},
    {"MPSAsinh", unary},
    {"MPSAcosh", unary},
    {"MPSAtanh", unary},
    {"MPSBitwiseNot", unary},
    {"MPSIsnan", unary},
    {"MPSIsinf", unary},
    {"MPSRound", unary},
    {"MPSLogicalNot", unary},
    {"MPSMatMul", binary},
    {"MPSAddmm", product},
    {"MPSFull", fullOf},
    {"MPSFullLike", full},
    {"MPSClamp", unary},
    {"MPSWhere", ternary},
    {"MPSIndexSelect", indexSelect},
    {"MPSEmbedding", embedding},
    {"MPSIndexTensor", indexTensor},
    {"MPSIndexPut", indexPut},
    {"MPSScatter", scatter},
    {"MPSMean", mean},
    {"MPSPermute", permute},
    {"MPSView", viewed},
    {"MPSExpand", viewed},
    {"MPSCat", concatenate},
    {"MPSSqueeze", squeeze},
    {"MPSUnsqueeze", unsqueeze},
    {"MPSSelect", select},
    {"MPSSlice", slice},
    {"MPSPixelShuffle", pixelShuffle},
    {"MPSSplitWithSizes", split},
    {"MPSCast", cast},
    {"MPSConv2D", convolution},
    {"MPSDepthwiseConv2D", convolution},
    {"MPSEq", binary},
    {"MPSNe", binary},
    {"MPSGe", binary},
    {"MPSGt", binary},
    {"MPSLe", binary},
    {"MPSLt", binary},
    {"MPSBatchNorm", batchNorm},
    {"MPSLayerNorm", layerNorm},
    {"MPSMaxPool2DWithIndices", maxPooling},
    {"MPSAvgPool2D", averagePooling},
    {"MPSConstantPadND", constantPad},
    {"MPSArange", range},
    {"MPSDequantizePerChannelGroup", dequantize},
});

}  // namespace

const NodeKindInfo* nodeKind(std::uint8_t number) {
    return number == 0 || number > kinds.size() ? nullptr : &kinds[number - 1U];
}

}  // namespace et::backends::mps
