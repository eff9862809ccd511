#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// What windows and pages say of delegates alike.
namespace et::inspector {

/// A compile spec's value: as text where it is meant to be read, else the start of it in hexadecimal digits.
struct SpecText {
    bool readable = false;
    std::string text;
};
[[nodiscard]] SpecText specText(const program::CompileSpec& spec);

/// "1-5, 7" of sorted numbers; "none".
[[nodiscard]] std::string rangesText(std::span<const std::int64_t> numbers);

/// Bytes in lines of sixteen, as hex viewers show them: "00000000  4d 50 30 30 …  MP00". At most `max`, then
/// a line that says how many follow.
[[nodiscard]] std::string hexDump(core::Bytes bytes, std::size_t max);

}  // namespace et::inspector
