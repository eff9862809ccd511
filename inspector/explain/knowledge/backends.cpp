#include "inspector/explain/knowledge/tables.h"

namespace et::inspector::knowledge {
namespace {

// Registration of backends, and the messages of all backends except XNNPACK.
constexpr Message backendRows[] = {
    {"no-backend", "Backend {backend:n} is not registered", Reason,
     "The program needs backend {backend}, and this runtime does not contain it", 0x20},
    {"backend-unavailable", "Backend {backend:n} is not available", Reason,
     "Backend {backend} is built in and reports that it cannot run here", 0x20},

    {"coreml-init", "CoreMLBackend: Failed to init the model", Reason,
     "Core ML cannot load the model of a delegate", 0x23},
    {"coreml-init", "[Core ML] Model init failed", Reason},
    {"coreml-init", "[Core ML] Failed to load model", Reason},
    {"coreml-run", "CoreMLBackend: Failed to run the model", Reason,
     "Core ML cannot run the model of a delegate", 0x1},
    {"coreml-cache", "was not found in the models cache", Harmless,
     "Not a failure: Core ML compiles the model at its first load and caches it"},
    {"coreml-selector", "[MLModel {selector}]: unrecognized selector sent to class", Reason,
     "The system's Core ML lacks a function that the delegate calls: {selector}"},
    {"coreml-key", "Failed to load model data from NamedDataStore with key: {key:w}", Reason,
     "The Core ML model of a delegate ({key}) is not in the program"},
    {"coreml-type", "is not supported\", CoreML", Detail, "A dtype is not supported by Core ML"},

    {"vulkan-shader", "Could not find ShaderInfo with name {shader:n}", Reason,
     "The Vulkan backend has no shader {shader}"},
    {"vulkan-rank", "(sizes_.size() <= 4) is false", Reason,
     "A tensor in a Vulkan delegate has more than four dimensions"},
    {"vulkan-uniform", "Uniform data allocation has exceeded Tensor uniform buffer size", Reason,
     "The Vulkan backend runs out of space for the metadata of a tensor"},
    {"vulkan-uniform", "exceeded tensor uniform buffer size", Reason},
    {"vulkan-memory", "VK_ERROR_OUT_OF_DEVICE_MEMORY", Reason, "The GPU has no memory left"},
    {"vulkan-lost", "VK_ERROR_DEVICE_LOST", Reason, "The GPU stopped responding (device lost)"},
    {"vulkan-identifier", "Vulkan Delegate Serialization Format version identifier '{actual}' != expected",
     Reason, "The Vulkan payload has format {actual}, which this runtime does not read", 0x30},
    {"vulkan-payload", "VulkanDelegateHeader may be corrupt", Reason,
     "The payload of a Vulkan delegate is damaged", 0x30},
    {"vulkan-payload", "VkGraph FlatBuffer verification failed", Reason},
    {"vulkan-resize", "Cannot resize input tensor: old ndim", Reason,
     "An input of a Vulkan delegate has another rank than at export"},
    {"vulkan-numel", "Vulkan tensor numel {have:d} does not match ET tensor numel {need:d}", Reason,
     "Tensor sizes of a Vulkan delegate and of the program differ"},
    {"vulkan-operator", "Could not find operator with name {op:w}", Reason,
     "The Vulkan backend of this runtime has no operator {op}"},
    {"vulkan-none", "Could not find a suitable physical device", Reason, "There is no usable Vulkan device"},
    {"vulkan-none", "No Vulkan-compatible physical devices", Reason},
    {"vulkan-none", "VK_ERROR_INCOMPATIBLE_DRIVER", Reason},
    {"vulkan-exception", "Exception raised from {function:n} at {file}: ", General,
     "The Vulkan backend stopped with an exception in {function}"},

    {"qnn-arch", "Unsupported HTP arch {arch:d} from device custom config", Reason,
     "The program was compiled for HTP architecture v{arch}, which this device does not support", 0x1},
    {"qnn-arch", "Request feature arch with value {arch:d} unsupported", Reason},
    {"qnn-arch", "Request feature vtcm size with value {vtcm:d} unsupported", Reason},
    {"qnn-soc", "Get soc info for soc model {soc:d}", Detail, "Chipset that the program was compiled for"},
    {"qnn-stub", "Stub lib id mismatch: expected ({expectedVersion}), detected ({actualVersion})", Reason,
     "Libraries of two QNN versions are on the device: {expectedVersion} and {actualVersion}", 0x1},
    {"qnn-skel", "Failed to load skel, error: {number:d}", Reason,
     "The QNN library for the DSP (skel) cannot be loaded", 0x1},
    {"qnn-skel", "Failed to create transport for device, error: {number:d}", Reason},
    {"qnn-context", "Failed to create context from binary with err {status:x}", Reason,
     "QNN rejects the compiled context of the delegate", 0x1},
    {"qnn-context", "Can't create context from binary. Error {number:d}", Reason},
    {"qnn-magic", "QnnContextCustomProtocol expected magic number: {expected:x} but get: {actual:x}",
     Harmless, "The QNN payload has the older layout; the backend falls back to it"},
    {"qnn-library", "Cannot Open QNN library {library:w}, with error: {reason}", Reason,
     "The QNN library {library} cannot be opened: {reason}", 0x1},
    {"qnn-configure", "Fail to configure Qnn {object:n}", General, "QNN rejects the settings of its {object}",
     0x1},
    {"qnn-configure", "Fail to initialize Qnn Manager", General},
    {"qnn-configure", "Fail to load Qnn library", General},
    {"qnn-execute", "Fail to execute graph", Reason, "QNN cannot run the delegate", 0x1},
    {"qnn-validate", "Failed to validate op {op}", Reason, "QNN rejects operator {op} while lowering"},

    {"ethos-scratch", "Failed to allocate scratch buffer of {scratch:d} bytes from temp_allocator", Reason,
     "The Ethos-U delegate finds no {scratch} bytes of temporary memory", 0x21},
    {"ethos-invoke", "Ethos-U invocation failed error ({number:d})", Reason,
     "The Ethos-U driver failed with error {number}", 0x1},
    {"ethos-payload", "Malformed vela_bin_stream found", Reason,
     "The payload of an Ethos-U delegate is damaged or not aligned", 0x23},
    {"ethos-payload", "Incorrect header in vela_bin_stream", Reason},
    {"ethos-payload", "Incorrect footer in vela_bin_stream", Reason},
    {"ethos-payload", "Vela bin ptr not aligned to 16 bytes", Reason},
    {"ethos-sizes", "Total output tensor sizes do not match", Reason,
     "Tensor sizes of an Ethos-U delegate and of the program differ", 0x1},
    {"ethos-sizes", "Input tensor sizes do not match", Reason},
    {"ethos-sizes", "Program expects {need:d} elements but got {have:d}", Reason},
    {"ethos-sizes", "Program expects {need:d} bytes but got {have:d}", Reason},
    {"ethos-input",
     "Input {input:d} expected Integer (4 byte), Char (1 byte) or Bool (1 byte) integer inputs, got "
     "ScalarType id {actualId:d}",
     Reason, "Input {input} of an Ethos-U delegate is {actual} instead of an integer type", 0x12},
    {"ethos-config", "Failed to parse product config from command stream", Reason,
     "The Ethos-U delegate was compiled for another NPU", 0x1},
    {"ethos-driver", "ethosu_reserve_driver", Reason, "No Ethos-U driver is available"},
    {"ethos-driver", "Failed to initalize NPU", Reason},
    {"ethos-driver", "NPU config mismatch", Reason},

    {"mps-device", "_mtl_device != nil", Reason, "There is no Metal device for the MPS backend"},
    {"mps-device", "Missing Metal support for MTLGPUFamilyMac2", Reason},
    {"mps-identifier", "MPS Delegate Serialization Format version identifier '{actual}' != expected", Reason,
     "The MPS payload has format {actual}, which this runtime does not read", 0x30},
    {"mps-identifier", "MPSDelegateHeader version mismatch", Reason},
    {"mps-init", "Failed to initialize the MPS delegate", General,
     "The MPS backend cannot build its part of the program"},
    {"mps-version", "is supported starting with macOS {version:w}", Reason,
     "The system is too old for an operation of the MPS backend"},
    {"mps-version", "not supported on iOS <", Reason},

    {"vgf-driver", "Vulkan driver does not support ARM tensor extensions (VK_ARM_tensors)", Reason,
     "The Vulkan driver lacks Arm's tensor extensions"},
    {"vgf-driver", "VGF backend is unavailable because Vulkan initialization failed", Reason},
    {"neuron-runtime", "NeuronAdapter", Detail, "MediaTek's Neuron runtime"},
    {"neuron-runtime", "Failed to load libneuron", Reason, "MediaTek's Neuron runtime cannot be loaded"},
    {"mlx-metal", "Failed to load the default metallib", Reason,
     "MLX does not find its Metal kernels (metallib)"},
    {"cuda-driver", "CUDA driver version is insufficient for CUDA runtime version", Reason,
     "The CUDA driver is older than the CUDA runtime of the delegate"},
    {"cuda-driver", "no kernel image is available for execution on the device", Reason},
};

constexpr Cause backendCauseRows[] = {
    {"no-backend", Certain, "program.backend=no",
     "The device runs another file: the given program has no delegate for {backend}.",
     "delegates of {program.name}: {program.backends}",
     "Replace the file on the device, or explain the log with the program that ran."},
    {"backend-unavailable", Likely, "backend=XnnpackBackend",
     "XNNPACK could not start in this process: the processor is not recognized (cpuinfo cannot read /proc or "
     "/sys in "
     "the container or emulator), lacks instructions, or memory ran out.",
     "[[the program has {program.backends}]]",
     "Look for the XNNPACK status before this line; run on supported hardware, give the container access to "
     "/sys and /proc/cpuinfo, "
     "or export without XNNPACK."},
    {"backend-unavailable", Likely, "backend!=XnnpackBackend",
     "A driver, library or device that {backend} needs is missing, or the operating system is not supported.",
     "[[the program has {program.backends}]]",
     "Install the vendor's libraries for this device and check their path; otherwise export for another "
     "backend."},
    {"no-backend", Likely,
     "backend=EthosUBackend|NeuropilotBackend|NeuronBackend|VgfBackend|OpenvinoBackend|CudaBackend|"
     "NXPBackend|NeutronBackend !program.backend=no",
     "{backend} runs on its own hardware only, and this runtime was built without it: the program was "
     "compiled for another device.",
     "the program has {program.backends}",
     "Run the program with the runner of that device, or build the runtime with this backend; to test here, "
     "export for XNNPACK or without a delegate (et-inspect can emulate the delegate with an ETRecord).",
     "program.backend=yes"},
    {"no-backend", Likely, "backend=XnnpackBackend !seen=on-apple !program.backend=no",
     "The program contains delegates for XnnpackBackend, and this binary was built without the XNNPACK "
     "backend, or the linker dropped its registration.",
     "the program has {program.backends} || [[loading method {method} stops at its first delegate]]",
     "Configure with EXECUTORCH_BUILD_XNNPACK=ON and link xnnpack_backend from the same build as the "
     "runtime; a static library needs --whole-archive (Apple: -force_load). In Python, install a package "
     "with XNNPACK.",
     "program.backend=yes"},
    {"no-backend", Likely, "backend=VulkanBackend !program.backend=no",
     "vulkan_backend is not linked into this binary, or the linker dropped its registration object because "
     "nothing refers to it.",
     "the program has {program.backends}",
     "Configure with EXECUTORCH_BUILD_VULKAN=ON and link libvulkan_backend.a between --whole-archive and "
     "--no-whole-archive (as vulkan_executor_runner does).",
     "program.backend=yes"},
    {"no-backend", Likely, "seen=on-apple !program.backend=no",
     "The static library of {backend} is in the project, but the Apple linker dropped its registration "
     "object, so the backend (not the method) is missing.",
     "the program has {program.backends}",
     "Add -force_load for the libraries of the backend and the kernels (or -all_load) to Other Linker Flags; "
     "build with logging to see which backend is absent.",
     "program.backend=yes"},
    {"no-backend", Likely, "backend=QnnBackend !program.backend=no",
     "The QNN backend is not linked or loaded: its library (qnn_executorch_backend) is not part of this "
     "binary or app.",
     "the program has {program.backends}",
     "Build with EXECUTORCH_BUILD_QNN=ON and ship libqnn_executorch_backend.so with the QNN libraries.",
     "program.backend=yes"},
    {"no-backend", Likely, "backend=CoreMLBackend|MPSBackend|MLXBackend !program.backend=no",
     "{backend} is not linked, or its registration was dropped; it exists on Apple systems only.",
     "the program has {program.backends}",
     "On Apple systems link the backend's library with -force_load, and in Python install the macOS package; "
     "elsewhere export for another backend.",
     "program.backend=yes"},
    {"no-backend", Likely,
     "backend!=XnnpackBackend|VulkanBackend|QnnBackend|CoreMLBackend|MPSBackend|MLXBackend|EthosUBackend|"
     "NeuropilotBackend|NeuronBackend|VgfBackend|OpenvinoBackend|CudaBackend|NXPBackend|NeutronBackend "
     "!program.backend=no",
     "{backend} is not built into this runtime, or the linker dropped its registration.",
     "the program has {program.backends}",
     "Build the runtime with this backend, and link its library with --whole-archive.",
     "program.backend=yes"},
    {"no-backend", Likely, "backend!=VulkanBackend !seen=on-apple !program.backend=no",
     "The library of {backend} is on the link line, but nothing refers to it, so the linker left out its "
     "registration object.",
     "",
     "Link it with --whole-archive (Apple: -force_load; CMake: "
     "target_link_options_shared_lib(xnnpack_backend))."},
    {"no-backend", Possible, "!program.backend=no",
     "Two copies of the runtime are in the process: the backend registered with the other one.", "",
     "Link the runtime once; build backend and runtime from one tree."},

    {"coreml-init", Likely, "",
     "Core ML rejects the embedded model: the system is too old for it (deployment target at export), or it "
     "contains an operator or dtype that Core ML does not support (such as an integer matrix product).",
     "[[delegates: {program.backends}]]",
     "Export with the minimum_deployment_target of the oldest system that must run it, load the extracted "
     "mlpackage alone to see Core ML's own error, and convert integer operators to float or leave them "
     "outside of the delegate."},
    {"coreml-init", Possible, "",
     "The cache of compiled models is damaged, its folder is not writable, or the disk is full.", "",
     "Delete the app's Core ML cache and check free space."},
    {"coreml-run", Likely, "",
     "An input has another shape, rank or dtype than the Core ML model accepts: scalar inputs become rank 1 "
     "in Core ML, and dynamic sizes exceed the exported ones.",
     "[[inputs of the program: {program.inputs}]]",
     "Pass inputs of the exported shape and dtype; skip dim-order operators at export "
     "(EdgeCompileConfig(_skip_dim_order=True)), and use enumerated shapes for sizes that vary."},
    {"coreml-run", Possible, "", "Memory for the Neural Engine is exhausted, or it rejects an operator.", "",
     "Try compute_unit CPU_ONLY or CPU_AND_GPU to find the unit that fails."},
    {"coreml-cache", Certain, "", "The first load of a model compiles it; later loads use the cache.", "",
     "Ignore the message."},
    {"coreml-selector", Likely, "",
     "The system is older than the delegate requires: it compiles the embedded model with an asynchronous "
     "Core ML call that exists since iOS 16 and macOS 13.",
     "{selector} is missing[[; delegates: {program.backends}]]",
     "Raise the deployment target to iOS 16 (macOS 13), or use a version of the delegate with a fallback for "
     "older systems."},
    {"coreml-key", Likely, "",
     "The program is cut off, or its named data were stored in a .ptd file that was not given.", "",
     "Pass the .ptd file; compare the file size."},

    {"vulkan-shader", Likely, "shader=*convert*|*_int32*|*uint8*|*int8*|*bool*|*half*|*int*",
     "The partitioner delegated an operator with a combination of dtypes or storage for which no shader "
     "variant is compiled in; a delegate cannot fall back to the CPU.",
     "shader {shader} (operator, storage and dtypes)[[; delegates: {program.backends}]]",
     "Use a release that generates this variant, or keep the operator outside of the delegate (convert the "
     "dtype before it, or lower this part to XNNPACK or portable kernels)."},
    {"vulkan-shader", Likely, "!shader=*convert*|*_int32*|*uint8*|*int8*|*bool*|*half*|*int*",
     "The partitioner delegated an operator whose shader {shader} is not compiled into this runtime: export "
     "and runtime are of different versions.",
     "[[delegates: {program.backends}]]",
     "Build the runtime from the release that exported the program, or keep the operator outside of the "
     "delegate."},
    {"vulkan-rank", Certain, "",
     "The delegated part contains tensors of more than four dimensions (window partition of Swin-like "
     "models, attention with 5-D views); the Vulkan storage supports four.",
     "[[{program.manyDimensions}]]",
     "Rewrite the model so that no 5-D or 6-D tensor occurs in the delegated part, or leave those operators "
     "to another backend."},
    {"vulkan-uniform", Likely, "",
     "The backend reserves too little space for the metadata of a tensor: a defect of some runtimes around "
     "1.1.",
     "", "Update the runtime and export again, or delegate fewer operators."},
    {"vulkan-memory", Likely, "", "Weights and intermediate tensors of the delegate exceed the GPU's memory.",
     "[[the given file has {program.bytes} bytes]]",
     "Use a smaller or quantized model, or half precision (force_fp16)."},
    {"vulkan-lost", Likely, "",
     "The GPU ran out of memory or hung: inputs are large, or a shader is defective or too slow on this GPU "
     "(watchdog).",
     "[[inputs of the program: {program.inputs}]]",
     "Try smaller inputs, update the runtime and the GPU driver, and compare with another GPU to separate "
     "driver from model."},
    {"vulkan-identifier", Certain, "", "The program was exported with another version than the runtime.",
     "format {actual}", "Export and build the runtime from the same release."},
    {"vulkan-payload", Likely, "", "The file is damaged or cut off.", "",
     "Copy the file again and compare its size and checksum."},
    {"vulkan-resize", Likely, "", "An input has another rank than at export.",
     "[[inputs of the program: {program.inputs}]]", "Pass inputs of the exported rank."},
    {"vulkan-numel", Likely, "",
     "An input has another shape than at export, and the delegate was exported without dynamic shapes.",
     "[[inputs of the program: {program.inputs}]]",
     "Pass inputs of the exported shape, or export with dynamic_shapes."},
    {"vulkan-operator", Likely, "",
     "The program was exported with a newer version, whose partitioner delegates {op}.", "",
     "Build the runtime from the same release as the export."},
    {"vulkan-none", Likely, "", "The device or emulator has no Vulkan driver, or one that is too old.", "",
     "Run on a device with Vulkan 1.1, install a software driver (SwiftShader) for tests, or export for "
     "another backend."},
    {"vulkan-exception", Possible, "",
     "An operator of the delegate has arguments, shapes or dtypes that the Vulkan backend does not support.",
     "in {function}[[; delegates: {program.backends}]]",
     "Update the runtime, or keep this operator outside of the delegate."},

    {"qnn-arch", Likely, "",
     "The program was compiled for another chipset than the one of this device[[: soc model {soc}]][[, HTP "
     "v{arch}]].",
     "[[compile specs: {program.specs}]]",
     "Export for the device's own chipset (soc_model of the QNN compile spec), and check which file the app "
     "really contains."},
    {"qnn-stub", Certain, "",
     "libQnnHtpV*Stub.so and libQnnHtp.so come from different QNN versions, often because the system has its "
     "own copy.",
     "expected {expectedVersion}, detected {actualVersion}",
     "Push all QNN libraries from one SDK to one folder, and set LD_LIBRARY_PATH and ADSP_LIBRARY_PATH to "
     "it."},
    {"qnn-skel", Likely, "",
     "The DSP does not find or accept its library: ADSP_LIBRARY_PATH is wrong (its folders are separated by "
     "semicolons, not colons), the skel library has another HTP version, or the app has no "
     "permission.",
     "",
     "Push libQnnHtpV*Skel.so that fits the device's HTP version and set ADSP_LIBRARY_PATH to that one "
     "folder; an app declares uses-native-library libcdsprpc.so in its "
     "manifest."},
    {"qnn-context", Likely, "",
     "The context was compiled with a newer QNN SDK than the libraries on the device, or for another "
     "chipset.",
     "[[compile specs: {program.specs}]]",
     "Export with the SDK version of the device's libraries (or push the newer libraries), and for the "
     "device's chipset."},
    {"qnn-context", Possible, "",
     "The DSP has too little memory for the context, or too many contexts are open.", "",
     "Shard the model (num_sharding), or close other users of the DSP."},
    {"qnn-magic", Likely, "",
     "The payload was written by an older export, without this header; mostly only a notice.", "",
     "Ignore it if loading succeeds; otherwise export with the version of the runtime."},
    {"qnn-library", Likely, "reason=*libc++*",
     "The QNN library needs libc++ (and libc++abi), which is not on the library path of this machine.",
     "{reason}",
     "Install libc++ and libc++abi (system package or conda libcxx), and add their folder to "
     "LD_LIBRARY_PATH.",
     "reason=*libc++*"},
    {"qnn-library", Likely, "!reason=*libc++*",
     "The QNN library is not on the library path, or is built for another architecture.", "{reason}",
     "Set QNN_SDK_ROOT and add its lib folder for this machine to LD_LIBRARY_PATH (device: push the "
     "libraries next to the runner)."},
    {"qnn-configure", Likely, "",
     "The program was compiled for another chipset or with another QNN SDK than this device has.",
     "[[compile specs: {program.specs}]]",
     "Export for the device's chipset, and use QNN libraries of the SDK version of the export; look at the "
     "<E> lines of QNN before this one."},
    {"qnn-execute", Likely, "",
     "The DSP rejected the execution: a timeout, a restart of the DSP, or inputs of a wrong size.", "",
     "Look at the <E> lines of QNN; check power settings and inputs."},
    {"qnn-validate", Likely, "", "QNN does not support the operator with this dtype, rank or quantization.",
     "", "Leave it to the CPU (skip_node_op_set), or change its quantization."},

    {"ethos-scratch", Likely, "",
     "The temporary pool is smaller than the scratch buffer that Vela planned for the delegate.",
     "{scratch} bytes are needed[[; delegates: {program.backends}]]",
     "Enlarge the temporary allocator pool (ET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE) to more than "
     "{scratch} bytes, or compile with a memory mode or smaller input that needs less.",
     "scratch=*"},
    {"ethos-invoke", Likely, "",
     "The command stream was compiled for another Ethos-U configuration (type, MACs, memory mode) than the "
     "hardware or simulator has.",
     "[[compile specs: {program.specs}]]",
     "Compile with the target of the hardware (for example ethos-u55-128), and check timing adapter and "
     "memory regions."},
    {"ethos-payload", Likely, "",
     "The file is cut off, was compiled with another version than the runtime, or is not aligned to 16 bytes "
     "in memory.",
     "", "Align the array with the program to 16 bytes, and compare it with the file."},
    {"ethos-sizes", Possible, "",
     "The input has another shape than at export; Ethos-U delegates have fixed shapes.",
     "[[inputs of the program: {program.inputs}]]", "Pass inputs of the exported shape."},
    {"ethos-sizes", Likely, "",
     "The compiler (Vela) laid out inputs and outputs in other shapes than the program states: its version "
     "differs from the one that the backend expects.",
     "",
     "Install the Vela version that this ExecuTorch release names (examples/arm/setup.sh), and export "
     "again."},
    {"ethos-input", Likely, "",
     "The model is not quantized at its inputs, so a float tensor reaches the delegate.",
     "[[inputs of the program: {program.inputs}]]",
     "Quantize the model (PT2E with EthosUQuantizer) before lowering, with inputs quantized as well."},
    {"ethos-config", Likely, "", "The program was compiled for another Ethos-U configuration.",
     "[[compile specs: {program.specs}]]", "Compile for the NPU of this board."},
    {"ethos-driver", Likely, "",
     "The NPU driver is not initialized, or its configuration differs from the one the program was compiled "
     "for.",
     "[[compile specs: {program.specs}]]",
     "Call ethosu_init() before loading, and compile for the NPU of this board."},

    {"mps-device", Likely, "",
     "The machine offers no usable Metal device: a Mac without Apple silicon, a virtual machine, or a remote "
     "login without access to the GPU.",
     "[[delegates: {program.backends}]]",
     "Run on a Mac with Apple silicon and the macOS and Xcode versions that the backend requires, in a local "
     "session; otherwise export for another backend."},
    {"mps-identifier", Certain, "", "The program was exported with another version than the runtime.", "",
     "Export and build the runtime from the same release."},
    {"mps-init", Likely, "",
     "The MPS graph could not be built: a dtype or operator that this system does not support, or a payload "
     "of another version.",
     "", "Look at the lines before; update the system and the runtime."},
    {"mps-version", Likely, "", "The system is older than the operation requires.", "",
     "Update the system, or export without this operator in the MPS delegate."},
    {"vgf-driver", Likely, "", "The Vulkan driver or emulation layer (ML SDK for Vulkan) is missing.", "",
     "Enable Arm's emulation layers (VK_INSTANCE_LAYERS), or use a driver with VK_ARM_tensors."},
    {"neuron-runtime", Likely, "",
     "The device has no MediaTek NPU, or the vendor library is not accessible to the app.", "",
     "Run on a supported chipset and push libneuron_backend.so and its adapter."},
    {"mlx-metal", Likely, "", "mlx.metallib is not next to the library or in the app bundle.", "",
     "Copy mlx.metallib to the app's resources."},
    {"cuda-driver", Likely, "",
     "Driver, CUDA version and GPU architecture of the export do not match this machine.", "",
     "Update the driver, or export for this GPU."},
};

}  // namespace

const std::span<const Message> backendMessages = backendRows;
const std::span<const Cause> backendCauses = backendCauseRows;

}  // namespace et::inspector::knowledge
