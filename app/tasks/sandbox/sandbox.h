#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace et::tasks {

/// Whether a process that runs a model is confined.
enum class SandboxMode : std::uint8_t {
    Off,
    Auto,  ///< as far as this kernel supports it
    On,    ///< required; otherwise nothing runs
};

/// Confinement features of a kernel.
struct SandboxMeans {
    int landlock = 0;  ///< version; 0: none
    bool systemCalls = false;

    [[nodiscard]] static SandboxMeans ofThisKernel();
    /// Whether both files and system calls can be confined.
    [[nodiscard]] bool complete() const { return landlock > 0 && systemCalls; }
};

/// Where a confined process may write. Empty paths are ignored.
struct SandboxOutputs {
    std::vector<std::filesystem::path> files{};    ///< includes other files in their folders, for temporary
                                                   ///< names
    std::vector<std::filesystem::path> folders{};  ///< created if missing
};

/// Message about protections that are missing in this mode; empty: none is missing, or none was requested.
/// Errors: Unsupported (SandboxMode::On, and the kernel lacks support).
[[nodiscard]] core::Result<std::string> sandboxLack(SandboxMode mode,
                                                    const SandboxMeans& means = SandboxMeans::ofThisKernel());

/// Confines this process permanently, including its later threads and children: no network, no other
/// programs, no signals to other processes, and no file is written, created or removed except `outputs`. Open
/// files stay open, and reading stays allowed. Call before threads exist. Returns the result of
/// sandboxLack(). Errors: Io, those of sandboxLack().
[[nodiscard]] core::Result<std::string> confine(SandboxMode mode, const SandboxOutputs& outputs,
                                                const SandboxMeans& means = SandboxMeans::ofThisKernel());

}  // namespace et::tasks
