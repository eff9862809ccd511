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

/// A program (.pte), verified and turned into values. Texts, tensor data and payloads stay in the mapped
/// file. Everything a reader can check without running is checked: every id is in range, every tensor that is
/// planned lies in its arena, every constant and payload lies in the file. What only a run can tell (an
/// operator that nothing has, an argument of the wrong type, a loop without end) is not. Format: flatbuffer
/// `ET12`, see docs/formats.md. Immutable: hold it as shared_ptr<const Program>.
struct Program {
    /// Most memory that a method may plan: more than a process can address on the machines of today.
    static constexpr std::uint64_t maxPlannedBytes = std::uint64_t{1} << 47;

    std::shared_ptr<const core::MappedFile> file;
    core::Bytes bytes;         ///< the program: all of `file`, or the part that a bundled program embeds
    std::uint64_t offset = 0;  ///< of `bytes` in `file`
    std::uint32_t version = 0;
    std::optional<ExtendedHeader> header;  ///< nothing: the file is a bare flatbuffer without segments
    std::vector<Method> methods;
    std::vector<Segment> segments;
    std::vector<NamedData> namedData;
    std::vector<core::Bytes> inlineConstants;  ///< before September 2024; entry 0 stands for "no data"

    /// Errors: Io; Format (not a program, damaged); Unsupported (a newer kind of value or instruction);
    /// Limit.
    [[nodiscard]] static core::Result<std::shared_ptr<const Program>> open(const std::filesystem::path& path);
    [[nodiscard]] static core::Result<std::shared_ptr<const Program>> parse(
        std::shared_ptr<const core::MappedFile> file);

    /// The program in a part of a file (a span of file->bytes(), else InvalidArgument). Offsets in errors and
    /// in segments are those of the whole file.
    [[nodiscard]] static core::Result<std::shared_ptr<const Program>> parse(
        std::shared_ptr<const core::MappedFile> file, core::Bytes part);

    /// The first method or blob of that name; null where there is none.
    [[nodiscard]] const Method* findMethod(std::string_view name) const;
    [[nodiscard]] const NamedData* findNamedData(std::string_view key) const;
};

}  // namespace et::program
