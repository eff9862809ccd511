#include "app/cli/mcp/model_files.h"

#include "runtime/core/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::cli::mcp {

using core::FileKind;
using core::Result;

Result<ModelFiles> ModelFiles::open(const std::vector<std::string>& paths, const Roots& roots) {
    ModelFiles all;
    for (const std::string& each : paths) {
        ET_ASSIGN(const std::filesystem::path path, roots.existing(each));
        if (!std::filesystem::is_regular_file(path)) {
            return core::fail(core::ErrorCode::InvalidArgument, fmt::format("{}: expected a file", each));
        }
        ET_ASSIGN(const auto file, core::MappedFile::open(path));
        all.files.push_back({.path = path.string(), .kind = core::detectFileKind(file->bytes())});
    }
    return all;
}

std::vector<std::string> ModelFiles::all() const {
    std::vector<std::string> paths;
    std::ranges::transform(files, std::back_inserter(paths), &File::path);
    return paths;
}

std::vector<std::string> ModelFiles::ofKind(FileKind kind) const {
    std::vector<std::string> paths;
    for (const File& each : files) {
        if (each.kind == kind) {
            paths.push_back(each.path);
        }
    }
    return paths;
}

std::string ModelFiles::first(FileKind kind) const {
    const auto found = ofKind(kind);
    return found.empty() ? std::string() : found.front();
}

std::string ModelFiles::program() const {
    for (const FileKind kind : {FileKind::Program, FileKind::BundledProgram, FileKind::Package}) {
        if (std::string found = first(kind); !found.empty()) {
            return found;
        }
    }
    return {};
}

Result<std::string> ModelFiles::requireProgram(std::string_view use) const {
    std::string found = program();
    if (found.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("files: {} needs a program (.pte, .bpte or .ptn)", use));
    }
    return found;
}

Result<std::string> ModelFiles::requireRecord(std::string_view use) const {
    std::string found = record();
    if (found.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument, fmt::format("files: {} needs an ETRecord", use));
    }
    return found;
}

}  // namespace et::cli::mcp
