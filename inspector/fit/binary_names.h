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

/// Whether the bytes start like an ELF file or an archive of such files (.a).
[[nodiscard]] bool isBinary(core::Bytes bytes);

/// Operators, backends and kernels found in a binary.
struct BinaryNames {
    std::set<std::string, std::less<>> operators{};  ///< strings that are operator names: "aten::add.out"
    std::set<std::string, std::less<>> backends{};   ///< strings that are backend names
    std::set<std::string, std::less<>> kernels{};    ///< symbols of kernel functions: "add_out"
    std::size_t objects = 0;                         ///< number of ELF files; 1 if it is not an archive
    unsigned pointerBytes = 0;                       ///< 4 or 8; 0: both occur
    bool hasSymbols = false;
};

/// Reads the constant data of an ELF file (32 or 64 bits, either byte order, linked or not), or of each one
/// in an archive: strings that end with a zero byte. `backends` are matched exactly; names that contain
/// "Backend" are found without it. Errors: Format (neither, damaged, cut short: names the field and its
/// offset); Unsupported (a thin archive, no ELF file in it); Limit (more names than any runtime has).
[[nodiscard]] core::Result<BinaryNames> readBinaryNames(const core::MappedFile& file,
                                                        std::span<const std::string> backends);

/// Converts the names to a list of kernels.
[[nodiscard]] KernelList collectKernels(const BinaryNames& names);

}  // namespace et::inspector
