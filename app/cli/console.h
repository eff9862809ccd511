#pragma once

#include "app/tasks/descriptor_stream.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace et::app {

/// The streams of the process and what is known of the terminal behind them.
class Console {
  public:
    /// Looks at stdout and the environment (COLUMNS, NO_COLOR, TERM), and makes a closed pipe an ordinary
    /// write error instead of a signal.
    [[nodiscard]] static Console ofProcess();

    /// Writes all of a text to stdout, for a terminal whose locale is not UTF-8 with units in ASCII ("us"). A
    /// reader that went away (`| head`) is no error: the rest is dropped. Errors: Io, the producer's.
    [[nodiscard]] core::Result<> out(std::string_view text);
    [[nodiscard]] core::Result<> out(const Producer& producer);

    /// One line on stderr, after "et-inspect: ". Control characters are escaped.
    void complain(std::string_view line);
    /// One line on stderr, after "et-inspect: warning: ".
    void warn(std::string_view line);
    void warnAll(std::span<const std::string> lines);

    [[nodiscard]] bool outIsTerminal() const { return terminal; }
    /// Columns of the terminal behind stdout; nothing when stdout is no terminal.
    [[nodiscard]] std::optional<std::size_t> width() const { return columns; }
    /// Colours are welcome: a terminal that can show them, and no NO_COLOR.
    [[nodiscard]] bool wantsColour() const { return colour; }

  private:
    bool terminal = false;
    bool colour = false;
    bool readerGone = false;
    bool asciiTerminal = false;
    std::optional<std::size_t> columns;
};

}  // namespace et::app
