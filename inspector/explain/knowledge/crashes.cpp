#include "inspector/explain/knowledge/tables.h"

namespace et::inspector::knowledge {
namespace {

// Signals, exceptions and functions in stacks.
constexpr Message crashRows[] = {
    {"hard-fault", "HardFault", Crash, "The processor stopped with a HardFault"},
    {"hard-fault", "Hard fault", Crash},
    {"hard-fault", "UsageFault", Crash},
    {"hard-fault", "BusFault", Crash},
    {"hard-fault", "MemManage", Crash},
    {"hard-fault", "ZEPHYR FATAL ERROR", Crash},
    {"null-call", "PC=0x00000000", Detail, "A call of address 0"},
    {"null-call", "(INVSTATE)", Detail},
    {"stack-overflow", "Stack overflow", Crash, "The stack overflowed"},
    {"stack-overflow", "stack overflow", Crash},
    {"segfault", "SIGSEGV", Crash, "The process accessed invalid memory (SIGSEGV)"},
    {"segfault", "Segmentation fault", Crash},
    {"segfault", "EXC_BAD_ACCESS", Crash},
    {"segfault", "Fatal signal 11", Crash},
    {"bus-error", "SIGBUS", Crash, "The process accessed unaligned or unmapped memory (SIGBUS)"},
    {"bus-error", "Fatal signal 7", Crash},
    {"illegal-instruction", "SIGILL", Crash,
     "The processor met an instruction that it does not have (SIGILL)"},
    {"illegal-instruction", "Illegal instruction", Crash},
    {"illegal-instruction", "EXC_BAD_INSTRUCTION", Crash},
    {"illegal-instruction", "Fatal signal 4", Crash},
    // Follows from an assertion or an error of the application, which names more.
    {"abort", "Fatal signal 6", Outcome, "The process aborted (SIGABRT) without a known message before it"},
    {"abort", "SIGABRT", Outcome},
    {"abort", "Aborted (core dumped)", Outcome},
    {"abort", "terminating due to uncaught exception", Outcome},
    {"abort", "Terminating app due to uncaught exception", Outcome},
    {"sanitizer", "ERROR: AddressSanitizer: {kind:n}", Crash, "AddressSanitizer reports {kind}"},

    {"frame-sme", "kai_run_{function:n}", Detail, "A KleidiAI kernel in the stack"},
    {"frame-xnnpack", "xnn_run_operator", Detail, "XNNPACK in the stack"},
    {"frame-xnnpack", "compute_batch_inline_packed_igemm", Detail},
    {"frame-xnnpack", "xnn_invoke_runtime", Detail},
    {"frame-elementwise", "apply_unitensor_elementwise_fn", Detail, "An element-wise kernel in the stack"},
    {"frame-elementwise", "apply_bitensor_elementwise_fn", Detail},
    {"frame-elementwise", "apply_tritensor_elementwise_fn", Detail},
    {"frame-kernel", "executor::native::{kernel:n}", Detail, "A portable kernel in the stack"},
    {"frame-load", "executorch::runtime::Program::load", Detail, "Loading in the stack"},
    {"frame-load", "torch::executor::Program::load", Detail},
    {"frame-constructor", "_GLOBAL__sub_I_", Detail, "A static constructor in the stack"},

    {"runtime-error", " executorch:", Context, "A line of the runtime"},
    {"runtime-error", "E/ExecuTorch", Context},
    {"runtime-error", "E ExecuTorch: ", Context},
    {"runtime-error", "[executorch:", Context},
    {"runtime-error", ".cpp:{line:d}] ", Context},
    {"unknown-error", "Error: ", Context, "A line that reports an error"},
    {"unknown-error", "error: ", Context},
    {"unknown-error", "ERROR", Context},
    {"unknown-error", "Exception: ", Context},
    {"unknown-error", "FATAL", Context},
};

constexpr Cause crashCauseRows[] = {
    {"hard-fault", Likely, "seen=frame-elementwise",
     "The element-wise kernels call function pointers that are null: the linker script drops or does not "
     "initialize the .got section (or .init_array), which the C start-up code sets up.",
     "the stack ends in an element-wise kernel[[ ({kernel})]][[; the program runs {program.operators} on the "
     "CPU]]",
     "Place .got and .init_array in a loaded section of the linker script, for example inside .data, and run "
     "the static constructors before main().",
     "seen=null-call seen=frame-elementwise"},
    {"hard-fault", Likely, "seen=null-call !seen=frame-elementwise",
     "A null function pointer is called: static constructors did not run, or the linker script drops .got or "
     ".init_array.",
     "PC is 0",
     "Place .got and .init_array in a loaded section of the linker script, and run the static constructors "
     "before main()."},
    {"hard-fault", Possible, "", "The stack of the task is too small.",
     "[[planned memory of the program: {program.pools}]]",
     "Enlarge it; `et-inspect fit MODEL --measure` shows the stack that the kernels need."},
    {"hard-fault", Possible, "",
     "The program or a memory pool is not aligned to 16 bytes, or lies in a region that is not accessible.",
     "", "Align arrays with alignas(16), and check the linker map and MPU."},
    {"stack-overflow", Likely, "", "The stack of the task is too small for the kernels.", "",
     "Enlarge it; `et-inspect fit MODEL --measure` shows the stack that the kernels need."},
    {"segfault", Likely, "seen=frame-sme",
     "The SME kernels of KleidiAI inside XNNPACK read corrupted data in quantized convolutions with groups; "
     "float models and builds without SME are not affected.",
     "the stack ends in {function}[[; delegates: {program.backends}]]",
     "Build with XNNPACK_ENABLE_ARM_SME2=OFF (and SME off), until the XNNPACK in use contains a fix."},
    {"segfault", Likely, "seen=frame-load",
     "The file was changed, deleted or unmapped while in use, or its buffer was freed before the program.",
     "",
     "Keep the data loader and its buffer alive as long as the program; check the file with `et-inspect info "
     "MODEL`."},
    {"segfault", Possible, "seen=frame-xnnpack",
     "A kernel of XNNPACK read outside of its buffers: inputs are smaller than declared, or freed while in "
     "use; or the version has a defect on this processor.",
     "[[delegates: {program.backends}]]",
     "Keep input memory alive until execute() returns; compare with another XNNPACK version, and reproduce "
     "with `et-inspect run MODEL`."},
    {"segfault", Possible, "seen=frame-kernel", "The kernel {kernel} read or wrote outside of a tensor.",
     "[[{program.operators}]]",
     "Reproduce it with `et-inspect run MODEL`, which checks the arguments of kernels."},
    {"segfault", Possible, "",
     "An input or output has no memory, or its memory was freed before execute() returned.",
     "[[inputs of the program: {program.inputs}]]",
     "Set the data of all inputs and unplanned outputs, and keep it alive."},
    {"segfault", Possible, "!seen=frame-sme",
     "An earlier error was ignored, so an object was used that was not loaded.", "",
     "Check the results of all calls, and build with logging enabled."},
    {"bus-error", Likely, "",
     "The mapped file was truncated or replaced while in use, or memory is unaligned.", "",
     "Write a new file and rename it instead of overwriting the file that is open."},
    {"illegal-instruction", Likely, "",
     "The library was compiled for a newer processor (dot product, i8mm, SME, AVX512) than this one or its "
     "emulator.",
     "", "Compile for the device's architecture; on emulators without these instructions use another image."},
    {"abort", Possible, "", "An assertion failed; its message goes to a log that was not captured.", "",
     "Capture the whole log (adb logcat without filters, stderr), with logging enabled in the build."},
    {"sanitizer", Possible, "",
     "Memory is accessed outside of its bounds or after it was freed; the report names function and line.",
     "", "Look at the first frame of the report that is in your code or a kernel."},
};

}  // namespace

const std::span<const Message> crashMessages = crashRows;
const std::span<const Cause> crashCauses = crashCauseRows;

}  // namespace et::inspector::knowledge
