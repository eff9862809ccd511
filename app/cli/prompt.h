#pragma once

#include "runtime/core/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli {

/// Completions of the last word of a line.
using CompleteLine = std::function<std::vector<std::string>(std::string_view line)>;

/// Lines that a user types, or that another program writes to stdin. At a terminal: with editing, completion
/// and a history that is kept between sessions ($XDG_STATE_HOME/et-inspect/NAME_history); in a terminal
/// without cursor movement (TERM=dumb): with the prompt only.
class Prompt {
  public:
    /// `name`: in the prompt, "(debug) ", and in the name of the history. Without `hasTerminal`, reads lines
    /// without a prompt.
    [[nodiscard]] static std::unique_ptr<Prompt> make(std::string_view name, bool hasTerminal,
                                                      CompleteLine complete);
    Prompt() = default;
    Prompt(const Prompt&) = delete;
    Prompt& operator=(const Prompt&) = delete;
    virtual ~Prompt() = default;

    enum class Event : unsigned char { Line, End, Interrupted };
    struct Input {
        Event event = Event::End;
        std::string line{};  ///< without its end
    };
    /// Waits for a line. A signal interrupts it. Errors: Io, Limit (a line that is too long).
    [[nodiscard]] virtual core::Result<Input> read() = 0;
};

}  // namespace et::cli
