# Toolchain of the preset arm64: Debian's cross compiler, Debian's arm64 libraries, and QEMU to run the result.
# tools/env --arm64 unpacks the latter two into ET_ARM64_ROOT; without it, the system's (multiarch) are used.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++-14)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# All optional instructions: dot products, half precision, bfloat16.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -cpu max)
if(DEFINED ENV{ET_ARM64_ROOT})
  set(CMAKE_SYSROOT $ENV{ET_ARM64_ROOT})
  set(CMAKE_CROSSCOMPILING_EMULATOR ${CMAKE_SYSROOT}/usr/bin/qemu-aarch64 -cpu max -L ${CMAKE_SYSROOT})
endif()

# The build runs programs of the host.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
