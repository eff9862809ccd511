#include "app/tasks/base/output_file.h"

#include "runtime/core/mapped_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

/// Borrowed pages of a mapped file are released when they are written.
constexpr std::size_t stepBytes = std::size_t{4} << 20U;

/// `content` must outlive the producer.
Producer producerOfPieces(const core::FileContent& content) {
    return [&content](std::ostream& out) -> core::Result<> {
        for (core::Bytes piece : content.pieces()) {
            while (!piece.empty()) {
                const core::Bytes next = piece.first(std::min(piece.size(), stepBytes));
                out.write(reinterpret_cast<const char*>(next.data()),
                          static_cast<std::streamsize>(next.size()));
                core::releaseMappedPages(next);
                piece = piece.subspan(next.size());
            }
        }
        return {};
    };
}

}  // namespace

core::Result<> writeFile(const std::filesystem::path& path, const Producer& producer,
                         core::FileReplacement::Sync sync) {
    ET_ASSIGN(core::FileReplacement file,
              core::FileReplacement::open(path, core::FileReplacement::Links::Follow, sync));
    // The reader of a closed pipe has read all it wanted.
    ET_TRY(writeTo(file.descriptor(), path.string(), producer));
    return file.finish();
}

core::Result<> writeFile(const std::filesystem::path& path, const core::FileContent& content) {
    return writeFile(path, producerOfPieces(content));
}

core::Result<> writeChecked(const std::filesystem::path& path, const core::FileContent& content,
                            const FileCheck& check) {
    const auto joined = [&] {
        return core::MappedFile::fromMemory(content.joined(), path.empty() ? "the program" : path.string());
    };
    if (path.empty()) {
        return check(joined());
    }
    ET_ASSIGN(core::FileReplacement file, core::FileReplacement::open(path));
    if (file.writtenTo().empty()) {
        ET_TRY(check(joined()));
        ET_TRY(writeTo(file.descriptor(), path.string(), producerOfPieces(content)));
        return file.finish();
    }
    ET_TRY(writeTo(file.descriptor(), path.string(), producerOfPieces(content)));
    ET_ASSIGN(auto written, core::MappedFile::open(file.writtenTo()));
    if (auto checked = check(std::move(written)); !checked) {
        core::Error error = std::move(checked).error();
        if (error.where.file == file.writtenTo()) {
            error.where.file = path.string();
        }
        return std::unexpected(std::move(error));
    }
    return file.finish();
}

core::Result<> refuseToReplace(const std::filesystem::path& path,
                               const std::vector<std::filesystem::path>& inputs) {
    for (const std::filesystem::path& input : inputs) {
        std::error_code unknown;
        if (std::filesystem::is_regular_file(path, unknown) &&
            std::filesystem::equivalent(path, input, unknown)) {
            return core::fail(core::ErrorCode::InvalidArgument, "refusing to overwrite an input file",
                              {.file = path.string(), .field = {}, .offset = {}});
        }
    }
    return {};
}

core::Result<> checkFoldersOf(const std::vector<std::filesystem::path>& outputs) {
    for (const std::filesystem::path& path : outputs) {
        std::error_code unknown;
        const std::filesystem::path folder = path.parent_path();
        // A descriptor that a parent process passes needs no /dev.
        const bool isFile = !path.empty() && path != "-" && !folder.empty() && folder != "/dev/fd";
        if (isFile && !std::filesystem::exists(folder, unknown) && !unknown) {
            return core::fail(core::ErrorCode::Io,
                              fmt::format("cannot create: there is no folder {}", folder.string()),
                              {.file = path.string(), .field = {}, .offset = {}});
        }
    }
    return {};
}

core::Result<> makeFolder(const std::filesystem::path& folder) {
    std::error_code refused;
    std::filesystem::create_directories(folder, refused);
    if (refused) {
        return core::fail(core::ErrorCode::Io, fmt::format("cannot create the folder: {}", refused.message()),
                          {.file = folder.string(), .field = {}, .offset = {}});
    }
    return {};
}

}  // namespace et::tasks
