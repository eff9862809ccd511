#pragma once

#include "app/tasks/model/model_options.h"
#include "backends/reference/emulated_delegate.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/program.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {

/// Emulation of missing backends: their parts of a program, computed from its ETRecord.
struct Emulation {
    std::shared_ptr<const etrecord::Record> record;  ///< null: nothing is emulated
    std::vector<std::unique_ptr<backends::reference::EmulatedBackend>> backends;
    std::vector<std::string>
        interpreted{};  ///< backends of the program that are computed from their payloads

    /// For example "VulkanBackend"; empty: nothing is emulated.
    [[nodiscard]] std::vector<std::string> names() const;
    /// "VulkanBackend is emulated from model.etrecord: …", "NativeBackend is computed here from the payload:
    /// …"; empty if nothing is emulated or interpreted.
    [[nodiscard]] std::string note() const;
};

/// The record next to a program, with the same name and a different extension. Empty if there is none.
[[nodiscard]] std::filesystem::path adjacentRecord(const std::filesystem::path& program);

/// Creates the emulation that the options request; `--emulate` finds the record next to the program. Errors:
/// NotFound (no record next to it), those of Record::open().
[[nodiscard]] core::Result<Emulation> makeEmulation(const std::filesystem::path& path,
                                                    const ModelOptions& options,
                                                    const std::shared_ptr<const program::Program>& program,
                                                    std::span<const executor::Backend* const> available,
                                                    const kernels::KernelRegistry& kernels);

}  // namespace et::tasks
