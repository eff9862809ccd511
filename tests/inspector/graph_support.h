#pragma once

#include "inspector/graph/graph_sources.h"
#include "runtime/builder/program_builder.h"

#include <memory>
#include <span>
#include <string_view>

// Small programs for graph tests.
namespace et::test {

using ProgramPtr = std::shared_ptr<const program::Program>;

inline const builder::TensorSpec smallTensor{.sizes = {4}};

/// Returns the built program, read back; null after a test failure.
[[nodiscard]] ProgramPtr finished(builder::ProgramBuilder& builder);

/// Returns the graph of the first method; empty after a test failure.
[[nodiscard]] core::ModelGraph graphOf(const program::Program& program,
                                       std::span<const executor::Backend* const> backends = {},
                                       const etrecord::Record* record = nullptr);

/// A backend that describes each delegate as two nodes, from argument 0 to argument 1.
class TwoNodes final : public executor::Backend {
  public:
    [[nodiscard]] std::string_view name() const override { return "TwoNodes"; }
    [[nodiscard]] core::Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource& source) const override;
    [[nodiscard]] core::Result<core::ModelGraph> describe(
        const program::Delegate& delegate, const executor::NamedDataSource& namedData) const override;
};

/// abs -> a delegate of TwoNodes -> neg.
[[nodiscard]] ProgramPtr delegatedProgram();

/// Two nodes in block.0, one in block.1, one in head.
[[nodiscard]] etrecord::ExportedGraph moduleGraph();

}  // namespace et::test
