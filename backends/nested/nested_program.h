#pragma once

#include "runtime/executor/backend.h"

#include <memory>

// "ExecutorBackend": a delegate whose payload is a whole program (.pte), which the runtime itself runs.
namespace et::backends::nested {

/// Runs the program within with the runtime's kernels and `inner` backends: its method `forward`, or its only
/// one. Its own limits of memory and instructions are the runtime's.
class NestedProgramBackend final : public executor::Backend {
  public:
    explicit NestedProgramBackend(std::span<const executor::Backend* const> innerBackends)
        : inner(innerBackends) {}

    [[nodiscard]] std::string_view name() const override { return "ExecutorBackend"; }
    [[nodiscard]] core::Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource& source) const override;

  private:
    std::span<const executor::Backend* const> inner;
};

}  // namespace et::backends::nested
