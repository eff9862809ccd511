#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::test {

/// How an ELF file is written.
struct ElfLayout {
    bool is64 = true;
    bool isBig = false;
    bool hasSections = true;  ///< false: stripped to what is loaded
};

/// An ELF file with `data` as constant data and `symbols` as names of its symbols.
[[nodiscard]] std::vector<std::byte> writeElf(std::string_view data, std::string_view symbols,
                                              const ElfLayout& layout);

/// An archive as GNU ar writes it.
[[nodiscard]] std::vector<std::byte> writeArchive(
    const std::vector<std::pair<std::string, std::vector<std::byte>>>& members);

}  // namespace et::test
