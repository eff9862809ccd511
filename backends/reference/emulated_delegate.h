#pragma once

#include "etrecord/record.h"
#include "runtime/executor/backend.h"
#include "runtime/kernels/registry.h"
#include "runtime/program/program.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::reference {

/// Marks events of emulated delegates in their delegate id, since their times are not the device's.
inline constexpr std::string_view emulatedMark = "emulated";

/// Emulates a missing backend: computes its delegates with the reference operators from the nodes of the
/// record that their debug handles cover. The results are those of the exported graph, without the device's
/// rounding.
class EmulatedBackend final : public executor::Backend {
  public:
    /// `registry` must outlive the backend.
    EmulatedBackend(std::string backendName, std::shared_ptr<const program::Program> ofProgram,
                    std::shared_ptr<const etrecord::Record> ofRecord,
                    const kernels::KernelRegistry& registry);

    [[nodiscard]] std::string_view name() const override { return id; }
    /// Loads only delegates of its program. Errors: NotFound (the record does not cover the delegate),
    /// Mismatch (record and program do not belong together), those of Interpreter::edge().
    [[nodiscard]] core::Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource& source) const override;

  private:
    std::string id;
    std::shared_ptr<const program::Program> program;
    std::shared_ptr<const etrecord::Record> record;
    const kernels::KernelRegistry& kernels;
};

/// Distinct names of the backends that delegates of the program need and `available` lacks.
[[nodiscard]] std::vector<std::string> missingBackends(const program::Program& program,
                                                       std::span<const executor::Backend* const> available);

}  // namespace et::backends::reference
