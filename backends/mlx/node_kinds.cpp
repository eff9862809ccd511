#include "backends/mlx/node_kinds.h"

#include <array>

namespace et::backends::mlx {
namespace {
/// Names of FieldKind would clash with those of other files outside.
namespace tables {

using enum FieldKind;

constexpr FieldInfo unary[] = {{0, Tensor, "x"}, {1, Result, "out"}};
constexpr FieldInfo addmm[] = {{0, Tensor, "mat1"},      {1, Tensor, "mat2"},
                               {2, Result, "out"},       {3, OptionalTensor, "bias"},
                               {4, Float, "alpha", 1.0}, {5, Float, "beta", 1.0}};
constexpr FieldInfo itemInt[] = {{0, Tensor, "x"}, {1, ValueResult, "out"}};
constexpr FieldInfo axis[] = {{0, Tensor, "x"}, {1, Result, "out"}, {2, Int, "axis"}};
constexpr FieldInfo tile[] = {{0, Tensor, "x"}, {1, Result, "out"}, {2, Numbers, "reps"}};
constexpr FieldInfo takeAlongAxis[] = {
    {0, Tensor, "x"}, {1, Tensor, "indices"}, {2, Result, "out"}, {3, Int, "axis"}};
constexpr FieldInfo take[] = {
    {0, Tensor, "x"}, {1, Result, "out"}, {2, NumberOrTensor, "index"}, {3, Int, "axis"}};
constexpr FieldInfo rmsNorm[] = {
    {0, Tensor, "x"}, {1, OptionalTensor, "weight"}, {2, Result, "out"}, {3, Float, "eps"}};
constexpr FieldInfo layerNorm[] = {{0, Tensor, "x"},
                                   {1, Result, "out"},
                                   {2, OptionalTensor, "weight"},
                                   {3, OptionalTensor, "bias"},
                                   {4, Float, "eps"}};
constexpr FieldInfo rope[] = {{0, Tensor, "x"},
                              {1, Result, "out"},
                              {2, Int, "dims"},
                              {3, ValueOrTensor, "offset"},
                              {4, OptionalTensor, "freqs"},
                              {5, Bool, "traditional"},
                              {6, Float, "base", 500000.0},
                              {7, Float, "scale", 1.0}};
constexpr FieldInfo sdpa[] = {{0, Tensor, "q"},   {1, Tensor, "k"},    {2, Tensor, "v"},
                              {3, Result, "out"}, {4, Float, "scale"}, {5, OptionalTensor, "mask"},
                              {6, Bool, "causal"}};
constexpr FieldInfo binary[] = {{0, Tensor, "a"}, {1, Tensor, "b"}, {2, Result, "out"}};
constexpr FieldInfo integers[] = {{0, Number, "a"}, {1, Number, "b"}, {2, ValueResult, "out"}};
constexpr FieldInfo symSize[] = {{0, Tensor, "a"}, {1, Int, "dim"}, {2, ValueResult, "out"}};
constexpr FieldInfo convolution1d[] = {{0, Tensor, "x"},      {1, Tensor, "w"},    {2, Result, "out"},
                                       {3, Int, "stride", 1}, {4, Int, "padding"}, {5, Int, "dilation", 1},
                                       {6, Int, "groups", 1}};
constexpr FieldInfo convolution2d[] = {
    {0, Tensor, "x"},          {1, Tensor, "w"},      {2, Result, "out"},    {3, Int, "stride_h", 1},
    {4, Int, "stride_w", 1},   {5, Int, "padding_h"}, {6, Int, "padding_w"}, {7, Int, "dilation_h", 1},
    {8, Int, "dilation_w", 1}, {9, Int, "groups", 1}};
constexpr FieldInfo convolution3d[] = {
    {0, Tensor, "x"},          {1, Tensor, "w"},           {2, Result, "out"},
    {3, Int, "stride_d", 1},   {4, Int, "stride_h", 1},    {5, Int, "stride_w", 1},
    {6, Int, "padding_d"},     {7, Int, "padding_h"},      {8, Int, "padding_w"},
    {9, Int, "dilation_d", 1}, {10, Int, "dilation_h", 1}, {11, Int, "dilation_w", 1},
    {12, Int, "groups", 1}};
constexpr FieldInfo gelu[] = {{0, Tensor, "x"}, {1, Result, "out"}, {2, Text, "approximate"}};
constexpr FieldInfo range[] = {{0, Result, "out"},
                               {1, Number, "start"},
                               {2, Number, "stop"},
                               {3, Number, "step"},
                               {4, OptionalDtype, "scalar_type"}};
constexpr FieldInfo squeeze[] = {{0, Tensor, "x"}, {1, Result, "out"}, {2, Ints, "dims"}};
constexpr FieldInfo split[] = {
    {0, Tensor, "x"}, {1, Results, "outs"}, {2, Numbers, "sizes"}, {3, Int, "axis"}};
constexpr FieldInfo softmax[] = {
    {0, Tensor, "x"}, {1, Result, "out"}, {2, Int, "axis"}, {3, Bool, "precise"}};
constexpr FieldInfo shaped[] = {{0, Tensor, "x"}, {1, Result, "out"}, {2, Numbers, "shape"}};
constexpr FieldInfo pad[] = {{0, Tensor, "x"},
                             {1, Result, "out"},
                             {2, Numbers, "pad_width"},
                             {3, Text, "mode"},
                             {4, Float, "constant_value"}};
constexpr FieldInfo selection[] = {
    {0, Tensor, "condition"}, {1, Tensor, "x"}, {2, Tensor, "y"}, {3, Result, "out"}};
constexpr FieldInfo transpose[] = {{0, Tensor, "x"}, {1, Result, "out"}, {2, Ints, "perm"}};
constexpr FieldInfo asStrided[] = {{0, Tensor, "x"},
                                   {1, Result, "out"},
                                   {2, Numbers, "shape"},
                                   {3, Numbers, "strides"},
                                   {4, Offset, "offset"}};
constexpr FieldInfo gather[] = {{0, Tensor, "x"},
                                {1, Tensors, "indices"},
                                {2, Result, "out"},
                                {3, Ints, "axes"},
                                {4, Ints, "slice_sizes"}};
constexpr FieldInfo slice[] = {{0, Tensor, "x"},     {1, Result, "out"},  {2, Number, "axis"},
                               {3, Number, "start"}, {4, Number, "stop"}, {5, Int, "step", 1}};
constexpr FieldInfo asType[] = {{0, Tensor, "x"}, {1, Result, "out"}, {2, Dtype, "scalar_type"}};
constexpr FieldInfo concatenation[] = {{0, Tensors, "tensors"}, {1, Result, "out"}, {2, Int, "axis"}};
constexpr FieldInfo full[] = {
    {0, Result, "out"}, {1, Numbers, "shape"}, {2, Real, "v"}, {3, Dtype, "scalar_type"}};
constexpr FieldInfo fullLike[] = {
    {0, Tensor, "x"}, {1, Result, "out"}, {2, Real, "v"}, {3, OptionalDtype, "scalar_type"}};
constexpr FieldInfo position[] = {
    {0, Tensor, "x"}, {1, Result, "out"}, {2, Int, "axis"}, {3, Bool, "keepdims"}};
constexpr FieldInfo sliceUpdate[] = {{0, Tensor, "dst"},  {1, Tensor, "update"}, {2, Result, "out"},
                                     {3, Number, "axis"}, {4, Number, "start"},  {5, Number, "stop"},
                                     {6, Int, "step", 1}};
constexpr FieldInfo indexCopy[] = {
    {0, Tensor, "dst"}, {1, Tensor, "update"}, {2, Tensor, "indices"}, {3, Result, "out"}, {4, Int, "axis"}};
constexpr FieldInfo dequantize[] = {{0, Tensor, "w"},           {1, Tensor, "scales"},
                                    {2, Result, "out"},         {3, OptionalTensor, "biases"},
                                    {4, Int, "group_size"},     {5, Int, "bits"},
                                    {6, Text, "mode"},          {7, OptionalTensor, "global_scale"},
                                    {8, OptionalDtype, "dtype"}};
constexpr FieldInfo tri[] = {
    {0, Result, "out"}, {1, Number, "n"}, {2, Number, "m"}, {3, Int, "k"}, {4, Dtype, "scalar_type"}};
constexpr FieldInfo triangle[] = {{0, Tensor, "x"}, {1, Result, "out"}, {2, Int, "k"}};
constexpr FieldInfo round[] = {{0, Tensor, "x"}, {1, Result, "out"}, {2, Int, "decimals"}};
constexpr FieldInfo reduction[] = {
    {0, Tensor, "x"}, {1, Result, "out"}, {2, Ints, "axes"}, {3, Bool, "keepdims"}};
constexpr FieldInfo variance[] = {
    {0, Tensor, "x"}, {1, Result, "out"}, {2, Ints, "axes"}, {3, Bool, "keepdims"}, {4, Int, "ddof"}};
constexpr FieldInfo transposed1d[] = {
    {0, Tensor, "x"},    {1, Tensor, "w"},        {2, Result, "out"},         {3, Int, "stride", 1},
    {4, Int, "padding"}, {5, Int, "dilation", 1}, {6, Int, "output_padding"}, {7, Int, "groups", 1}};
constexpr FieldInfo transposed2d[] = {{0, Tensor, "x"},
                                      {1, Tensor, "w"},
                                      {2, Result, "out"},
                                      {3, Int, "stride_h", 1},
                                      {4, Int, "stride_w", 1},
                                      {5, Int, "padding_h"},
                                      {6, Int, "padding_w"},
                                      {7, Int, "dilation_h", 1},
                                      {8, Int, "dilation_w", 1},
                                      {9, Int, "output_padding_h"},
                                      {10, Int, "output_padding_w"},
                                      {11, Int, "groups", 1}};
constexpr FieldInfo transposed3d[] = {{0, Tensor, "x"},
                                      {1, Tensor, "w"},
                                      {2, Result, "out"},
                                      {3, Int, "stride_d", 1},
                                      {4, Int, "stride_h", 1},
                                      {5, Int, "stride_w", 1},
                                      {6, Int, "padding_d"},
                                      {7, Int, "padding_h"},
                                      {8, Int, "padding_w"},
                                      {9, Int, "dilation_d", 1},
                                      {10, Int, "dilation_h", 1},
                                      {11, Int, "dilation_w", 1},
                                      {12, Int, "output_padding_d"},
                                      {13, Int, "output_padding_h"},
                                      {14, Int, "output_padding_w"},
                                      {15, Int, "groups", 1}};
constexpr FieldInfo clip[] = {
    {0, Tensor, "x"}, {1, Result, "out"}, {2, OptionalTensor, "a_min"}, {3, OptionalTensor, "a_max"}};
constexpr FieldInfo cumsum[] = {
    {0, Tensor, "x"}, {1, Result, "out"}, {2, Int, "axis"}, {3, Bool, "reverse"}, {4, Bool, "inclusive", 1}};
constexpr FieldInfo repeat[] = {
    {0, Tensor, "x"}, {1, Result, "out"}, {2, Number, "repeats"}, {3, Int, "axis"}};
constexpr FieldInfo partition[] = {
    {0, Tensor, "x"}, {1, Result, "out"}, {2, Number, "kth"}, {3, Int, "axis"}};
constexpr FieldInfo quantizedMatmul[] = {{0, Tensor, "x"},
                                         {1, Tensor, "w"},
                                         {2, Tensor, "scales"},
                                         {3, Result, "out"},
                                         {4, OptionalTensor, "biases"},
                                         {5, Int, "group_size"},
                                         {6, Int, "bits"},
                                         {7, Text, "mode"},
                                         {8, Bool, "transpose", 1}};
constexpr FieldInfo scatterAdd[] = {
    {0, Tensor, "x"}, {1, Tensor, "indices"}, {2, Tensor, "updates"}, {3, Result, "out"}, {4, Int, "axis"}};
constexpr FieldInfo gatherMm[] = {{0, Tensor, "a"},
                                  {1, Tensor, "b"},
                                  {2, Result, "out"},
                                  {3, OptionalTensor, "lhs_indices"},
                                  {4, OptionalTensor, "rhs_indices"},
                                  {5, Bool, "sorted_indices"},
                                  {6, OptionalNumber, "sorted_indices_flag"}};
constexpr FieldInfo gatherQmm[] = {{0, Tensor, "x"},
                                   {1, Tensor, "w"},
                                   {2, Tensor, "scales"},
                                   {3, Result, "out"},
                                   {4, Text, "mode"},
                                   {5, OptionalTensor, "biases"},
                                   {6, OptionalTensor, "lhs_indices"},
                                   {7, OptionalTensor, "rhs_indices"},
                                   {8, Bool, "transpose", 1},
                                   {9, Int, "group_size"},
                                   {10, Int, "bits"},
                                   {11, Bool, "sorted_indices"},
                                   {12, OptionalNumber, "sorted_indices_flag"}};
constexpr FieldInfo scan[] = {{0, Tensors, "originals"},      {1, Results, "sliced"},
                              {2, StackedResults, "outputs"}, {3, Carried, "carry"},
                              {4, Chain, "body_chain_idx"},   {5, Int, "scan_axis", 1}};
constexpr FieldInfo metalKernel[] = {{0, Text, "name"},
                                     {1, Text, "source"},
                                     {2, Tensors, "inputs"},
                                     {3, Results, "outputs"},
                                     {4, Numbers, "grid"},
                                     {5, Numbers, "threadgroup"},
                                     {6, Text, "header"},
                                     {7, Texts, "input_names"},
                                     {8, Texts, "output_names"},
                                     {9, Bool, "ensure_row_contiguous", 1},
                                     {10, Bool, "atomic_outputs"},
                                     {11, Numbers, "output_shapes_flat"},
                                     {12, Ints, "output_shape_lengths"},
                                     {13, Dtypes, "output_dtypes"},
                                     {14, Texts, "template_arg_names"},
                                     {15, Bytes, "template_arg_kinds"},
                                     {16, Ints, "template_arg_values"},
                                     {17, OptionalFloat, "init_value"}};
constexpr FieldInfo roll[] = {{0, Tensor, "x"}, {1, Result, "out"}, {2, Numbers, "shift"}, {3, Ints, "axes"}};
constexpr FieldInfo branch[] = {
    {0, Number, "cond"}, {1, Chain, "then_chain_idx"}, {2, Chain, "else_chain_idx"}};
constexpr FieldInfo randomBits[] = {
    {0, Result, "out"}, {1, Numbers, "shape"}, {2, OptionalValue, "seed"}, {3, Int, "width", 4}};
constexpr FieldInfo updateAndAttend[] = {{0, Tensor, "q"},
                                         {1, Tensor, "k"},
                                         {2, Tensor, "v"},
                                         {3, Tensor, "position"},
                                         {4, Result, "out"},
                                         {5, OptionalInt, "layer_id"},
                                         {6, OptionalFloat, "scale"},
                                         {7, OptionalDtype, "out_dtype"}};

/// By number, starting at 1.
constexpr std::array kinds = std::to_array<NodeKindInfo>({
    {"NoopNode", {}},
    {"IdCopyNode", unary},
    {"AddmmNode", addmm},
    {"ItemIntNode", itemInt},
    {"ExpandDimsNode", axis},
    {"TileNode", tile},
    {"TakeAlongAxisNode", takeAlongAxis},
    {"TakeNode", take},
    {"RMSNormNode", rmsNorm},
    {"LayerNormNode", layerNorm},
    {"RopeNode", rope},
    {"SdpaNode", sdpa},
    {"AddNode", binary},
    {"AddIntNode", integers},
    {"SubtractIntNode", integers},
    {"MultiplyIntNode", integers},
    {"FloorDivideIntNode", integers},
    {"SymSizeNode", symSize},
    {"MultiplyNode", binary},
    {"DivideNode", binary},
    {"SubtractNode", binary},
    {"Conv1DNode", convolution1d},
    {"Conv2DNode", convolution2d},
    {"Conv3DNode", convolution3d},
    {"GeluNode", gelu},
    {"ARangeNode", range},
    {"SiluNode", unary},
    {"SigmoidNode", unary},
    {"TanhNode", unary},
    {"SqueezeNode", squeeze},
    {"SplitNode", split},
    {"RsqrtNode", unary},
    {"MaximumNode", binary},
    {"MinimumNode", binary},
    {"LogNode", unary},
    {"SoftmaxNode", softmax},
    {"BroadcastToNode", shaped},
    {"PadNode", pad},
    {"WhereNode", selection},
    {"ReshapeNode", shaped},
    {"TransposeNode", transpose},
    {"AsStridedNode", asStrided},
    {"ContiguousNode", unary},
    {"GatherNode", gather},
    {"SliceNode", slice},
    {"AsTypeNode", asType},
    {"ConcatenateNode", concatenation},
    {"FullNode", full},
    {"FullLikeNode", fullLike},
    {"ArgmaxNode", position},
    {"SliceUpdateNode", sliceUpdate},
    {"IndexCopyNode", indexCopy},
    {"DequantizeNode", dequantize},
    {"LessNode", binary},
    {"LessEqualNode", binary},
    {"GreaterNode", binary},
    {"GreaterEqualNode", binary},
    {"EqualNode", binary},
    {"NotEqualNode", binary},
    {"LogicalNotNode", unary},
    {"LogicalAndNode", binary},
    {"LogicalOrNode", binary},
    {"TriNode", tri},
    {"TrilNode", triangle},
    {"TriuNode", triangle},
    {"FloorNode", unary},
    {"CeilNode", unary},
    {"SquareNode", unary},
    {"ExpNode", unary},
    {"SinNode", unary},
    {"CosNode", unary},
    {"TanNode", unary},
    {"ArcsinNode", unary},
    {"ArccosNode", unary},
    {"ArctanNode", unary},
    {"SinhNode", unary},
    {"CoshNode", unary},
    {"ArcsinhNode", unary},
    {"ArccoshNode", unary},
    {"ArctanhNode", unary},
    {"Log2Node", unary},
    {"Log10Node", unary},
    {"Log1pNode", unary},
    {"ErfNode", unary},
    {"Expm1Node", unary},
    {"RoundNode", round},
    {"ReciprocalNode", unary},
    {"SqrtNode", unary},
    {"AbsNode", unary},
    {"NegNode", unary},
    {"Atan2Node", binary},
    {"LogAddExpNode", binary},
    {"FloorDivideNode", binary},
    {"PowerNode", binary},
    {"LogSumExpNode", reduction},
    {"SumNode", reduction},
    {"MeanNode", reduction},
    {"VarNode", variance},
    {"StdNode", variance},
    {"ProdNode", reduction},
    {"MaxNode", reduction},
    {"MinNode", reduction},
    {"ArgminNode", position},
    {"MedianNode", reduction},
    {"ModIntNode", integers},
    {"RemainderNode", binary},
    {"ConvTranspose1DNode", transposed1d},
    {"ConvTranspose2DNode", transposed2d},
    {"ConvTranspose3DNode", transposed3d},
    {"ClipNode", clip},
    {"CumsumNode", cumsum},
    {"StackNode", concatenation},
    {"SignNode", unary},
    {"AnyNode", reduction},
    {"AllNode", reduction},
    {"RepeatNode", repeat},
    {"SortNode", axis},
    {"ArgsortNode", axis},
    {"PartitionNode", partition},
    {"ArgPartitionNode", partition},
    {"QuantizedMatmulNode", quantizedMatmul},
    {"ScatterAddNode", scatterAdd},
    {"GatherMmNode", gatherMm},
    {"GatherQmmNode", gatherQmm},
    {"ScanNode", scan},
    {"MetalKernelNode", metalKernel},
    {"BitwiseInvertNode", unary},
    {"RollNode", roll},
    {"BitwiseAndNode", binary},
    {"BitwiseOrNode", binary},
    {"BitwiseXorNode", binary},
    {"IfNode", branch},
    {"RandomBitsNode", randomBits},
    {"UpdateAndAttendNode", updateAndAttend},
});

}  // namespace tables

using tables::kinds;

}  // namespace

const NodeKindInfo* nodeKind(std::uint8_t number) {
    return number == 0 || number > kinds.size() ? nullptr : &kinds[number - 1U];
}

std::size_t nodeKindCount() {
    return kinds.size();
}

}  // namespace et::backends::mlx
