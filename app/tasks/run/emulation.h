#pragma once

#include "app/tasks/run/model_options.h"
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

namespace et::app {

/// What stands in for backends that are not here: their part of a program, computed from its ETRecord.
struct Emulation {
    std::shared_ptr<const etrecord::Record> record;  ///< null: nothing is emulated
    std::vector<std::unique_ptr<backends::reference::EmulatedBackend>> backends;

    /// "VulkanBackend"; empty: nothing is emulated.
    [[nodiscard]] std::vector<std::string> names() const;
    /// "VulkanBackend is emulated from model.etrecord: …"; empty where nothing is.
    [[nodiscard]] std::string note() const;
};

/// The record beside a program: same name, other extension. Empty where there is none.
[[nodiscard]] std::filesystem::path recordBeside(const std::filesystem::path& program);

/// As the options say: with a record, which `--emulate` finds beside the program. Errors: NotFound (no record
/// beside it), those of Record::open().
[[nodiscard]] core::Result<Emulation> emulationOf(const std::filesystem::path& path,
                                                  const ModelOptions& options,
                                                  const std::shared_ptr<const program::Program>& program,
                                                  std::span<const executor::Backend* const> available,
                                                  const kernels::KernelRegistry& kernels);

}  // namespace et::app
