#pragma once

#include "runtime/core/result.h"

#include <array>
#include <functional>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace et::tasks {

/// A function that writes a text incrementally.
using Producer = std::function<core::Result<>(std::ostream&)>;

/// Returns a producer of an existing text; `text` must outlive it.
[[nodiscard]] Producer producerOf(std::string_view text);

/// Result of writing to a descriptor.
enum class Written : std::uint8_t {
    All,
    ReaderGone,  ///< the other end of the pipe was closed; the rest was dropped
};

/// Runs `producer` with a stream to an open file descriptor, which stays open. Errors: the producer's own; Io
/// for a failed write (`name` identifies the file).
[[nodiscard]] core::Result<Written> writeTo(int descriptor, std::string_view name, const Producer& producer);

}  // namespace et::tasks
