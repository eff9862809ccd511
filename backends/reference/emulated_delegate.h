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

/// How events of emulated delegates say so, in their delegate id: their time is none of the device's.
inline constexpr std::string_view emulatedMark = "emulated";

/// Stands for a backend that is not there: its delegates are computed from the nodes of the record that their
/// debug handles cover, with our operators. What comes out is what the exporter saw, not what the device
/// rounds.
class EmulatedBackend final : public executor::Backend {
  public:
    /// `registry` must live as long as the backend.
    EmulatedBackend(std::string backendName, std::shared_ptr<const program::Program> ofProgram,
                    std::shared_ptr<const etrecord::Record> ofRecord,
                    const kernels::KernelRegistry& registry);

    [[nodiscard]] std::string_view name() const override { return id; }
    /// Only of delegates of its program. Errors: NotFound (the record says nothing of the delegate), Mismatch
    /// (record and program do not belong together), those of Interpreter::edge().
    [[nodiscard]] core::Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource& source) const override;

  private:
    std::string id;
    std::shared_ptr<const program::Program> program;
    std::shared_ptr<const etrecord::Record> record;
    const kernels::KernelRegistry& kernels;
};

/// The names of backends that delegates of the program need and that `available` lacks, each once.
[[nodiscard]] std::vector<std::string> missingBackends(const program::Program& program,
                                                       std::span<const executor::Backend* const> available);

}  // namespace et::backends::reference
