#pragma once

#include "app/cli/mcp/command_run.h"
#include "app/cli/mcp/projection.h"
#include "app/cli/mcp/roots.h"
#include "app/cli/mcp/tools.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli::mcp {

/// A command's document, for later answers.
struct StoredResult {
    std::string id;       ///< "r3"
    std::string command;  ///< that reproduces it
    const ResultShape* shape = nullptr;
    std::string document;  ///< JSON
};

/// The latest documents, within limits of count and size. Thread-safe.
class ResultStore {
  public:
    static constexpr std::size_t maxResults = 64;
    static constexpr std::size_t maxBytes = std::size_t{48} << 20;

    std::shared_ptr<const StoredResult> add(std::string command, const ResultShape& shape,
                                            std::string document);
    /// Null if it does not exist or was dropped.
    [[nodiscard]] std::shared_ptr<const StoredResult> find(std::string_view id) const;
    /// Latest first.
    [[nodiscard]] std::vector<std::shared_ptr<const StoredResult>> all() const;

  private:
    mutable std::mutex access;
    std::deque<std::shared_ptr<const StoredResult>> results;
    std::size_t bytes = 0;
    std::uint64_t added = 0;
};

/// Answers calls of tools: runs the commands of their plans and returns the documents of these, shortened.
class Answers {
  public:
    explicit Answers(CommandRunner runner) : run(std::move(runner)) {}

    /// The structured content of the result. Errors: those of the arguments, files and commands.
    [[nodiscard]] core::Result<Dict> answer(const Tool& tool, const dap::JsonValue& given, const Roots& roots,
                                            const CommandLimits& limits);

    [[nodiscard]] const ResultStore& stored() const { return results; }

  private:
    /// The elements that a handle names.
    [[nodiscard]] core::Result<Dict> more(std::string_view handle, std::size_t maxBytes) const;
    /// Errors: those of the command.
    [[nodiscard]] core::Result<std::shared_ptr<const StoredResult>> documentOf(
        const Step& step, const CommandLimits& limits, std::vector<std::string>& messages);

    struct CacheEntry {
        std::string state;  ///< of the files
        std::string id;
        std::vector<std::string> messages;
    };
    CommandRunner run;
    ResultStore results;
    std::map<std::string, CacheEntry, std::less<>> cache;  ///< by command
};

}  // namespace et::cli::mcp
