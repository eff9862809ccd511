#pragma once

#include "runtime/builder/program_writer.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace et::tasks {

/// A program file in memory.
using ByteVector = std::vector<std::byte>;

[[nodiscard]] inline std::string_view textOf(const ByteVector& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Keys of the named data that payloads or tensors refer to. Nothing if a delegate's payload contains no key
/// and its backend is not known to need none, since its lookups are then unknown.
[[nodiscard]] std::optional<std::set<std::string_view>> namedDataInUse(
    const builder::ProgramContent& content);

}  // namespace et::tasks
