#pragma once

#include "app/cli/options.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace et::app {

/// A command as its line is parsed; `options` is borrowed.
struct CommandSyntax {
    std::string_view name;
    const OptionList& options;
};

/// What a command line asks for.
enum class Request : std::uint8_t { Run, Help, Version };

struct Parsed {
    Request request = Request::Run;
    std::size_t command = 0;  ///< index of the one it is about
};

/// Finds the command and stores its options' values. The first of `commands` is the program, which runs where
/// no other one is named. Errors: InvalidArgument, in one line with the help to look at.
[[nodiscard]] core::Result<Parsed> parse(std::span<const CommandSyntax> commands, int argc,
                                         const char* const* argv);

}  // namespace et::app
