#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace et::cli::dap {

/// Splits a byte stream into messages of the Debug Adapter Protocol: "Content-Length: N", an empty line, and
/// N bytes. Other header fields are ignored. Source:
/// https://microsoft.github.io/debug-adapter-protocol/overview#base-protocol
class MessageDecoder {
  public:
    static constexpr std::size_t maxHeaderBytes = 4096;
    static constexpr std::size_t maxMessageBytes = std::size_t{16} << 20;

    void append(std::string_view bytes) { pending += bytes; }

    /// The next message, if it is complete. After an error the stream cannot be continued. Errors: Format
    /// (invalid header), Limit (a header or message that is too long).
    [[nodiscard]] core::Result<std::optional<std::string>> next();

  private:
    std::string pending;
};

/// The message with its header.
[[nodiscard]] std::string encodeMessage(std::string_view json);

}  // namespace et::cli::dap
