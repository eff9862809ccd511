#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace et::app {

/// Whether a process that runs a model is confined.
enum class SandboxMode : std::uint8_t {
    Off,
    Auto,  ///< as far as this kernel can
    On,    ///< or not run at all
};

/// What a kernel has to confine a process with.
struct SandboxMeans {
    int landlock = 0;  ///< its version; 0: none
    bool systemCalls = false;

    [[nodiscard]] static SandboxMeans ofThisKernel();
    /// Files and system calls.
    [[nodiscard]] bool complete() const { return landlock > 0 && systemCalls; }
};

/// Where a confined process writes. An empty path stands for nothing.
struct SandboxOutputs {
    std::vector<std::filesystem::path> files{};    ///< and all else in their folders, for temporary names
    std::vector<std::filesystem::path> folders{};  ///< made where they are missing
};

/// What does not hold in this mode, in a line for people; empty: all holds, or nothing was asked for. Errors:
/// Unsupported (SandboxMode::On, and the kernel cannot).
[[nodiscard]] core::Result<std::string> sandboxLack(SandboxMode mode,
                                                    const SandboxMeans& means = SandboxMeans::ofThisKernel());

/// Confines this process for the rest of its life, its later threads and children included: no network, no
/// other programs, no signals to other processes, and no file is written, made or removed but `outputs`. What
/// is open stays so, and reading stays free. Call it before there are threads. Returns what sandboxLack()
/// does. Errors: Io, those of sandboxLack().
[[nodiscard]] core::Result<std::string> confine(SandboxMode mode, const SandboxOutputs& outputs,
                                                const SandboxMeans& means = SandboxMeans::ofThisKernel());

}  // namespace et::app
