#pragma once

#include "app/cli/mcp/roots.h"
#include "runtime/core/file_kind.h"
#include "runtime/core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace et::cli::mcp {

/// Files of a call, by kind.
class ModelFiles {
  public:
    /// Errors: those of Roots::existing(); Io.
    [[nodiscard]] static core::Result<ModelFiles> open(const std::vector<std::string>& paths,
                                                       const Roots& roots);

    /// All paths, in the order of the call.
    [[nodiscard]] std::vector<std::string> all() const;
    /// Empty if there is none.
    [[nodiscard]] std::string program() const;  ///< or bundled program, or package
    [[nodiscard]] std::string record() const { return first(core::FileKind::Record); }
    [[nodiscard]] std::string trace() const { return first(core::FileKind::Trace); }
    [[nodiscard]] std::string bundle() const { return first(core::FileKind::BundledProgram); }
    [[nodiscard]] std::vector<std::string> ofKind(core::FileKind kind) const;

    /// Errors: InvalidArgument (no such file; names `use`).
    [[nodiscard]] core::Result<std::string> requireProgram(std::string_view use) const;
    [[nodiscard]] core::Result<std::string> requireRecord(std::string_view use) const;

  private:
    struct File {
        std::string path;
        core::FileKind kind;
    };
    [[nodiscard]] std::string first(core::FileKind kind) const;

    std::vector<File> files;
};

}  // namespace et::cli::mcp
