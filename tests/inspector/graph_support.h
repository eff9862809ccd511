#pragma once

#include "inspector/graph/graph_sources.h"
#include "runtime/builder/program_builder.h"

#include <memory>
#include <span>
#include <string_view>

// Small programs to make graphs of.
namespace et::test {

using ProgramPtr = std::shared_ptr<const program::Program>;

inline const builder::TensorSpec smallTensor{.sizes = {4}};

/// What the builder made, read back; null after a failure of the test.
[[nodiscard]] ProgramPtr finished(builder::ProgramBuilder& builder);

/// Of the first method; empty after a failure of the test.
[[nodiscard]] core::ModelGraph graphOf(const program::Program& program,
                                       std::span<const executor::Backend* const> backends = {},
                                       const etrecord::Record* record = nullptr);

/// Tells of each of its delegates that it is two nodes, from argument 0 to argument 1.
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
