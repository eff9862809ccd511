#pragma once

#include "runtime/builder/method_builder.h"
#include "runtime/builder/program_writer.h"

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::builder {

/// Builds a program of methods:
///
///     ProgramBuilder program;
///     MethodBuilder& forward = program.method("forward");
///     const auto x = forward.input({.sizes = {2, 3}});
///     const auto y = forward.intermediate({.sizes = {2, 3}});
///     forward.call("aten::add.out", {x, x, 1}, {y});
///     forward.output(y);
///     const core::Result<std::vector<std::byte>> file = program.finish();
class ProgramBuilder {
  public:
    /// Adds a method; the reference remains valid.
    MethodBuilder& method(std::string_view name);
    /// Adds a blob that delegates look up by name. Copies the bytes.
    void addNamedData(std::string_view key, core::Bytes bytes);
    /// Adds a blob that belongs to `owner`, without copying it.
    void addNamedData(std::string_view key, core::Bytes bytes, std::shared_ptr<const void> owner);
    void setConstantPlace(ConstantStorage place) { constants = place; }

    /// The input of writeProgram(); borrows from the builder. Tests modify it to create malicious programs.
    /// Errors: as MethodBuilder::finish().
    [[nodiscard]] core::Result<ProgramContent> content();
    /// The program file, which borrows from the builder. Errors: as content() and programFile().
    [[nodiscard]] core::Result<core::FileContent> file();
    /// The same file in one vector.
    [[nodiscard]] core::Result<std::vector<std::byte>> finish();

  private:
    struct Blob {
        std::string key;
        core::Bytes bytes;
        std::shared_ptr<const void> owner;
    };

    std::deque<MethodBuilder> methods;
    std::deque<Blob> namedData;
    ConstantStorage constants = ConstantStorage::Segment;
};

}  // namespace et::builder
