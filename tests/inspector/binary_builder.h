#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::test {

/// Properties of a generated ELF file.
struct ElfLayout {
    bool is64 = true;
    bool isBig = false;
    bool hasSections = true;  ///< false: stripped to the loaded segments
};

/// Returns an ELF file with `data` as constant data and `symbols` as symbol names.
[[nodiscard]] std::vector<std::byte> writeElf(std::string_view data, std::string_view symbols,
                                              const ElfLayout& layout);

/// Returns an archive as written by GNU ar.
[[nodiscard]] std::vector<std::byte> writeArchive(
    const std::vector<std::pair<std::string, std::vector<std::byte>>>& members);

}  // namespace et::test
