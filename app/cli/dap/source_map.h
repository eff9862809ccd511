#pragma once

#include "app/cli/dap/outbox.h"
#include "app/cli/dap/stop.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli::dap {

/// An instruction that a line of Python maps to.
struct MappedInstruction {
    std::int64_t instruction = 0;
    std::string op;
};

/// Maps the Python files of an ETRecord to files of the client: the record contains the paths of the machine
/// that exported the model.
class SourceMap {
  public:
    SourceMap() = default;
    /// Reads the answer to `info instructions`.
    explicit SourceMap(const JsonValue& instructions);

    /// The file of the record that shares the most trailing components with the client's path; empty if no
    /// file has the same name.
    [[nodiscard]] std::string recordFile(std::string_view clientPath) const;
    /// A "Source" of the protocol. Its path is that of the client's breakpoints, else that of the record.
    [[nodiscard]] Dict source(const std::string& recordFile) const;
    /// Stores the client's path of a file of the record.
    void setClientPath(const std::string& recordFile, std::string clientPath);

    /// Lines from `first` to `last` of a file with their instructions.
    [[nodiscard]] std::map<std::int64_t, std::vector<MappedInstruction>> lines(const std::string& recordFile,
                                                                               std::int64_t first,
                                                                               std::int64_t last) const;
    [[nodiscard]] std::vector<std::string> files() const;

  private:
    std::map<std::string, std::map<std::int64_t, std::vector<MappedInstruction>>> instructionsByFile;
    std::map<std::string, std::string> clientPaths;
};

}  // namespace et::cli::dap
