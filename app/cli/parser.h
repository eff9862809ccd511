#pragma once

#include "app/cli/options.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace et::cli {

/// A command to parse; `options` is borrowed.
struct CommandSyntax {
    std::string_view name;
    const OptionList& options;
};

/// The action requested by a command line.
enum class Request : std::uint8_t { Run, Help, Version };

struct Parsed {
    Request request = Request::Run;
    std::size_t command = 0;  ///< index of the command concerned
};

/// Selects the command and stores its option values. The first of `commands` is the program, which runs if no
/// other one is named. Errors: InvalidArgument, in one line that names the help to read.
[[nodiscard]] core::Result<Parsed> parse(std::span<const CommandSyntax> commands, int argc,
                                         const char* const* argv);

}  // namespace et::cli
