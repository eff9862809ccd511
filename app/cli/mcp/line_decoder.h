#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace et::cli::mcp {

/// Splits a byte stream into lines, each a message. Source:
/// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
class LineDecoder {
  public:
    static constexpr std::size_t maxLineBytes = std::size_t{4} << 20;

    /// Keeps at most one line that is too long.
    void append(std::string_view bytes);

    /// The next line that is not empty, if it is complete. Errors: Limit (a line that is too long; the stream
    /// continues after it).
    [[nodiscard]] core::Result<std::optional<std::string>> next();

  private:
    std::string pending;
    bool isSkipping = false;  ///< until the end of a line that is too long
};

}  // namespace et::cli::mcp
