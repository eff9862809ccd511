#pragma once

#include "inspector/explain/message_index.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector {

/// A line of a log with a known message.
struct Sighting {
    std::size_t message = 0;  ///< number in MessageIndex
    MessageRole role = MessageRole::Reason;
    std::uint64_t line = 0;  ///< from 1
    std::string text{};      ///< of the line, without prefix
    std::string source{};    ///< file of the runtime that logged it: "op_mean.cpp"; may be empty
    std::vector<std::pair<std::string_view, std::string>> fields{};
};

/// A line that may report an error in unknown words.
struct UnknownLine {
    std::uint64_t line = 0;
    std::string text{};      ///< without prefix
    bool isRuntime = false;  ///< logged by ExecuTorch
};

struct LogContent {
    std::vector<Sighting> sightings{};    ///< in the order of the log
    std::vector<UnknownLine> unknown{};   ///< likewise; the first and the last ones if there are many
    std::vector<std::uint64_t> counts{};  ///< lines of each message
    std::uint64_t lines = 0;
    std::uint64_t bytes = 0;

    [[nodiscard]] bool has(std::string_view message) const;
};

/// Reads a log of any size in blocks. Memory is bounded: it keeps the first lines of each message. Escape
/// sequences, binary data and endless lines are harmless.
class LogScanner {
  public:
    LogScanner();

    void add(std::string_view block);
    /// The result; call it once, after the last block.
    [[nodiscard]] LogContent finish();

    /// Kept lines of each message, and of unknown errors.
    static constexpr std::size_t maxPerMessage = 24;
    /// Longer lines are split.
    static constexpr std::size_t maxLine = std::size_t{32} << 10U;

  private:
    void scan(std::string_view text);
    void inspect(std::string_view text, std::size_t end, std::size_t literal);
    void keep(std::string_view line, std::size_t id);
    void keepUnknown(std::string_view line, bool isRuntime);

    const MessageIndex& index;
    LogContent content;
    std::size_t unknownId = 0;           ///< message of lines with unknown errors
    std::size_t runtimeId = 0;           ///< of lines of the runtime
    std::string rest;                    ///< the incomplete line at the end of the last block
    std::string clean;                   ///< buffer
    std::size_t lineStart = 0;           ///< of the line that content.lines counts, in the text being scanned
    std::vector<std::size_t> lastStart;  ///< by message: start of the last matching line in the text, plus 1
};

/// Reads a whole log in memory.
[[nodiscard]] LogContent scanLog(std::string_view text);

}  // namespace et::inspector
