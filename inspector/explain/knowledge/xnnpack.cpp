#include "inspector/explain/knowledge/tables.h"

namespace et::inspector::knowledge {
namespace {

constexpr Message xnnpackRows[] = {
    {"xnn-node", "Failed to create {node} node {number:d} with code: {status:w}", Reason,
     "XNNPACK rejects a {node} (node {number} of the delegate) with {status}", 0x1},
    {"xnn-node", "Failed to create {node} node {number:d}, with code: {status:w}", Reason},
    {"xnn-tensor", "Failed to define tensor {number:d} with code: {status:w}", Reason,
     "XNNPACK rejects tensor {number} of the delegate with {status}", 0x1},
    {"xnn-constant", "Failed to get constant data for key {key:w}", Reason,
     "The weights of an XNNPACK delegate (key {key}) cannot be read", 0},
    {"xnn-dynamic", "Dynamic quantization can only work with external inputs", Reason,
     "XNNPACK gets a dynamically quantized value that is not an input of the delegate", 0x1},
    {"xnn-dynamic", "Dynamic quantization of tensor is only allowed for the external input", Reason},
    {"xnn-dynamic", "Only int8_t is supported for dq_datatype", Reason},
    {"xnn-payload", "out of bounds for constant_data", Reason},
    {"xnn-payload", "out of bounds for constant_buffer", Reason},
    {"xnn-initialize", "cpuinfo cannot be initialized", Reason},
    {"xnn-compile", "XNNCompiler::compileModel failed: {code:x}", General,
     "The XNNPACK backend cannot build its part of the program"},
    {"xnn-compile", "XNNCompiler::compleModel failed: {code:x}", General},
    {"xnn-identifier", "XNNPACK Delegate Serialization Format version identifier '{actual}' != expected",
     Reason, "The XNNPACK payload has format {actual}, which this runtime does not read", 0x30},
    {"xnn-payload", "FlatBuffer verification failed; data may be truncated or corrupt", Reason,
     "The payload of a delegate is damaged", 0x30},
    {"xnn-payload", "XNNHeader may be corrupt", Reason},
    {"xnn-payload", "Failed to deserialize XNNPACK flatbuffer graph", Reason},
    {"xnn-unknown-node", "Unhandled node type: {node:n}", Reason,
     "The runtime's XNNPACK backend does not know the node {node}", 0x11},
    {"xnn-unknown-node", "Unhandled Quantization Parameters: {node:n}", Reason},
    {"xnn-unknown-node", "Unhandled value type: {node:n}", Reason},
    {"xnn-initialize", "XNN Initialize failed with code: {status:w}", Reason,
     "XNNPACK cannot start on this processor: {status}", 0x1},
    {"xnn-initialize", "Failed to initialize, XNNPACK status: {number:x}", Reason},
    {"xnn-runtime", "XNN Runtime creation failed with code: {status:w}", Reason,
     "XNNPACK cannot create the delegate: {status}", 0x1},
    {"xnn-runtime", "XNN Subgraph creation failed with code: {status:w}", Reason},
    {"xnn-invoke", "XNN Runtime invoke failed with code: {status:w}", Reason,
     "XNNPACK cannot run the delegate: {status}", 0x1},
    {"xnn-reshape", "Internal Error: Reshape Input Tensor Failed with code: {status:w}", Reason,
     "XNNPACK rejects the shapes of the delegate's inputs: {status}", 0x1},
    {"xnn-reshape", "Internal Error: Propagating input shapes failed with code: {status:w}", Reason},
    {"xnn-reshape", "Internal Error: Setting up the runtime failed with code: {status:w}", Reason},
    {"xnn-output-resize", "Failed to resize output tensor for XNNExecutor", General,
     "An output of an XNNPACK delegate has another shape than planned", 0x10},
    {"xnn-rank", "XNNPACK backend accepts tensors with at most {limit:d} dims, but got {actual:d}", Reason,
     "A tensor of an XNNPACK delegate has {actual} dimensions; at most {limit} are supported", 0x12},
    {"xnn-argument", "Expected argument to delegate at index {argument:d} to be a Tensor, but got {kindId:d}",
     Reason, "Argument {argument} of an XNNPACK delegate is not a tensor", 0x12},
    {"xnn-layout",
     "only supports contiguous memory format for inputs. Expecting dim_order: {expected}, but got {actual}",
     Reason, "An input of an XNNPACK delegate has dim order {actual} instead of {expected}"},
    {"xnn-concurrent", "XNNExecutor::prepare_args called concurrently", Reason,
     "Two threads execute the same XNNPACK delegate", 0x2},
    {"xnn-cache", "load_packed_cache: ", Reason, "The cache of packed weights on disk cannot be used"},
    {"xnn-cache", "Failed to load weights from cache", Reason},
};

constexpr std::string_view libraryAnswer =
    "[[node: {program.node}; ]]XNNPACK as linked into et-inspect: {program.delegateError} || node: "
    "{program.node} || "
    "[[delegates of the program: {program.backends}]]";

constexpr Cause xnnpackCauseRows[] = {
    {"xnn-node", Likely,
     "node=*slice*|*reshape*|*transpose*|*concat*|cat*|*copy*|*squeeze*|*pad*|*depth*|*maxpool*|*upsample*|*"
     "resize*|*even_split*",
     "The model is quantized, and input and output of the {node} have different scales or zero points; "
     "XNNPACK requires the same for operators that only move values, so the whole method fails to "
     "load.",
     libraryAnswer,
     "Quantize again with a release in which the quantizer lets {node} share the parameters of its input, or "
     "exclude this operator from quantization.",
     "program.delegateError=*"},
    {"xnn-node", Likely, "node=linear|*fully*|*convolution*|*conv*",
     "The quantization of the weights does not suit this node: dynamically quantized linear layers need "
     "per-channel weights, not per-tensor ones.",
     libraryAnswer,
     "Quantize with is_dynamic=True together with is_per_channel=True (get_symmetric_quantization_config) "
     "and export again.",
     "program.delegateError=*"},
    {"xnn-node", Possible, "",
     "The node's dtypes, shapes or parameters are not supported by the XNNPACK in this runtime: the "
     "partitioner of another version delegated it.",
     libraryAnswer,
     "Export and build the runtime from the same release; otherwise leave the operator outside of the "
     "delegate."},
    {"xnn-node", Possible, "status=xnn_status_unsupported_hardware",
     "The processor lacks instructions that this node needs.", "",
     "Use float32, or a device with these instructions."},
    {"xnn-node", Possible, "status=xnn_status_out_of_memory",
     "The process has too little memory for packed weights.", "", "Use a smaller model."},
    {"xnn-tensor", Likely, "",
     "The tensor's dtype, rank or quantization parameters are not supported by the XNNPACK in this runtime "
     "(zero point out of range, scale not positive, per-channel parameters on an "
     "activation).",
     libraryAnswer,
     "Export and build the runtime from the same release, and check the quantization configuration.",
     "program.delegateError=*"},
    {"xnn-constant", Likely, "seen=mlock-failed", "The data loader could not lock the memory of the weights.",
     "", "Raise the memlock limit, or load with plain mmap."},
    {"xnn-constant", Likely, "!seen=mlock-failed",
     "The named weights of the delegate are missing: the data file (.ptd) was not given, belongs to another "
     "export, or the program is cut off.",
     "[[the given program contains {program.namedData}]]",
     "Pass the .ptd file that was exported with the program; compare the file size."},
    {"xnn-dynamic", Likely, "",
     "The dynamically quantized operator was partitioned together with the operators before it.",
     libraryAnswer,
     "Partition dynamically quantized operators one by one (XnnpackDynamicallyQuantizedPartitioner, or "
     "per_op_mode=True), and export again."},
    {"xnn-compile", Possible, "",
     "A node or tensor of the delegate is not supported by the XNNPACK in this runtime; the line with its "
     "name is missing from the log.",
     libraryAnswer, "Enable logging to see the node; export and build the runtime from the same release.",
     "program.delegateError=*"},
    {"xnn-identifier", Certain, "", "The program was exported with another version than the runtime.",
     "format {actual}", "Export and build the runtime from the same release."},
    {"xnn-payload", Likely, "", "The file is damaged or cut off.", "",
     "Copy the file again and compare its size and checksum."},
    {"xnn-payload", Possible, "", "The export is newer than the runtime.", "",
     "Export and build the runtime from the same release."},
    {"xnn-unknown-node", Likely, "",
     "The program was exported with a newer version, whose partitioner delegates {node}.", libraryAnswer,
     "Use a runtime of the same or a newer release than the export."},
    {"xnn-initialize", Likely, "",
     "XNNPACK does not support this processor (status 5): it or its emulator lacks instructions, or cpuinfo "
     "cannot recognize it (no access to /proc and /sys in a container); status 6 means that memory ran out.",
     "[[status {status}]][[status {number}]]",
     "Run on supported hardware, give the container access to /sys and /proc/cpuinfo, or export without "
     "XNNPACK."},
    {"xnn-runtime", Likely, "status=xnn_status_out_of_memory",
     "The process has too little memory for packed weights and workspace.",
     "[[delegates of the program: {program.backends}]]",
     "Use a smaller or quantized model, share the workspace, and load the program with mmap."},
    {"xnn-runtime", Likely, "status=xnn_status_unsupported_hardware",
     "The processor lacks instructions that an operator needs (half precision without FP16 arithmetic).",
     libraryAnswer, "Export in float32, or use a device with these instructions."},
    {"xnn-runtime", Likely,
     "status=xnn_status_unsupported_parameter|xnn_status_invalid_parameter|xnn_status_invalid_state",
     "An operator of the delegate has parameters that the XNNPACK in this runtime does not support: the "
     "versions of export and runtime differ, or the quantization does not suit it.",
     libraryAnswer,
     "Export and build the runtime from the same release; find the operator with `et-inspect fit MODEL`.",
     "program.delegateError=*"},
    {"xnn-runtime", Possible, "", "An operator of the delegate is not supported by this build of XNNPACK.",
     libraryAnswer, "Build the runtime from the release that exported the program."},
    {"xnn-invoke", Likely, "", "The delegate was not set up for these inputs, or a shape is invalid.", "",
     "Check the inputs' shapes; look at the first error in the log."},
    {"xnn-reshape", Likely, "",
     "An input has another shape or rank than the delegate can compute with: dimensions that must be equal "
     "differ, or a size exceeds the exported upper bound.",
     "[[inputs of the program: {program.inputs}]]",
     "Pass inputs of the exported shape, or export with dynamic_shapes for the dimension that varies."},
    {"xnn-reshape", Likely, "status=xnn_status_invalid_parameter|xnn_status_unsupported_parameter",
     "A constant of the delegate has an unusual dim order (a transposed or permuted weight), so its shape "
     "does not fit its neighbours.",
     "[[the delegate contains {program.delegateNodes}]]",
     "Make the constants contiguous in the model (weight.contiguous()) and export again with a current "
     "release."},
    {"xnn-output-resize", Likely, "",
     "Inputs differ from the exported shape, or pooling with ceil_mode=True was delegated (XNNPACK pools in "
     "floor mode).",
     "[[the delegate contains {program.delegateNodes}]]",
     "Export with dynamic_shapes; use a release whose partitioner leaves ceil_mode to the CPU, or set "
     "ceil_mode=False."},
    {"xnn-rank", Certain, "", "XNNPACK supports at most {limit} dimensions.", "",
     "Reshape in the model so that no tensor in the delegate has more, or leave these operators outside of "
     "the delegate."},
    {"xnn-argument", Likely, "",
     "A symbolic size or number is passed to the delegate: the partitioner of another version made the "
     "program.",
     "", "Export and build the runtime from the same release."},
    {"xnn-layout", Likely, "",
     "A permute (or channels-last) before the delegated operator makes its input non-contiguous, and the "
     "delegate was exported for contiguous inputs.",
     "[[inputs of the program: {program.inputs}]]",
     "Call .contiguous() before this part of the model (or on the example inputs) and export again; or skip "
     "dim-order operators (EdgeCompileConfig(_skip_dim_order=True))."},
    {"xnn-concurrent", Certain, "", "The same method is executed in two threads.", "",
     "Use one method (Module) per thread, or a lock."},
    {"xnn-cache", Likely, "",
     "The cache file belongs to another program or version, or its folder is not writable.", "",
     "Delete the cache file and let the runtime write it again."},
};

}  // namespace

const std::span<const Message> xnnpackMessages = xnnpackRows;
const std::span<const Cause> xnnpackCauses = xnnpackCauseRows;

}  // namespace et::inspector::knowledge
