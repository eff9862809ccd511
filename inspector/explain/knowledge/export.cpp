#include "inspector/explain/knowledge/tables.h"

namespace et::inspector::knowledge {
namespace {

// Errors of Python while exporting, quantizing and lowering.
constexpr Message exportRows[] = {
    {"missing-out", "Missing out variants: {ops}", Reason,
     "Operators without an out variant are left in the graph: {ops}"},
    {"out-conversion", "to its out variant with error: ", Detail, "An operator could not be converted"},
    {"aot-library", "Loading {library:w} failed", General, "The operator library {library} cannot be loaded"},
    {"aot-library", "Expected 1 library but got {count:d}", Detail},
    {"not-canonical", "Operator torch._ops.{op:w} is not Aten Canonical", Reason,
     "{op} is not in the core ATen operator set, which lowering requires"},
    {"not-canonical", "Operator torch._ops.{op:w} is not in Core ATen opset", Reason},
    {"not-canonical", "These operators are taken by users already", Reason},
    {"not-delegated", "was not decomposed or delegated", Reason,
     "A node was neither decomposed nor delegated"},
    {"schema-file", "No such file or directory: '{path}.fbs'", Reason,
     "A schema file of the exporter is missing: {path}.fbs"},
    {"flatc", "No such file or directory: 'flatc'", Reason, "The program flatc is not found"},
    {"flatc", "No such file or directory: flatc", Reason},
    {"no-custom-op", "'_OpNamespace' '{namespace:n}' object has no attribute '{op:n}'", Reason,
     "The custom operator {namespace}::{op} is not registered in Python"},
    {"conv-parameters", "No output quantization parameter found in node {node:n}", Reason,
     "A pass of the Arm backend finds no output quantization of {node}"},
    {"conv-parameters", "No input quantization parameter found in node {node:n}", Reason},
    {"arm-pass", "backends/arm/_passes/{pass:n}.py", Detail, "A pass of the Arm backend"},
    {"data-dependent", "Could not guard on data-dependent expression {expression}", Reason,
     "The export cannot decide {expression}, which depends on data"},
    {"data-dependent", "GuardOnDataDependentSymNode", Reason},
    {"constraint", "Constraints violated ({dims})", Reason,
     "Dynamic dimensions cannot be as general as declared: {dims}"},
    {"constraint", "not all values of {dims} in the specified range", Reason},
    {"constraint", "was inferred to be a constant ({dims})", Reason},
    {"specialized", "marked as dynamic but your code specialized it to be a constant", Reason,
     "A dynamic dimension became a constant during export"},
    {"unsupported-python", "torch._dynamo.exc.Unsupported", Reason,
     "torch.export does not support a statement of the model"},
    {"unsupported-python", "torch._dynamo.exc.UserError", General},
    {"upper-bound", "has symbolic sizes without an upper bound", Reason,
     "A dynamic dimension has no upper bound, so its memory cannot be planned"},
    {"upper-bound", "Could not determine upper bound", Reason},
    {"upper-bound", "Cannot allocate memory for the tensor with unbounded", Reason},
    {"upper-bound", "the upper bound is infinite", Reason},
    {"mutated-constant", "Mutating module attribute", Reason,
     "The model assigns to an attribute while it runs"},
    {"spec-violation", "SpecViolationError", General, "The exported graph violates the rules of its dialect"},
    {"old-export", "capture_pre_autograd_graph", Reason,
     "The script uses capture_pre_autograd_graph, which was removed"},
    {"import-failed", "ModuleNotFoundError: No module named '{module}'", Reason,
     "Python does not find the module {module}"},
    {"import-failed", "ImportError: cannot import name '{module}'", General},
    {"torch-mismatch", "undefined symbol: _ZN3c1", Reason,
     "The Python package was built for another version of PyTorch"},
    {"torch-mismatch", "Symbol not found: __ZN3c1", Reason},
    {"recursion", "RecursionError: maximum recursion depth exceeded", Reason,
     "The export exceeds Python's recursion limit"},
    {"vela-failed", "Vela compilation failed", Reason, "Vela cannot compile the delegate"},
};

constexpr std::string_view trainingOps =
    "op=*dropout*|*bernoulli*|*rrelu*|*native_batch_norm*|*_batch_norm_with_update*|*_native_batch_norm_"
    "legit_functional*";

constexpr Cause exportCauseRows[] = {
    {"missing-out", Likely, "ops=*quantized_decomposed* seen=aot-library",
     "The library of quantized operators cannot be loaded (the load error is only logged at INFO level), so "
     "its out variants are not registered; it becomes visible because a quantize/dequantize pair stays "
     "outside of "
     "the delegate.",
     "the log says that loading {library} failed",
     "Load the library by hand (torch.ops.load_library) to see the true error, or use an installation in "
     "which it loads; or leave no quantize/dequantize node outside of the delegate."},
    {"missing-out", Likely, "ops=*quantized_decomposed*",
     "The model was quantized (PT2E) but not lowered to a delegate that consumes its quantize and dequantize "
     "nodes, and the library with their out variants was not imported.",
     "{ops}",
     "Lower with the partitioner that belongs to the quantizer; or import executorch.kernels.quantized "
     "before to_executorch(), and link quantized_ops_lib on the device."},
    {"missing-out", Possible, "ops=*quantized_decomposed* !seen=aot-library",
     "The library of quantized operators failed to load in this installation; the error is logged at INFO "
     "level only.",
     "", "Load libquantized_ops_aot_lib by hand (torch.ops.load_library) to see the true error."},
    {"missing-out", Likely, "ops=*llama*|*preprocess*",
     "The library of custom operators for language models is not loaded.", "{ops}",
     "Import executorch.extension.llm.custom_ops before exporting, from the same installation."},
    {"missing-out", Likely, "!ops=*quantized_decomposed*|*llama*|*preprocess*",
     "The operators have no out variant: they are not core ATen operators (a custom operator, a view, or one "
     "that should have been decomposed).",
     "{ops}",
     "Register an out variant for a custom operator (a .out overload in the library); for others decompose "
     "or replace the operator, or update, because later releases convert more operators."},
    {"aot-library", Likely, "",
     "The library was built for another version of PyTorch or is not part of this installation.", "",
     "Load it by hand (torch.ops.load_library) to see the true error, and reinstall matching versions of "
     "torch and executorch."},
    {"not-canonical", Likely, trainingOps,
     "The model was exported in training mode: {op} (dropout, stochastic depth, batch statistics) exists "
     "only there.",
     "{op} is an operator of training mode",
     "Call model.eval() before torch.export.export() and export again."},
    {"not-canonical", Likely, "op=*rand*|*normal*|*multinomial*|*uniform*",
     "The model generates random numbers.", "", "Pass the noise as an input of the model."},
    {"not-canonical", Likely,
     "!op=*dropout*|*bernoulli*|*rrelu*|*native_batch_norm*|*_batch_norm_with_update*|*rand*|*normal*|*"
     "multinomial*|*uniform*",
     "The operator has no decomposition into core ATen operators in this version, or decompositions were not "
     "run.",
     "",
     "Run run_decompositions() (to_edge does), replace the operator in the model, or, if a kernel exists, "
     "name it in EdgeCompileConfig(_core_aten_ops_exception_list=[…])."},
    {"not-delegated", Likely, "",
     "The partitioner kept the operator from being decomposed and then did not take it, often because its "
     "quantization is not supported.",
     "", "Change the quantization of this operator, or use a partitioner that supports it; update."},
    {"schema-file", Likely, "",
     "ExecuTorch runs from a source tree or an incomplete installation, in which the schema files are not "
     "next to exir/_serialize.",
     "",
     "Install the package (pip install executorch, or ./install_executorch.sh), and do not run Python in the "
     "folder of the source tree; or copy schema/*.fbs to exir/_serialize."},
    {"flatc", Likely, "", "flatc is not installed or not on PATH; ExecuTorch uses it to write programs.", "",
     "Install the ExecuTorch package, which contains flatc, or set FLATC_EXECUTABLE to a flatc."},
    {"no-custom-op", Likely, "namespace=llama|preprocess",
     "The library of custom operators for language models was not built in this installation, or not loaded; "
     "built by hand, it registers its kernels outside of the registry of the Python runtime.",
     "",
     "Build the Python preset, which enables the LLM kernels for AOT together with the bindings, or "
     "reinstall, so that libcustom_ops_aot_lib and _portable_lib come from the same build."},
    {"no-custom-op", Likely, "namespace!=llama|preprocess",
     "The library that registers {namespace}::{op} is not imported.", "",
     "Import it (torch.ops.load_library) before exporting."},
    {"conv-parameters", Likely, "",
     "The convolution is followed by an activation (a clamp) that cannot be fused, because its zero point "
     "differs from the lower bound; the parameters are then on the activation, and the pass looks for them "
     "on the "
     "convolution.",
     "[[pass {pass}; ]]node {node}",
     "Use a release in which the pass also looks at the activation after the convolution; until then use "
     "another activation or symmetric range, or leave this part unquantized."},
    {"conv-parameters", Possible, "", "The node was not annotated by the quantizer.", "",
     "Quantize with the quantizer of the Arm backend, and include this operator."},
    {"data-dependent", Likely, "",
     "The model branches or sizes a tensor by values of tensors (item(), nonzero, a mask).", "",
     "State the range with torch._check(), rewrite the branch with torch.where or torch.cond, or make the "
     "value an input."},
    {"constraint", Likely, "",
     "The model restricts a dimension that dynamic_shapes declares as free: a view, a comparison or an equal "
     "dimension.",
     "", "Follow the suggested fixes in the message (min, max, Dim.AUTO, or a static dimension)."},
    {"specialized", Likely, "",
     "The model uses the size as a Python number, or the example has size 1 or 0 in this dimension.", "",
     "Use an example size of at least 2, and tensor operations on sizes; Dim.AUTO shows which dimension "
     "specializes."},
    {"unsupported-python", Likely, "", "The model contains Python that Dynamo cannot trace.", "",
     "Export with strict=False, or rewrite the statement that the message shows."},
    {"upper-bound", Likely, "", "dynamic_shapes was given without max, or the size depends on data.", "",
     "Give each torch.export.Dim a max, use ConstraintBasedSymShapeEvalPass, or state the bound with "
     "torch._check()."},
    {"mutated-constant", Likely, "", "A tensor attribute is assigned in forward().", "",
     "Register it as a buffer and update it in place (copy_)."},
    {"spec-violation", Possible, "", "An operator or dtype is not allowed in the dialect.", "",
     "Read the line with the operator; for operators outside of core ATen decompose or replace them."},
    {"old-export", Certain, "", "The function was removed in PyTorch 2.6 and later.", "",
     "Use torch.export.export(model, args).module() before prepare_pt2e."},
    {"import-failed", Likely, "module=executorch*",
     "The package is not installed completely, or the folder of the source tree hides it.", "",
     "Run outside of the source tree, or install with ./install_executorch.sh; check pip show executorch."},
    {"import-failed", Likely, "module!=executorch*", "A dependency is not installed.", "",
     "Install {module} in this environment."},
    {"torch-mismatch", Certain, "", "The versions of torch and executorch do not match.", "",
     "Install the version of torch that this executorch release names."},
    {"recursion", Likely, "", "The graph is very deep.", "",
     "Call sys.setrecursionlimit() with a larger number before exporting."},
    {"vela-failed", Likely, "",
     "An operator or tensor of the delegate is not supported by the Ethos-U target or its memory mode.", "",
     "Look at Vela's messages before; check the target and system configuration."},
};

}  // namespace

const std::span<const Message> exportMessages = exportRows;
const std::span<const Cause> exportCauses = exportCauseRows;

}  // namespace et::inspector::knowledge
