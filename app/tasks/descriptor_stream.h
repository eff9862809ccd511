#pragma once

#include "runtime/core/result.h"

#include <array>
#include <functional>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace et::app {

/// Something that writes a text bit by bit.
using Producer = std::function<core::Result<>(std::ostream&)>;

/// A producer of a text that is there already; `text` must outlive it.
[[nodiscard]] Producer producerOf(std::string_view text);

/// How writing to a descriptor ended.
enum class Written : std::uint8_t {
    All,
    ReaderGone,  ///< the other end of the pipe was closed: nobody wants the rest
};

/// Runs `producer` into an open file descriptor, which stays open. Errors: the producer's own; Io when the
/// system refuses (`name` stands for the file).
[[nodiscard]] core::Result<Written> writeTo(int descriptor, std::string_view name, const Producer& producer);

}  // namespace et::app
