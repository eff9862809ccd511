#pragma once

#include <cstdint>

namespace et::single_file {

/// Folder in which the dynamic loader sees the carried files; it does not exist in the file system.
inline constexpr char folder[] = "/.et-inspect-carried/";

/// Data of the loader's hook (open_carried.cpp); the starter writes it into the copy of the loader.
struct HookData {
    std::uint32_t entry;    ///< offset of the hook from this struct
    std::uint32_t archive;  ///< descriptor of the single file
    std::uint64_t loader;   ///< descriptor of the loader itself
    std::uint64_t table;
    std::uint64_t count;
};

}  // namespace et::single_file
