#pragma once

#include "backends/compile_specs.h"
#include "backends/payload_bytes.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Texts about delegates, shared by windows and reports.
namespace et::inspector {

/// A compile spec's value.
struct SpecText {
    bool readable = false;
    std::string text;  ///< the bytes as text if readable, else the first ones in hexadecimal
    core::Result<backends::SpecValue> decoded;
};
[[nodiscard]] SpecText specText(std::string_view backend, const program::CompileSpec& spec);

/// "300 bytes known, 900 opaque, 12 padding"; the first number is always given.
[[nodiscard]] std::string payloadBytesText(const backends::PayloadBytes& bytes);

/// Formats sorted numbers as "1-5, 7"; "none" if empty.
[[nodiscard]] std::string rangesText(std::span<const std::int64_t> numbers);

/// Hex dump with sixteen bytes per line: "00000000  4d 50 30 30 …  MP00". At most `max` bytes, followed by a
/// line with the number of remaining ones.
[[nodiscard]] std::string hexDump(core::Bytes bytes, std::size_t max);

}  // namespace et::inspector
