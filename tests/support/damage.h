#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace et::test {

/// Passes every truncation and every single flipped byte of `original` to `read(bytes)`, which returns an
/// Error or nothing; each error must be one line that names the file.
template <class Read>
void damageEveryByte(const std::vector<std::byte>& original, Read read) {
    const auto check = [&](const std::vector<std::byte>& bytes, const char* what, std::size_t at) {
        const auto error = read(bytes);
        if (error) {
            const std::string line = error->toString();
            ASSERT_TRUE(line.starts_with("test: ") && line.find('\n') == std::string::npos)
                << what << at << line;
        }
    };
    for (std::size_t size = 0; size < original.size(); ++size) {
        check({original.begin(), original.begin() + static_cast<std::ptrdiff_t>(size)}, "cut at ", size);
    }
    std::vector<std::byte> flipped = original;
    for (std::size_t at = 0; at < original.size(); ++at) {
        for (const std::byte mask : {std::byte{0xff}, std::byte{0x01}, std::byte{0x80}}) {
            flipped[at] = original[at] ^ mask;
            check(flipped, "flipped at ", at);
        }
        flipped[at] = original[at];
    }
}

}  // namespace et::test
