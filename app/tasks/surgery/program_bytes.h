#pragma once

#include "runtime/builder/program_writer.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace et::app {

/// A program file in memory.
using ByteVector = std::vector<std::byte>;

[[nodiscard]] inline std::string_view textOf(const ByteVector& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Keys of the named data that payloads or tensors name. Nothing: a delegate's payload has no key in it, and
/// its backend is none that is known to need none, so that nobody knows what it looks up.
[[nodiscard]] std::optional<std::set<std::string_view>> namedDataInUse(
    const builder::ProgramContent& content);

}  // namespace et::app
