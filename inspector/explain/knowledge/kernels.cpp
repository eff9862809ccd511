#include "inspector/explain/knowledge/tables.h"

namespace et::inspector::knowledge {
namespace {

// Preconditions of the portable, optimized and quantized kernels.
constexpr Message kernelRows[] = {
    {"dim-orders", "input tensors have different dim orders", Reason,
     "Tensors of [[operator {op}]] have different dim orders (contiguous and channels-last)", 0x12},
    {"dim-orders", "Check failed (tensors_have_same_dim_order(", Reason},
    {"dim-order-unusual", "Expected tensor to have default or channels last dim order, but got", Reason,
     "A tensor has a dim order that the kernel does not support", 0x12},
    {"dim-order-unusual", "Expected tensor to have default or channels last dim order", Reason},
    {"dim-order-unusual", "Check failed (tensor_is_default_dim_order(", Reason},
    {"dim-order-unusual", "Check failed (tensor_is_default_or_channels_last_dim_order(", Reason},
    {"unhandled-dtype", "Unhandled dtype {dtype:n} for {op:w}", Reason,
     "The kernel of {op} does not support {dtype}"},
    {"unknown-dtype", "Unknown ScalarType {dtypeId:d}", Reason, "A kernel does not support {dtype}"},
    {"unknown-dtype", "Unsupported Scalar Type {dtypeId:d}", Reason},
    {"unknown-dtype", "Unsupported dtype: {dtypeId:d}", Reason},
    {"embedding-index", "indices_ptr[{position:d}] {value:d} >= weight.size(0) {limit:d}", Reason,
     "Index {value} at position {position} is beyond the {limit} rows of an embedding", 0x12},
    {"embedding-index", "Index {value:d} out of bounds for", Reason},
    {"dtypes-differ", "Check failed (tensors_have_same_dtype(", Reason,
     "Tensors of [[operator {op}]] have different dtypes", 0x12},
    {"dtypes-differ", "Check failed (canCast(", Reason},
    {"dtypes-differ", "Check failed (tensor_is_floating_type(", Reason},
    {"dtypes-differ", "Check failed (tensor_is_integral_type(", Reason},
    {"dtypes-differ", "tensors do not match", General},
    {"shapes-differ", "Check failed (tensors_have_same_shape(", Reason,
     "Tensors of [[operator {op}]] have different shapes", 0x12},
    {"shapes-differ", "Check failed (tensors_have_same_size_at_dims(", Reason},
    {"shapes-differ", "Check failed (tensors_are_broadcastable_between(", Reason},
    {"shapes-differ", "Check failed (tensor_is_broadcastable_to(", Reason},
    {"shapes-differ", "Two input tensors should be broadcastable", General},
    {"output-resize", "Failed to resize output tensor.", Reason,
     "The result of [[operator {op}]][[kernel {kernel}]] does not fit into its output", 0x12},
    {"output-resize", "Check failed (resize_tensor(", Reason},
    {"output-resize", "Check failed (resize(", Reason},
    {"dtypes-differ", "Expected to find {expected} type, but tensor has type {actual:n}", Reason},
    {"dtypes-differ", "Tensor of dtype {actual:n} cannot cast to dtype {expected:n}", Reason},
    {"dtypes-differ", "Expected scalars to have the same dtype", Reason},
    {"dtypes-differ", "Expected index to have type of Long or Int", Reason},
    {"dtypes-differ", "Expected indices to have type of Long", Reason},
    {"shapes-differ", "Expected tensor.dim() to be", Reason},
    {"shapes-differ", "Cannot broadcast tensor broadcast_from into tensor broadcast_to", Reason},
    {"shapes-differ", "Given groups={groups:d}", Reason},
    {"shapes-differ", "The expanded size of the tensor", Reason},
    {"shapes-differ", "Expected normalized_shape to match the sizes", Reason},
    {"shapes-differ", "Requested slice is larger than the dim size", Reason},
    {"shapes-differ", "Sum of split sizes does not match input size", Reason},
    {"index-bounds", "is out of bounds for input dimension", Reason, "An index is beyond the end of a tensor",
     0x12},
    {"index-bounds", "Index is out of bounds for dimension", Reason},
    {"index-bounds", "out of range for tensor with size", Reason},
    {"index-bounds", "Some index values are not within bounds of input tensor", Reason},
    {"index-bounds", "selected index k out of range; k = {value:d}", Reason},
    {"embedding-index", "indices_ptr[{position:d}] {value:d} < 0", Reason},
    {"shapes-differ", "should have same number of dimensions; ", Reason},
    {"shapes-differ", "The shape of mask index", Reason},
    {"shapes-differ", "input channels must match weight.size(0) in transposed convolution", Reason},
    {"shapes-differ", "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input",
     Reason},
    {"shapes-differ", "query and key must match in batch/sequence/head-dim", Reason},
    {"shapes-differ", "key and value must match in batch/head/sequence dims", Reason},
    {"size-invalid", "Trying to create tensor with negative dimension", Reason,
     "A size computed by [[operator {op}]] is negative or 0", 0x12},
    {"size-invalid", "produces an invalid output size:", Reason},
    {"size-invalid", "The provided combination of input and kernel parameters ", Reason},
    {"size-invalid", "are out of bounds for storage of size", Reason},
    {"not-contiguous", "Tensor is not contiguous; the stride of", Reason,
     "A kernel needs a contiguous tensor", 0x12},
    {"not-contiguous", "must be in contiguous dim order", Reason},
    {"not-contiguous", "input matrix that isn't contiguous in the last dimension is not supported", Reason},
    {"too-many-dims", "exceeds the configured maximum ({limit:d}). Increase this limit.", Reason,
     "A tensor has more dimensions than the kernel supports", 0x12},
    {"too-many-dims", "The dimension of input and output should not be larger than {limit:d}", Reason},
    {"integer-division", "operation encountered integer division by zero", Reason,
     "An integer was divided by 0", 0x12},
    {"attention-dtype", "query must be float32", Reason, "The attention kernel supports only float32", 0x12},
    {"attention-dtype", "key must be float32", Reason},
    {"attention-dtype", "value must be float32", Reason},
    {"attention-mask", "attn_mask and is_causal cannot be set at the same time", Reason,
     "Attention has both a mask and is_causal", 0x12},
    {"attention-heads", "query heads must be divisible by key/value heads", Reason,
     "The number of query heads is not a multiple of the number of key and value heads", 0x12},
    {"device-copy", "h2d_copy: no device allocator registered for device_type={device:d}", Reason,
     "The runtime has no allocator for the device that the program uses", 0x20},
    {"device-copy", "d2h_copy: no device allocator registered for device_type={device:d}", Reason},
    {"linear-bias", "bias not supported yet in linear", Reason,
     "The kernel of aten::linear in this runtime has no bias", 0x12},
    {"cortex-m-check", "tensors must use channels_last dimension order", Reason,
     "A Cortex-M kernel requires channels-last tensors", 0x12},
    {"cmsis-scratch", "Scratch buffer size {have:d} insufficient for required size {need:d}", Reason,
     "A Cortex-M kernel needs {need} bytes of temporary memory and has {have}", 0x21},
    {"check-failed", "Check failed ({check}): ", General,
     "[[Operator {op} requires ]][[in {source}: ]]{check}, and it does not hold", 0x12},
    {"check-failed", "Check failed ({check})", General},
    {"check-failed", "Tensor rank is {actual:d}", General},
};

constexpr Cause kernelCauseRows[] = {
    {"dim-orders", Likely,
     "op=*mean*|*sum*|*amax*|*amin*|*var*|*std*|*argmax*|*argmin*|*prod*|*max.dim*|*min.dim*",
     "The model was exported in channels-last format. {op} reduces the rank, so its output is described as "
     "contiguous while its input is channels-last, and the kernel requires one dim "
     "order for both. The exported metadata are at fault, not the caller's data.",
     "[[{program.arguments}]]",
     "Export this part in contiguous format, or keep the reduced dimensions (keepdim=True) so that input and "
     "output agree.",
     "program.dimOrders=differ"},
    {"dim-orders", Likely,
     "!op=*mean*|*sum*|*amax*|*amin*|*var*|*std*|*argmax*|*argmin*|*prod*|*max.dim*|*min.dim*",
     "The example input at export was channels-last. An operator before [[{op} ]]makes its result contiguous "
     "without a conversion in the graph, so the kernel meets two layouts; the exported "
     "metadata are at fault, not the caller's data.",
     "[[{program.arguments}]][[; inputs: {program.inputs}]]",
     "Call .contiguous() in the model before the operator, or export with contiguous example inputs.",
     "program.dimOrders=differ"},
    {"dim-orders", Possible, "", "The app passes an input in another layout than the exported one.",
     "[[inputs of the program: {program.inputs}]]",
     "Pass contiguous inputs, or inputs in the memory format used at export."},
    {"dim-order-unusual", Likely, "",
     "A tensor is permuted in memory (neither contiguous nor channels-last), for example a transposed "
     "constant, a permute at export, or a dimension of size 1 whose order the exporter chose differently.",
     "[[{program.arguments}]]",
     "Make constants and example inputs contiguous (.contiguous()), and export again with a current "
     "release."},
    {"unhandled-dtype", Likely, "dtype=Half|BFloat16",
     "The model was exported in half precision ({dtype}), and the CPU kernel of {op} in this runtime has no "
     "{dtype} code; the operator was left outside of delegates.",
     "{program.halfOperators} || {op} is named in the log",
     "Export in float32, or keep the parts outside of delegates in float32; newer releases support half and "
     "bfloat16 in more kernels.",
     "program.halfOperators=*"},
    {"unhandled-dtype", Likely, "dtype!=Half|BFloat16",
     "The kernel of {op} does not support {dtype}: the model computes on a dtype for which the kernel was "
     "not written or not selected.",
     "[[{program.arguments}]]",
     "Convert to float32 (or int64 for indices) in the model before this operator; in a selective build, "
     "include the dtype."},
    {"unknown-dtype", Likely, "dtypeId=5|15",
     "The model was exported in half precision ({dtype}), and an operator outside of delegates has no kernel "
     "for it.",
     "[[{program.halfOperators}]]",
     "Export in float32, or keep the parts outside of delegates in float32; newer releases support half and "
     "bfloat16 in more kernels."},
    {"unknown-dtype", Likely, "!dtypeId=5|15", "A tensor has a dtype that the kernel does not support.",
     "[[{program.arguments}]]", "Convert it in the model before export."},
    {"embedding-index", Likely, "",
     "An index is outside of the embedding: token ids have another dtype than the program expects (int32 "
     "data read as int64 gives huge numbers), or the tokenizer's vocabulary is "
     "larger than the model's.",
     "[[inputs of the program: {program.inputs}; ]]index {value}, {limit} rows",
     "Pass token ids in the dtype of the program's input, and use the tokenizer of this model."},
    {"dtypes-differ", Likely, "",
     "[[{op} got ]][[(kernel {kernel}) ]]tensors whose dtypes the kernel does not combine: an input has "
     "another dtype than at export, or the export mixed dtypes.",
     "[[{program.arguments}]]",
     "Pass inputs in the exported dtypes; otherwise convert explicitly in the model before this operator and "
     "export again."},
    {"shapes-differ", Likely, "",
     "[[{op}: ]]the shapes of the arguments do not belong together: an input has another shape than at "
     "export, or two dynamic dimensions that must be equal differ.",
     "[[{program.arguments}]]",
     "Pass inputs of the exported shape; give dimensions that must be equal the same torch.export.Dim."},
    {"output-resize", Likely, "",
     "The shape of the result exceeds the planned memory or a static shape: inputs are larger than at "
     "export.",
     "[[{program.arguments}]][[; inputs: {program.inputs}]]",
     "Pass inputs of the exported shape, or export with dynamic_shapes and a larger upper bound."},
    {"index-bounds", Likely, "",
     "An input contains an index (token, position, label) that the exported size does not allow.",
     "[[{program.arguments}]]",
     "Check the values of the inputs, and export with a larger size if they are right."},
    {"size-invalid", Likely, "",
     "An input is smaller than the operator needs: a convolution or pooling window is larger than its padded "
     "input, or a slice, view or padding depends on an input size.",
     "[[{program.arguments}]][[; inputs: {program.inputs}]]",
     "Pass inputs of the exported shape; for dynamic shapes, give torch.export.Dim a min that all operators "
     "support."},
    {"not-contiguous", Likely, "",
     "A tensor is not contiguous where the kernel reads it row by row: an input was passed in another "
     "layout, or "
     "a custom operator follows a permute or channels-last operator.",
     "[[{program.arguments}]]",
     "Pass contiguous inputs, or call .contiguous() (dim_order clone) before this operator and export "
     "again."},
    {"too-many-dims", Likely, "",
     "The model has a tensor of more dimensions than ExecuTorch's kernels support.",
     "[[the limit is {limit}; ]][[{program.arguments}]]",
     "Reshape to fewer dimensions around this operator and export again."},
    {"integer-division", Likely, "",
     "The model divides integers, and a divisor that comes from an input or a size is 0.",
     "[[{program.arguments}]]",
     "Check the inputs for zeros; divide in floating point, or clamp the divisor, in the model."},
    {"attention-dtype", Likely, "",
     "The model was exported in half precision or bfloat16, or its caches have another dtype; this release's "
     "attention kernel supports only float32.",
     "[[{program.arguments}]]",
     "Export with float32 activations (--dtype-override fp32), or use a release whose kernel supports the "
     "dtype."},
    {"attention-mask", Certain, "", "The exported attention passes attn_mask and is_causal=True.",
     "[[{program.arguments}]]", "Pass only one of both in the model, and export again."},
    {"attention-heads", Likely, "",
     "The configuration of the model (n_heads, n_kv_heads) does not fit its weights, or keys and values were "
     "not exported for grouped-query attention.",
     "[[{program.arguments}]]", "Correct the parameters of the model (params.json) and export again."},
    {"device-copy", Likely, "",
     "The program was exported for memory on a device (such as CUDA), and that backend with its allocator is "
     "not "
     "linked or not initialized.",
     "[[delegates of the program: {program.backends}]]",
     "Link the backend of the device with --whole-archive, or export for the CPU."},
    {"linear-bias", Likely, "",
     "The model was lowered without decomposing linear operators, and this release computes aten::linear "
     "only without a bias.",
     "[[{program.arguments}]]",
     "Use a newer runtime, whose linear kernel supports a bias, or let to_edge() decompose linear."},
    {"cortex-m-check", Likely, "", "The model was exported with contiguous example inputs.",
     "[[{program.arguments}]]", "Export with example inputs in channels-last format (torch.channels_last)."},
    {"cmsis-scratch", Likely, "", "The temporary pool is too small for the kernel.", "",
     "Enlarge the temporary allocator pool to at least {need} bytes more."},
    {"check-failed", Likely, "",
     "An argument of the operator does not satisfy {check}: shape, dtype or value differ from what the "
     "kernel supports.",
     "[[{program.arguments}]]",
     "Compare the inputs with `et-inspect info MODEL`; if they are right, the exported graph is at fault: "
     "`et-inspect run MODEL` reproduces it."},
};

}  // namespace

const std::span<const Message> kernelMessages = kernelRows;
const std::span<const Cause> kernelCauses = kernelCauseRows;

}  // namespace et::inspector::knowledge
