#pragma once

#include "backends/payload_contents.h"
#include "runtime/executor/backend.h"
#include "runtime/program/program.h"

#include <memory>

// "ExecutorBackend": a delegate whose payload is a whole program (.pte), run by the runtime itself.
namespace et::backends::nested {

/// Runs the method `forward`, or the only method, of the nested program with the runtime's kernels and
/// `inner` backends. Its memory and instruction limits are those of the runtime.
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

/// The program in a payload; owns a copy of its bytes. Errors: those of program::Program::parse().
[[nodiscard]] core::Result<std::shared_ptr<const program::Program>> parseNested(core::Bytes payload);

/// See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::nested
