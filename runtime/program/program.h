#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/header.h"
#include "runtime/program/method.h"
#include "runtime/program/segment.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace et::program {

/// A program (.pte), verified and parsed. Strings, tensor data and payloads stay in the mapped file. All
/// static properties are checked: every id is in range, every planned tensor is inside its arena, every
/// constant and payload is inside the file. Properties of a run (an unknown operator, an argument of the
/// wrong type, an endless loop) are not. Format: flatbuffer `ET12`, see docs/reference/formats.md. Immutable:
/// hold it as shared_ptr<const Program>.
struct Program {
    /// Maximum planned memory of a method: more than a process can address on current machines.
    static constexpr std::uint64_t maxPlannedBytes = std::uint64_t{1} << 47;

    std::shared_ptr<const core::MappedFile> file;
    core::Bytes bytes;         ///< the program: all of `file`, or the part embedded in a bundled program
    std::uint64_t offset = 0;  ///< offset of `bytes` in `file`
    std::uint32_t version = 0;
    std::optional<ExtendedHeader> header;  ///< empty if the file is a bare flatbuffer without segments
    std::vector<Method> methods;
    std::vector<Segment> segments;
    std::vector<NamedData> namedData;
    std::vector<core::Bytes> inlineConstants;  ///< before September 2024; entry 0 means "no data"

    /// Errors: Io; Format (not a program, damaged); Unsupported (an unknown kind of value or instruction);
    /// Limit.
    [[nodiscard]] static core::Result<std::shared_ptr<const Program>> open(const std::filesystem::path& path);
    [[nodiscard]] static core::Result<std::shared_ptr<const Program>> parse(
        std::shared_ptr<const core::MappedFile> file);

    /// Parses the program in a part of a file (a span of file->bytes(), otherwise InvalidArgument). Offsets
    /// in errors and in segments refer to the whole file.
    [[nodiscard]] static core::Result<std::shared_ptr<const Program>> parse(
        std::shared_ptr<const core::MappedFile> file, core::Bytes part);

    /// The first method or blob of that name; null if there is none.
    [[nodiscard]] const Method* findMethod(std::string_view name) const;
    [[nodiscard]] const NamedData* findNamedData(std::string_view key) const;
};

}  // namespace et::program
