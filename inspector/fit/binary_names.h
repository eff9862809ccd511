#pragma once

#include "inspector/fit/kernel_list.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace et::inspector {

/// Whether bytes start as an ELF file or as an archive of such files (.a).
[[nodiscard]] bool isBinary(core::Bytes bytes);

/// What the bytes of a binary tell of the runtime in it.
struct BinaryNames {
    std::set<std::string, std::less<>> operators{};  ///< texts that are names of operators: "aten::add.out"
    std::set<std::string, std::less<>> backends{};   ///< texts that name a backend
    std::set<std::string, std::less<>> kernels{};    ///< symbols of kernel functions: "add_out"
    std::size_t objects = 0;                         ///< ELF files; 1 where it is no archive
    unsigned pointerBytes = 0;                       ///< 4 or 8; 0: both are there
    bool hasSymbols = false;
};

/// Reads the constant data of an ELF file (32 or 64 bits, either byte order, linked or not), or of each one
/// in an archive: texts that end with a zero byte. `backends` are looked for as they are; what is called a
/// backend is found without. Errors: Format (neither, damaged, cut short: names the field and its offset);
/// Unsupported (a thin archive, no ELF file in it); Limit (more names than any runtime has).
[[nodiscard]] core::Result<BinaryNames> readBinaryNames(const core::MappedFile& file,
                                                        std::span<const std::string> backends);

/// The same as a list of kernels.
[[nodiscard]] KernelList kernelsOf(const BinaryNames& names);

}  // namespace et::inspector
