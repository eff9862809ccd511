#include "inspector/explain/knowledge/tables.h"

namespace et::inspector::knowledge {
namespace {

// Libraries, apps and builds; and messages that tell the platform.
constexpr Message packagingRows[] = {
    {"library-missing", "dlopen failed: library \"{library}\" not found", Reason,
     "The library {library} is not in the app"},
    {"symbol-missing", "dlopen failed: cannot locate symbol \"{symbol}\" referenced by \"{library}\"", Reason,
     "{library} needs symbol {symbol}, which no loaded library has"},
    {"symbol-missing", "dlopen failed: cannot locate symbol \"{symbol}\"", Reason},
    {"symbol-missing", "Symbol not found: {symbol:w}", General},
    {"symbol-missing", "undefined symbol: {symbol:w}", General},
    {"no-native-method", "No implementation found for {symbol}", General,
     "A native method of the Java package has no implementation"},
    {"abi-mismatch", "is 32-bit instead of 64-bit", Reason,
     "A library is built for another ABI than the process"},
    {"abi-mismatch", "has unexpected e_machine", Reason},
    {"page-alignment", "program alignment ({alignment}) cannot be smaller than system page size", Reason,
     "A library is not aligned for 16 KB memory pages"},
    {"class-missing", "java.lang.NoClassDefFoundError: ", General, "A Java class is missing"},
    {"class-missing", "java.lang.ClassNotFoundException: ", General},
    {"java-link", "java.lang.UnsatisfiedLinkError", Outcome, "A native library cannot be loaded"},
    {"shared-library", "error while loading shared libraries: {library:w}: ", Reason,
     "The library {library} is not found"},
    {"shared-library", "cannot open shared object file: No such file or directory", General},
    {"glibc", "version `{symbol}' not found", Reason,
     "The C library of this system is older than the build requires ({symbol})"},
    {"undefined-reference", "undefined reference to `{symbol}'", Reason, "The linker does not find {symbol}"},
    {"undefined-reference", "undefined reference to '{symbol}'", Reason},
    {"undefined-reference", "Undefined symbols for architecture {architecture:w}", Reason},
    {"submodule-missing", "does not contain a CMakeLists.txt file", Reason,
     "A folder of the build has no CMakeLists.txt"},
    {"registered-kernels", "Successfully registered all kernels from shared library: {library}", Context,
     "A kernel library was loaded"},

    {"on-android", "org.pytorch.executorch", Context, "Android"},
    {"on-android", "AndroidRuntime", Context},
    {"on-android", "/data/local/tmp", Context},
    {"on-android", "/data/user/0", Context},
    {"on-apple", "module.forward() failed: Error::", Context, "Apple"},
    {"on-apple", "org.pytorch.executorch.error", Context},
    {"on-apple", "ExecuTorchModule", Context},
    {"on-apple", "/var/mobile/", Context},
    {"on-apple", "/CoreSimulator/", Context},
    {"on-apple", "libsystem_kernel.dylib", Context},
    {"in-python", "[method.cpp:", Context, "Python"},
    {"in-python", "[program.cpp:", Context},
    {"in-python", "[operator_registry.cpp:", Context},
    {"in-python", "Traceback (most recent call last)", Context},
    {"in-python", "RuntimeError: ", Context},
    {"in-python", "AttributeError: ", Context},
    {"on-device", "executorch:main.cpp", Context, "A microcontroller"},
    {"on-device", "arm_executor_runner", Context},
    {"on-device", "HardFault", Context},
};

constexpr Cause packagingCauseRows[] = {
    {"library-missing", Likely, "",
     "The app package does not contain the library for this device's ABI: the AAR lacks it, it was renamed "
     "(libexecutorch.so, libexecutorch_jni.so), or an abiFilter removed it.",
     "",
     "Check the APK's lib/<abi> folder; use the executorch-android package for this ABI (arm64-v8a, x86_64), "
     "and load the library by the name it contains. 32-bit devices are not supported by the package."},
    {"symbol-missing", Likely, "symbol=*__ndk1*",
     "Libraries built with different NDKs are in one app: {library} was built with a newer NDK than the C++ "
     "runtime (libc++_shared.so, brought by fbjni or another package), which lacks the "
     "symbol.",
     "the symbol belongs to the C++ library of the NDK",
     "Build with the NDK that the ExecuTorch release names (26.x for 0.3 to 0.5), so that the library, fbjni "
     "and libc++_shared.so match; or package the newer libc++_shared.so (packagingOptions pickFirst)."},
    {"symbol-missing", Likely, "!symbol=*__ndk1*",
     "The library was linked against another version of a library than the one that is loaded at run time.",
     "symbol {symbol}",
     "Build all libraries from one source tree (Python: install matching versions of torch and executorch), "
     "and remove old copies."},
    {"no-native-method", Likely, "",
     "The Java classes and the native library come from different versions, or another native library was "
     "loaded.",
     "", "Take executorch.jar and the library from the same AAR."},
    {"abi-mismatch", Certain, "", "The library was built for another processor.", "",
     "Package the library for the device's ABI."},
    {"page-alignment", Certain, "", "The library was linked for 4 KB pages, and the device uses 16 KB pages.",
     "", "Build with NDK r27 or later and -Wl,-z,max-page-size=16384, or use a newer AAR."},
    {"class-missing", Likely, "",
     "A Java dependency of the package (fbjni, nativeloader) is missing, or was removed by R8.", "",
     "Add com.facebook.fbjni:fbjni and com.facebook.soloader:nativeloader as dependencies, and keep "
     "org.pytorch.executorch.** in the ProGuard rules."},
    {"java-link", Possible, "",
     "The native library is missing for this ABI, or a library that it needs cannot be loaded.", "",
     "Look at the line with dlopen failed; check the APK's lib folder."},
    {"shared-library", Likely, "", "The library is not on the library path.", "",
     "Add its folder to LD_LIBRARY_PATH, or install the package that contains it."},
    {"glibc", Certain, "", "The binary was built on a newer system.", "",
     "Build on this system, or in a container with its C library."},
    {"undefined-reference", Likely, "symbol=*executorch*|*torch::executor*",
     "A library of ExecuTorch is missing from the link line (extension_module, extension_data_loader, "
     "kernels), or the versions of headers and libraries differ.",
     "symbol {symbol}",
     "Link the CMake targets of the same build (executorch, extension_module_static, portable_ops_lib, …) "
     "and include its headers."},
    {"undefined-reference", Likely, "!symbol=*executorch*|*torch::executor*",
     "A dependency is missing from the link line (XNNPACK, pthreadpool, cpuinfo, flatccrt, a system "
     "framework).",
     "",
     "Link the CMake targets of the same build, which bring their dependencies; on Apple add the frameworks "
     "Accelerate, CoreML and Metal."},
    {"submodule-missing", Likely, "", "The git submodules are not checked out.", "",
     "Run git submodule sync and git submodule update --init --recursive."},
};

}  // namespace

const std::span<const Message> packagingMessages = packagingRows;
const std::span<const Cause> packagingCauses = packagingCauseRows;

}  // namespace et::inspector::knowledge
