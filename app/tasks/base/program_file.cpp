#include "app/tasks/base/program_file.h"

#include "app/tasks/base/package_file.h"
#include "runtime/core/file_kind.h"
#include "runtime/native/package.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace et::tasks {

using core::FileKind;

core::Result<ProgramFile> ProgramFile::open(const std::filesystem::path& path) {
    ET_ASSIGN(inspector::RecognizedFile file, inspector::RecognizedFile::open(path));
    return parse(std::move(file));
}

core::Result<ProgramFile> ProgramFile::parse(std::shared_ptr<const core::MappedFile> file) {
    return parse(inspector::RecognizedFile::of(std::move(file)));
}

core::Result<ProgramFile> ProgramFile::parse(inspector::RecognizedFile recognized) {
    auto& file = recognized.file;
    ProgramFile opened;
    switch (recognized.kind) {
        case FileKind::Program: {
            ET_ASSIGN(opened.program, program::Program::parse(std::move(file)));
            return opened;
        }
        case FileKind::BundledProgram: {
            ET_ASSIGN(opened.bundle, bundled_program::Bundle::parse(std::move(file)));
            ET_ASSIGN(opened.program, program::Program::parse(opened.bundle->file, opened.bundle->program));
            return opened;
        }
        case FileKind::Package: {
            ET_ASSIGN(auto package, native::Package::parse(std::move(file)));
            return lowerPackage(std::move(package));
        }
        case FileKind::TensorData:
        case FileKind::Trace:
        case FileKind::Record:
        case FileKind::Database:
        case FileKind::Profile:
        case FileKind::Unknown:
            break;
    }
    constexpr std::string_view expected = "a program (.pte) or a bundled program (.bpte)";
    std::string problem =
        file->bytes().empty() ? "the file is empty" : core::wrongKindText(file->bytes(), expected);
    if (problem.empty()) {
        problem = fmt::format("expected {}, got neither", expected);
    }
    return core::fail(core::ErrorCode::Format, std::move(problem),
                      {.file = file->name(), .field = {}, .offset = {}});
}

core::Result<std::vector<std::shared_ptr<const program::TensorData>>> openTensorData(
    std::span<const std::filesystem::path> paths) {
    std::vector<std::shared_ptr<const program::TensorData>> files;
    for (const std::filesystem::path& path : paths) {
        ET_ASSIGN(files.emplace_back(), program::TensorData::open(path));
    }
    return files;
}

core::Result<std::shared_ptr<const etrecord::Record>> openRecord(const std::filesystem::path& path) {
    if (path.empty()) {
        return nullptr;
    }
    // Names the kind of a file that is neither a record nor a package.
    auto record = core::openOfKind(path, FileKind::Record);
    if (record || record.error().code != core::ErrorCode::Format) {
        ET_TRY(record);
        return etrecord::Record::parse(*std::move(record));
    }
    auto package = core::openOfKind(path, FileKind::Package);
    if (!package || core::detectFileKind((*package)->bytes()) != FileKind::Package) {
        return std::unexpected(std::move(record).error());
    }
    return parseRecord(*std::move(package));
}

}  // namespace et::tasks
