#include "inspector/explain/knowledge/tables.h"

namespace et::inspector::knowledge {
namespace {

// Usual causes of codes, for logs without a reason. Message "code" is never in a log.
constexpr Message codeRows[] = {
    {"code", "the code of a failure, without a reason", Detail, "{code.name} ({code})"},
};

constexpr Cause codeCauseRows[] = {
    {"code", Possible, "code=0x1",
     "A delegate cannot build or run its graph (XNNPACK rejects a node, QNN fails to create its context).",
     "[[delegates: {program.backends}]]",
     "Build with logging enabled and look at the lines before this one."},
    {"code", Possible, "code=0x1", "A length or index check of the runtime failed.", "",
     "Check the file with `et-inspect info MODEL`."},
    {"code", Possible, "code=0x2", "The method is not loaded, or its load failed before.", "",
     "Check the result of loading."},
    {"code", Possible, "code=0x2",
     "Outputs are memory planned, and the app supplies its own buffers (harmless), or external weights were "
     "not given.",
     "", "Ignore it, or pass the .ptd file."},
    {"code", Possible, "code=0x10",
     "An input has another shape than at export, and the dimension is not dynamic.",
     "[[inputs of the program: {program.inputs}]]",
     "Pass inputs of the exported shape, or export with dynamic_shapes."},
    {"code", Possible, "code=0x10", "Memory cannot be locked (mlock).", "", "Load with plain mmap."},
    {"code", Possible, "code=0x11",
     "The delegate has a node or quantization that this version does not know.",
     "[[delegates: {program.backends}]]", "Export and build the runtime from the same release."},
    {"code", Possible, "code=0x12", "An input has another dtype, count or kind than the method expects.",
     "[[inputs of the program: {program.inputs}]]", "Pass inputs as `et-inspect info MODEL` lists them."},
    {"code", Possible, "code=0x12",
     "A kernel rejects its arguments, the file is cut off, or the method name does not exist.",
     "[[methods of the program: {program.methods}]]",
     "Build with logging enabled and look for 'Check failed'."},
    {"code", Possible, "code=0x13", "A value is accessed as another kind than it is.", "",
     "Check the kinds of inputs and outputs with `et-inspect info MODEL`."},
    {"code", Possible, "code=0x14", "A kernel library is not linked, or the linker dropped its registration.",
     "[[operators of the program: {program.operators}]]",
     "Link the kernels with --whole-archive (Apple: -force_load); `et-inspect fit MODEL --runtime LIBRARY` "
     "lists what is missing."},
    {"code", Possible, "code=0x14",
     "The program contains an operator without a kernel (training mode, random numbers, custom operators).",
     "[[operators of the program: {program.operators}]]",
     "`et-inspect fit MODEL` lists the operators and the releases that have them."},
    {"code", Possible, "code=0x15", "Too many kernels are linked.", "",
     "Use a selective build, or a larger MAX_KERNEL_NUM."},
    {"code", Possible, "code=0x16", "Two kernel libraries or two copies of the runtime are in the process.",
     "", "Link one."},
    {"code", Possible, "code=0x20", "A backend of the program is not registered in this runtime.",
     "[[delegates of the program: {program.backends}]]",
     "Link the backend with --whole-archive (Apple: -force_load); build with logging enabled to see its "
     "name."},
    {"code", Possible, "code=0x20", "External weights are missing (.ptd), or a bundled output differs.",
     "[[the program expects {program.external}]]", "Pass the data file of this export."},
    {"code", Possible, "code=0x21", "A memory pool (method, planned, temporary) or the heap is too small.",
     "[[the program plans {program.pools}]]",
     "Size the pools from the program; `et-inspect fit MODEL` lists them."},
    {"code", Possible, "code=0x22", "The model file is not at the given path, or cannot be read by the app.",
     "", "Check the path and its permissions."},
    {"code", Possible, "code=0x22", "The file cannot be mapped, or ends early.", "",
     "Compare its size with the original."},
    {"code", Possible, "code=0x23",
     "The file is not a program (.pte), is damaged or cut off, or has another revision than the runtime.",
     "[[the given file {program.name} starts with {program.identifier}]]",
     "Check it with `et-inspect info MODEL`; compare size and checksum on the device."},
    {"code", Possible, "code=0x24", "The data file (.ptd) is damaged or belongs to another export.", "",
     "Copy it again."},
    {"code", Possible, "code=0x25", "A limit of the device or of a registry is reached.", "",
     "Build with logging enabled."},
    {"code", Possible, "code=0x30", "Export and runtime have different versions, or the payload is damaged.",
     "[[delegates of the program: {program.backends}]]",
     "Export and build the runtime from the same release."},
    {"code", Possible, "code=0x31", "The device's memory is exhausted.", "", "Use a smaller model."},
    {"code", Possible, "code=0x32", "The delegate failed to load earlier, and the error was ignored.", "",
     "Check the result of loading."},
};

}  // namespace

const std::span<const Message> codeMessages = codeRows;
const std::span<const Cause> codeCauses = codeCauseRows;

}  // namespace et::inspector::knowledge
