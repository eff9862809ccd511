#include "inspector/explain/knowledge/tables.h"

namespace et::inspector::knowledge {
namespace {

constexpr Message inputRows[] = {
    {"resize-static",
     "Attempted to resize a static tensor to a new shape at dimension {dim:d} old_size: {old:d} new_size: "
     "{new:d}",
     Reason, "A tensor with static shape is {old} in dimension {dim} and would have to become {new}", 0x10},
    {"resize-static-shape",
     "Attempted to resize a static tensor. Expected shape {expectedShape}, but received {actualShape}.",
     Reason, "A tensor with static shape {expectedShape} would have to become {actualShape}", 0x10},
    {"resize-bounded",
     "Attempted to resize a bounded tensor with a maximum capacity of {have:d} elements to {need:d} elements",
     Reason, "A tensor has space for {have} elements and would have to hold {need}", 0x10},
    {"resize-bounded",
     "Attempted to resize a bounded tensor with capacity of {have:d} elements to {need:d} elements", Reason},
    {"resize-bounded", "Attempted to resize a bounded tensor with {have:d}", Reason},
    {"rank-changed", "Attempted to change the tensor rank which is immutable: old={old:d}, new={new:d}",
     Reason, "A tensor of rank {old} would have to become rank {new}", 0x10},
    {"set-input", "Error setting input {input:d}: {code:x}", Detail, "Input {input} was rejected"},
    {"set-input", "Error resizing tensor at input {input:d}", Detail},
    {"input-dtype", "Input {input:d} has unexpected scalar type: expected {expected:n} but was {actual:n}",
     Reason, "Input {input} must be {expected} and is {actual}", 0x12},
    {"input-dtype",
     "The {input:d}-th input tensor's scalartype does not meet requirement: found {actualId:d} but expected "
     "{expectedId:d}",
     Reason},
    {"input-kind", "Input {input:d} was expected to be a Tensor or primitive but was {actual:n}", Reason,
     "Input {input} is of a kind that methods do not accept: {actual}", 0x12},
    {"input-kind", "Input {input:d} was expected to have type {expected:n} but was {actual:n}", Reason,
     "Input {input} is {actual} instead of {expected}", 0x12},
    {"input-kind", "EValue is not a {expected}.", General},
    {"input-kind", "EValue is not an {expected}.", General},
    {"input-index", "Input index ({input:d}) must be less than the number of inputs in method ({inputs:d})",
     Reason, "The method has {inputs} inputs, so there is no input {input}", 0x12},
    {"input-index",
     "Given input index must be less than the number of inputs in method, but got {input:d} and {inputs:d}",
     Reason},
    {"input-count", "Invalid number of inputs provided. Expected {inputs:d}, but got {given:d}", Reason,
     "The method takes {inputs} inputs, and {given} were given", 0x12},
    {"input-count",
     "The length of given input array ({given:d}) must be same as the number of inputs in method "
     "({inputs:d})",
     Reason},
    {"input-count", "Wrong number of inputs allocated compared to method {given:d} ? {inputs:d}", Reason},
    {"input-count", "Wrong number of inputs allocated compared to method  {given:d} ? {inputs:d}", Reason},
    {"input-unset", "Input {input:d} has not been set", Reason, "Input {input} was not given", 0x12},
    {"input-unset", "input {input:d} is none", Reason},
    {"input-value", "The {input:d}-th input of method should have the same value as the input_evalue", Reason,
     "Input {input} is a number that the export fixed, and another value is given", 0x12},
    {"input-midway", "Inputs can not be set mid execution", Reason,
     "An input was set while the method runs step by step", 0x2},
    {"input-layout", "Input {input:d} for method {method:n} should be contiguous or channels-last", Reason,
     "Input {input} of {method} is neither contiguous nor channels-last"},
    {"input-layout", "input {input:d} for method {method:n} should be contiguous or channels-last", Reason},
    {"input-bytes", "input size ({given:d}) and tensor size ({need:d}) mismatch", Reason,
     "An input file has {given} bytes, and the tensor needs {need}", 0x12},
    {"input-bytes", "Data size ({given:d}) does not match tensor size ({need:d})", Reason},
    {"input-bytes", "Data size does not match tensor size", General},
    {"scalar-tensor", "ETensor must have valid sizes array", Reason,
     "A tensor without dimensions (a scalar) is passed between PyTorch and the runtime", 0},
    {"scalar-tensor", "ETensor must have valid dim_order array", Reason},
    {"scalar-tensor", "ETensor must have valid strides array", Reason},
    {"bridge-mismatch", "at::Tensor and ETensor must have same rank", Reason,
     "A PyTorch tensor and the program's tensor differ"},
    {"bridge-mismatch", "Sizes dont match at index:{dim:d}, a size {actual:d} != b size {expected:d}",
     Reason},
    {"bridge-mismatch", "Strides don't match dim order at index", Reason},
    {"bridge-mismatch", "dtypes dont match a ", Reason},
    {"no-output-meta", "Tensor meta doesn't exist for output", Harmless,
     "Not a failure: an output of the method is not a tensor, so no buffer is prepared for it"},
    {"no-output-meta", "output: {output:d} is not Tensor", Harmless},
    {"input-layout", "Input tensor must have contiguous or channels last memory format", Reason},
    {"input-kind", "Input {input:d} of type {actual:d} not supported", Reason},
    {"planned-output", "Overriding output data pointer allocated by memory plan is not allowed", Harmless,
     "Not a failure: the outputs are part of the memory plan, so the attempt to supply other buffers is "
     "refused",
     0x2},
    {"planned-output",
     "Output {output:d} is memory planned, or is a constant. Cannot override the existing data pointer",
     Harmless},
    {"planned-output", "Cannot set_output_data_ptr(): this likely means the outputs were MemoryPlanned",
     Harmless},
    {"output-small", "buffer size: {have:d} is smaller then expected tensor size: {need:d}", Reason,
     "The buffer for an output has {have} bytes, and {need} are needed", 0x12},
    {"outputs-early", "Outputs can not be retrieved until method has been initialized", Reason,
     "Outputs are read before the method is loaded", 0x2},
    {"tensor-null", "Tensor data is null", Reason, "A tensor has no memory", 0x2},
};

constexpr Cause inputCauseRows[] = {
    // The tensor is an input.
    {"resize-static", Likely, "input=*",
     "Input {input} has another shape than the one the program was exported with: dimension {dim} was fixed "
     "at {old} and is not declared dynamic, and the app passes {new} (a whole "
     "batch or prompt at once, or another image size).",
     "expected by the program: {program.input}; given: {new} in dimension {dim} || Error setting input "
     "{input}",
     "Pass inputs of exactly the exported shape (split or pad the batch, feed one token at a time), or "
     "export with dynamic_shapes and a sufficient upper bound "
     "for dimension {dim}.",
     "program.input.static=yes"},
    {"resize-static", Possible, "input=* program.input.matches=no",
     "The device runs another file: input {input} of the given program is not {old} in dimension {dim}.",
     "the given program expects {program.input}", "Replace the file on the device."},
    // A delegate computed another shape.
    {"resize-static", Likely, "seen=xnn-output-resize",
     "The XNNPACK delegate computes a smaller or larger output than the exported graph states: pooling with "
     "ceil_mode=True (XNNPACK pools in floor mode), or an input whose shape "
     "differs from the exported one.",
     "dimension {dim}: {old} in the program, {new} in the delegate[[; the delegate contains "
     "{program.delegateNodes}]]",
     "Use a release whose partitioner leaves pooling with ceil_mode to the CPU, or set ceil_mode=False with "
     "explicit padding; if the input shape varies, export with "
     "dynamic_shapes.",
     "program.delegateNodes=*Pool*"},
    {"resize-static", Likely, "seen=vulkan-resize",
     "The Vulkan delegate computes another output shape than the exported graph states.",
     "dimension {dim}: {old} in the program, {new} in the delegate",
     "Export with dynamic_shapes if input sizes vary; otherwise update, or leave this operator to another "
     "backend."},
    {"resize-static", Likely, "seen=kernel-failed !input=*",
     "An operator produces another shape than at export, and the memory of its output is fixed: an input "
     "differs from the exported shape, or the shape depends on the data.",
     "[[operator {op}, instruction {instruction}]][[; {program.arguments}]]",
     "Export with dynamic_shapes for the dimension that varies, or pass inputs of the exported shape."},
    {"resize-static", Likely, "!input=* !seen=xnn-output-resize !seen=vulkan-resize !seen=kernel-failed",
     "The tensor was exported with a fixed shape, and the app passes or computes {new} instead of {old} in "
     "dimension {dim}.",
     "[[inputs of the program: {program.inputs}]]",
     "Pass inputs of exactly the exported shape, or export with dynamic_shapes and a sufficient upper "
     "bound."},
    {"resize-static", Possible, "seen=xnn-output-resize",
     "The input of the delegate has another shape than at export, and its output is static.",
     "[[inputs of the program: {program.inputs}]]",
     "Pass inputs of the exported shape, or export with dynamic_shapes."},
    {"resize-static-shape", Likely, "",
     "[[Input {input} has ]][[The tensor of operator {op} has ]]another shape than the one the program was "
     "exported with: {expectedShape} is fixed, and {actualShape} is given.",
     "[[expected by the program: {program.input}; ]]given: {actualShape}",
     "Pass inputs of exactly the exported shape (split or pad), or export with dynamic_shapes and a "
     "sufficient upper bound.",
     "program.input.static=yes"},
    {"resize-static-shape", Possible, "seen=xnn-output-resize",
     "The XNNPACK delegate computes another shape than the exported graph states (pooling with "
     "ceil_mode=True, or a changed input shape).",
     "", "Use a newer release, set ceil_mode=False with explicit padding, or export with dynamic_shapes."},
    {"resize-bounded", Likely, "",
     "[[Input {input}: ]]the shape exceeds the upper bound that was given to dynamic_shapes at export, so "
     "the planned memory is too small.",
     "[[expected by the program: {program.input}; ]]{need} elements are needed, {have} fit",
     "Pass smaller inputs (shorter prompt, smaller batch), or export with a larger maximum in "
     "torch.export.Dim(max=...).",
     "program.input=*"},
    {"resize-bounded", Possible, "!input=*",
     "A data-dependent operator (nonzero, masked_select, repeat_interleave) produces more elements than the "
     "export bounded.",
     "[[operator {op}]]", "Constrain the size with torch._check in the model, and export again."},
    {"rank-changed", Likely, "",
     "[[Input {input} has ]]another number of dimensions than at export, often a missing or extra batch "
     "dimension.",
     "[[expected by the program: {program.input}; ]]rank {new} instead of {old}",
     "Add or remove the batch dimension before the call (unsqueeze, squeeze), or export with the rank that "
     "is used."},
    {"input-dtype", Certain, "",
     "The app passes {actual} for input {input}, and the program was exported with {expected} inputs.",
     "expected by the program: {program.input}; given: {actual} || expected {expected}; given {actual}",
     "Convert the input to {expected} before the call, or export with an example input of dtype {actual}."},
    {"input-dtype", Possible, "actual=Float|float32|Byte|uint8|Long|int64|Int|int32",
     "Inputs are in the wrong order.", "[[inputs of the program: {program.inputs}]]",
     "Pass them in the order of `et-inspect info MODEL`."},
    {"input-kind", Likely, "",
     "A value of another kind is passed: a number instead of a tensor, or arguments in the wrong order.",
     "[[inputs of the program: {program.inputs}]]",
     "Pass the kinds of values that `et-inspect info MODEL` lists, in that order."},
    {"input-index", Likely, "",
     "More inputs are given than the method has: constants, parameters and None arguments of the Python "
     "model are not inputs of the program.",
     "[[inputs of the program: {program.inputs}]]",
     "Pass {inputs} inputs, in the order of `et-inspect info MODEL`.", "program.inputs=*"},
    {"input-count", Likely, "",
     "An input (such as a mask or a position) was forgotten or is given twice, or the number differs from "
     "the program: optional arguments were dropped or tuples flattened at "
     "export, or another file is loaded.",
     "[[inputs of the program: {program.inputs}]]",
     "Pass {inputs} inputs, in the order of `et-inspect info MODEL`.", "program.inputs=*"},
    {"input-unset", Likely, "", "The app did not set input {input} before execute().",
     "[[inputs of the program: {program.inputs}]]",
     "Set all inputs; input {input} is not memory planned, so it has no default value."},
    {"input-value", Likely, "",
     "A Python number was an example input: torch.export made it a constant of the program.", "",
     "Pass the value used at export, or make it a tensor and export again."},
    {"input-midway", Certain, "", "set_input() is called between two step() calls.", "",
     "Set inputs before the first step, or reset the execution."},
    {"input-layout", Certain, "", "The tensor is a view with other strides (a transpose or slice).", "",
     "Call .contiguous() before passing it."},
    {"input-bytes", Likely, "",
     "The file with the input has another dtype or shape than input of the method.",
     "[[expected by the program: {program.inputs}]]",
     "Write exactly the elements of the tensor in its dtype ({need} bytes), without a header."},
    {"scalar-tensor", Likely, "",
     "The method takes or returns a scalar tensor (rank 0), which has no array of sizes; the bridge between "
     "PyTorch and the runtime in this version requires one.",
     "[[inputs of the program: {program.inputs}]]",
     "Give the model a tensor with one dimension and one element (shape [1]) instead, or use a version "
     "without this restriction.",
     "program.scalarInput=yes"},
    {"bridge-mismatch", Likely, "",
     "A tensor passed to or returned by the method has another shape or layout than the exported one.",
     "[[inputs of the program: {program.inputs}]]",
     "Pass contiguous tensors of the exported shape and dtype."},
    {"no-output-meta", Certain, "", "The method returns a number, None or a list besides tensors.",
     "[[outputs of the program: {program.outputs}]]", "Ignore the message."},
    {"planned-output", Certain, "",
     "The outputs of the method are memory planned, so its own buffers are used. The message is not a "
     "failure; results are correct.",
     "[[the program plans {program.pools}]]",
     "Ignore it (later releases do not print it). To supply output buffers, export with "
     "MemoryPlanningPass(alloc_graph_output=False)."},
    {"output-small", Certain, "",
     "The buffer that the app provides is smaller than the upper bound of the (dynamic) output.",
     "[[outputs of the program: {program.outputs}]]", "Provide {need} bytes."},
    {"outputs-early", Certain, "", "The load failed or was not called.", "",
     "Check the result of loading before reading outputs."},
    {"tensor-null", Likely, "", "An input or output is not memory planned, and the app set no memory for it.",
     "[[inputs of the program: {program.inputs}]]",
     "Set the data of every input and of every output that is not planned."},
};

}  // namespace

const std::span<const Message> inputMessages = inputRows;
const std::span<const Cause> inputCauses = inputCauseRows;

}  // namespace et::inspector::knowledge
