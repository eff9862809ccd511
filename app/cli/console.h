#pragma once

#include "app/tasks/base/descriptor_stream.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace et::cli {

/// The standard streams of the process and the properties of its terminal.
class Console {
  public:
    /// Inspects stdout and the environment (COLUMNS, NO_COLOR, TERM), and turns a closed pipe into an
    /// ordinary write error instead of a signal.
    [[nodiscard]] static Console ofProcess();

    /// Writes the whole text to stdout; on a terminal without control characters, and with ASCII units ("us")
    /// if the terminal's locale is not UTF-8. If the reader closed the pipe (`| head`), the rest is dropped
    /// without an error. Errors: Io, the producer's.
    [[nodiscard]] core::Result<> out(std::string_view text);
    [[nodiscard]] core::Result<> out(const tasks::Producer& producer);

    /// Prints one line on stderr, prefixed with "et-inspect: ". Control characters are escaped.
    void complain(std::string_view line);
    /// Prints one line on stderr, prefixed with "et-inspect: warning: ".
    void warn(std::string_view line);
    void warnAll(std::span<const std::string> lines);

    /// Whether colors in the text for a terminal are those of our tables, rather than part of names from
    /// files.
    void expectColours(bool expected) { keepsColours = expected; }

    [[nodiscard]] bool outIsTerminal() const { return terminal; }
    /// Columns of the terminal at stdout; nothing if stdout is not a terminal.
    [[nodiscard]] std::optional<std::size_t> width() const { return columns; }
    /// True if stdout is a terminal that supports colours and NO_COLOR is not set.
    [[nodiscard]] bool wantsColour() const { return colour; }

  private:
    bool terminal = false;
    bool colour = false;
    bool keepsColours = false;
    bool readerGone = false;
    bool asciiTerminal = false;
    std::optional<std::size_t> columns;
};

}  // namespace et::cli
