#pragma once

#include "backends/payload_contents.h"
#include "runtime/executor/backend.h"
#include "runtime/program/program.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// "ExecutorBackend": a delegate whose payload is a whole program (.pte), run by the runtime itself.
namespace et::backends::nested {

inline constexpr std::string_view executorBackend = "ExecutorBackend";

/// Runs the method `forward`, or the only method, of the nested program with the runtime's kernels and
/// `inner` backends. Its memory and instruction limits are those of the runtime. Traces have an event for
/// each of its instructions and each operator of its delegates, named after the node in the graph.
class NestedProgramBackend final : public executor::Backend {
  public:
    explicit NestedProgramBackend(std::span<const executor::Backend* const> innerBackends)
        : inner(innerBackends) {}

    [[nodiscard]] std::string_view name() const override { return executorBackend; }
    [[nodiscard]] core::Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource& source) const override;
    [[nodiscard]] core::Result<core::ModelGraph> describe(
        const program::Delegate& delegate, const executor::NamedDataSource& namedData) const override;
    [[nodiscard]] std::vector<std::optional<std::vector<std::size_t>>> nodesOf(
        const program::Delegate& delegate, std::span<const std::string_view> operators) const override;

  private:
    std::span<const executor::Backend* const> inner;
};

/// The program in a payload; owns a copy of its bytes. Errors: those of program::Program::parse().
[[nodiscard]] core::Result<std::shared_ptr<const program::Program>> parseNested(core::Bytes payload);

/// Name of the method that runs: "forward", or that of the only method. Errors: Unsupported.
[[nodiscard]] core::Result<std::string_view> methodOf(const program::Program& program);

/// See backends/payload_contents.h.
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

}  // namespace et::backends::nested
