#include "inspector/explain/knowledge/tables.h"

namespace et::inspector::knowledge {
namespace {

// Operators without a kernel, and the registry of kernels.
constexpr Message operatorRows[] = {
    {"missing-operator", "Missing operator: [{index:d}] {op:w}", Reason,
     "The runtime has no kernel for {op}, so loading [[method {method} ]]fails", 0x14},
    {"missing-operator", "kernel '{op:w}' not found", Reason},
    {"missing-operator", "Missing operator: {op:w}", Reason},
    {"missing-operators", "There are {count:d} instructions don't have corresponding operator registered",
     General, "{count} instructions call operators without a kernel in the runtime", 0x14},
    {"missing-dtype", "dtype: {dtypeId:d} | dim order: [", Detail,
     "Dtype of an argument of the missing kernel"},
    {"no-handler", "no handler for target={target}", Detail, "A partitioner declined an operator"},
    {"registered-twice", "Re-registering {op:w}, from {library}", Reason,
     "A kernel of {op} is registered twice", 0x16},
    {"registration-failed", "Kernel registration failed with error {code10:d}", Outcome,
     "Registering kernels failed at start-up"},
    {"registration-failed", "Failed to register kernel", Outcome},
    {"too-many-kernels",
     "The total number of kernels to be registered is larger than the limit {limit:d}. {have:d}", Reason,
     "More kernels are linked than the registry can hold ({limit})", 0x15},
    {"backend-registered-twice", "Backend {backend:w} is already registered", Reason,
     "Backend {backend} is registered twice", 0x16},
    {"operator-name-long", "Operator name {op:w} with length {length:d} truncated to {limit:d}", Reason,
     "The name of operator {op} is longer than the runtime accepts ({limit} characters)", 0x1},
    {"operator-index", "Op index {index:d} out of range", Reason,
     "An instruction refers to operator {index}, which the program does not list", 0x23},
};

constexpr Cause operatorCauseRows[] = {
    // The program given is another one.
    {"missing-operator", Certain, "program.operator=no",
     "The given program does not call {op}: the log belongs to another program.",
     "{program.name} calls no operator of this name",
     "Pass the program that ran: compare its size with the file on the device, and replace an outdated copy "
     "there."},
    // Training mode.
    {"missing-operator", Likely,
     "op=aten::native_dropout*|aten::dropout*|aten::bernoulli*|aten::rrelu*|aten::alpha_dropout*|aten::"
     "feature_dropout*|aten::native_batch_norm.out|aten::_native_batch_norm_legit.out|aten::_native_batch_"
     "norm_legit_functional*|aten::_batch_norm_with_update* !program.operator=no",
     "The model was exported in training mode: {op} exists only there (dropout, stochastic depth, batch "
     "normalization with batch statistics).",
     "{op} is called by {program.operator.where} || {op} is an operator of training mode",
     "Call model.eval() before torch.export.export() and export again; then `et-inspect fit MODEL` must not "
     "list the operator.",
     "program.operator=yes"},
    // Random numbers.
    {"missing-operator", Likely,
     "op=aten::rand.*|aten::rand_like*|aten::randn*|aten::randint*|aten::randperm*|aten::multinomial*|aten::"
     "normal*|aten::uniform*|aten::exponential*|aten::poisson* !program.operator=no",
     "The exported graph generates random numbers. No delegate accepted {op}, and the kernels of this "
     "runtime do not contain it.",
     "{op} is called by {program.operator.where} || a partitioner leaves random generators to the CPU "
     "kernels",
     "Remove the generator from the graph: pass the noise as an input of the model, or use operators with "
     "kernels. [[Releases {op.releases} have a {op.library} kernel of it that can be linked instead.]]"},
    // FFT.
    {"missing-operator", Likely, "op=aten::_fft_*|aten::fft_*|aten::stft*|aten::istft* !program.operator=no",
     "The partitioner leaves the FFT to CPU kernels, and this runtime lacks it: for long only the optimized "
     "kernel library had one, not the portable set.",
     "{op} is called by {program.operator.where} || the portable kernels of older releases have no FFT",
     "Link the optimized kernels (optimized_native_cpu_ops_lib), use a newer runtime whose portable kernels "
     "include the FFT, or compute it outside the model."},
    // Custom operators of language models.
    {"missing-operator",
     Likely,
     "op.namespace=llama seen=in-python !program.operator=no",
     "The custom operators for language models are not registered in the runtime of this Python process: the "
     "library that contains them (libcustom_ops_aot_lib) is missing, comes from another build than "
     "_portable_lib, or contains a second copy of the runtime with its own registry.",
     "{op} is called by {program.operator.where} || {op} belongs to extension/llm/custom_ops",
     "Install or build both libraries together (Python preset, EXECUTORCH_BUILD_KERNELS_LLM_AOT=ON), so that "
     "the custom-operator library uses the runtime of the Python extension; update if this release links a "
     "second copy; import executorch.extension.llm.custom_ops before loading.",
     {}},
    {"missing-operator",
     Likely,
     "op.namespace=llama|preprocess !seen=in-python !program.operator=no",
     "The custom operators for language models are not linked into this runtime, or the linker dropped their "
     "registration.",
     "{op} is called by {program.operator.where} || {op} belongs to extension/llm/custom_ops",
     "Build with EXECUTORCH_BUILD_KERNELS_LLM=ON and link custom_ops with --whole-archive (Apple: "
     "-force_load); in an app use the package that contains the LLM kernels.",
     {}},
    {"missing-operator", Possible, "op.namespace=llama !program.operator=no",
     "The operators come from two builds: a custom-operator library that was built separately registers into "
     "its own copy of the runtime, which the loader does not search.",
     "", "Remove the separately built library and rebuild everything from one source tree with one preset."},
    // Kernels of a vendor.
    {"missing-operator",
     Likely,
     "op.namespace=cadence|cortex_m !program.operator=no",
     "The kernel set of this build does not register this overload of the vendor's operator {op}: the "
     "exporter is newer than the kernels, or another flow (CPU reference, HiFi, Fusion) was built.",
     "{op} is called by {program.operator.where}[[; released in {op.releases}]] || {op} belongs to "
     "{op.origin}",
     "Build the kernels from the same or a newer version as the export, with the flow that contains this "
     "overload (newer releases add overloads), or register the kernel yourself.",
     {}},
    // Quantized and dequantized tensors outside of delegates.
    {"missing-operator",
     Likely,
     "op.namespace=quantized_decomposed !program.operator=no",
     "Quantize and dequantize operators stayed outside of delegates, and the quantized kernels are not "
     "linked into the runtime.",
     "{op} is called by {program.operator.where} || {op} belongs to kernels/quantized",
     "Link quantized_ops_lib (EXECUTORCH_BUILD_KERNELS_QUANTIZED=ON, --whole-archive; Python: import "
     "executorch.kernels.quantized), or lower with the partitioner that belongs to the quantizer so that no "
     "such operator is left.",
     {}},
    {"missing-operator",
     Likely,
     "op.namespace=torchao !program.operator=no",
     "The low-bit kernels of torchao are not linked into this runtime.",
     "{op} is called by {program.operator.where} || {op} is defined by torchao, not by ExecuTorch",
     "Build with EXECUTORCH_BUILD_TORCHAO=ON or link torchao_ops_executorch with --whole-archive; or export "
     "with a quantization that a delegate accepts.",
     {}},
    {"missing-operator",
     Likely,
     "op.namespace=executorch_prim|dim_order_ops|et_copy !program.operator=no",
     "The runtime is older than the export, or the objects that register the operators of the runtime itself "
     "were dropped by the linker.",
     "{op.origin}[[; since release {op.since}]]",
     "Build the runtime from the version that exported the program, and link executorch and its kernels with "
     "--whole-archive.",
     {}},
    // Custom operators of the application.
    {"missing-operator",
     Likely,
     "op.namespace!=aten|llama|preprocess|cadence|cortex_m|quantized_decomposed|torchao|executorch_prim|dim_"
     "order_ops|et_copy !program.operator=no",
     "{op} is a custom operator, and no library that registers its kernel is linked or loaded.",
     "{op} is called by {program.operator.where} || ExecuTorch defines no operators in this namespace",
     "Register the kernel (EXECUTORCH_LIBRARY, or a functions.yaml with gen_operators_lib), link that "
     "library with --whole-archive, and check that the overload name is the same as in the program.",
     {}},
    // ATen operators that no release contains.
    {"missing-operator",
     Likely,
     "op.namespace=aten op.library=none "
     "!op=aten::native_dropout*|aten::dropout*|aten::bernoulli*|aten::rand*|aten::_fft_*|aten::multinomial*|"
     "aten::normal* !program.operator=no",
     "{op} is not in the core ATen operator set and has no portable kernel in any release: the export "
     "skipped the check of operators (_check_ir_validity=False, or an exception list), and no delegate took "
     "it.",
     "{op} is called by {program.operator.where} || et-inspect's lists of releases 1.0 to 1.6 do not contain "
     "{op}",
     "Keep the IR check on; decompose or replace the operator in the model, lower it to a delegate that "
     "supports it, or write and link a kernel for it.",
     {}},
    {"missing-operator",
     Likely,
     "op.library=aten !program.operator=no",
     "{op} has a kernel only in ATen mode (a runtime that links PyTorch), not in the portable kernels.",
     "{op} is called by {program.operator.where} || releases {op.releases} have it in ATen mode only",
     "Decompose or replace the operator before lowering, or run with a runtime in ATen mode.",
     {}},
    // ATen operators that some releases contain.
    {"missing-operator",
     Likely,
     "op.namespace=aten op.library=portable op.since!=1.0 !op=aten::rand*|aten::_fft_* !program.operator=no",
     "{op} is not in the core ATen set and has no kernel in older releases: the export let it through (IR "
     "check off, or an exception list), and this runtime is older than release {op.since}, which added a "
     "portable kernel.",
     "{op} is called by {program.operator.where} || portable kernels contain {op} in releases {op.releases}",
     "Use a runtime of release {op.since} or later, or keep the IR check on and decompose or replace the "
     "operator.",
     {}},
    {"missing-operator",
     Likely,
     "op.namespace=aten op.library=portable op.since=1.0 !op=aten::rand*|aten::native_dropout*|aten::_fft_* "
     "!program.operator=no",
     "{op} is in the portable kernels, but they are not linked into this runtime, or the linker dropped "
     "their registration.",
     "portable kernels contain {op} in releases {op.releases}[[; {program.operator.where} call it]]",
     "Link portable_ops_lib (or optimized_native_cpu_ops_lib) with --whole-archive (Apple: -force_load; "
     "CMake: target_link_options_shared_lib), once.",
     {}},
    {"missing-operator",
     Possible,
     "op.namespace=aten op.library=portable !program.operator=no",
     "A selective build leaves out {op} or its dtype variant[[ (dtype {dtype})]].",
     "`et-inspect fit MODEL --runtime LIST` compares the program with the list[[; the log shows dtype "
     "{dtype}]]",
     "Generate the list from this program (`et-inspect fit MODEL --oplist ops.yaml`, or "
     "EXECUTORCH_SELECT_OPS_MODEL) and rebuild.",
     {}},
    {"missing-operator", Possible, "op.namespace=aten op.library=portable !program.operator=no",
     "A delegate was expected to run this operator and did not take it (other dtype, shape or arguments, or "
     "the wrong partitioner).",
     "[[{op} is called by {program.operator.where}; delegates: {program.backends}]]",
     "List what stays outside of delegates with `et-inspect delegates MODEL`, and lower with the partitioner "
     "that supports it."},

    {"missing-operators", Likely, "",
     "Kernels of operators that the program calls are not in this runtime; the lines with their names are "
     "missing from the log.",
     "[[the program calls {program.operators}]]",
     "Compare with `et-inspect fit MODEL --runtime LIBRARY`; enable logging to see the names "
     "(EXECUTORCH_ENABLE_LOGGING=ON)."},

    {"registered-twice", Likely, "",
     "Two operator libraries that contain {op}, or two copies of the runtime, are in one process[[ "
     "({library})]].",
     "",
     "Link one kernel library only: portable or optimized, not both; load a custom-operator library that "
     "does not contain its own copy of the kernels."},
    {"registered-twice", Possible, "",
     "The same library is linked twice, with --whole-archive in two targets or statically and as a shared "
     "library.",
     "", "Keep --whole-archive at one place in the link line."},
    {"registration-failed", Likely, "!seen=too-many-kernels",
     "A kernel is registered twice: two operator libraries or two copies of the runtime are in one process.",
     "the error code is {code.name}", "Link one kernel library only, and one copy of the runtime."},
    {"too-many-kernels", Certain, "",
     "The table of kernels is full: {have} kernels are registered and {limit} fit.", "",
     "Link fewer kernel sets (a selective build), or compile with a larger MAX_KERNEL_NUM."},
    {"backend-registered-twice", Likely, "", "The library of backend {backend} is linked or loaded twice.",
     "", "Link it once, and load no shared library that contains it again."},
    {"operator-name-long", Likely, "", "The operator's name and overload exceed the buffer of the runtime.",
     "", "Shorten the name of the custom operator and export again."},
    {"operator-index", Likely, "",
     "The file is damaged, or was written by a tool that made an invalid program.", "",
     "Check it with `et-inspect info MODEL`, and export again."},
};

}  // namespace

const std::span<const Message> operatorMessages = operatorRows;
const std::span<const Cause> operatorCauses = operatorCauseRows;

}  // namespace et::inspector::knowledge
