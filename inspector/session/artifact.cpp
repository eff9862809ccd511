#include "inspector/session/artifact.h"

#include "runtime/core/wrapped_file.h"

#include <algorithm>
#include <array>
#include <utility>

namespace et::inspector {

namespace {

struct ArtifactTraits {
    ArtifactKind kind;
    std::string_view name;
};

constexpr std::array artifacts{
    ArtifactTraits{ArtifactKind::Program, "program (.pte)"},
    ArtifactTraits{ArtifactKind::TensorData, "external tensor data (.ptd)"},
    ArtifactTraits{ArtifactKind::Trace, "trace (.etdp)"},
    ArtifactTraits{ArtifactKind::Record, "ETRecord"},
    ArtifactTraits{ArtifactKind::BundledProgram, "bundled program (.bpte)"},
    ArtifactTraits{ArtifactKind::Database, "SQLite database"},
    ArtifactTraits{ArtifactKind::Unknown, "unknown file"},
};

constexpr std::string_view databaseMark{"SQLite format 3\0", 16};

/// Signature at the start of a flatbuffer: its first characters, without the version digits that follow.
struct Mark {
    ArtifactKind kind;
    std::size_t offset;
    std::string_view text;
};

constexpr std::array marks{
    Mark{ArtifactKind::Program, 4, "ET"},        Mark{ArtifactKind::TensorData, 4, "FT"},
    Mark{ArtifactKind::BundledProgram, 4, "BP"}, Mark{ArtifactKind::Trace, 4, "ED"},
    Mark{ArtifactKind::Trace, 8, "ED"},
};

constexpr std::string_view zipMark = "PK\x03\x04";
constexpr std::string_view recordEntry = "ETRECORD_V0";
constexpr std::size_t versionDigits = 2;

bool hasAt(std::string_view text, std::size_t offset, std::string_view mark) {
    return text.size() >= offset && text.substr(offset).starts_with(mark);
}

bool matches(std::string_view text, const Mark& mark) {
    const std::size_t digits = mark.offset + mark.text.size();
    return hasAt(text, mark.offset, mark.text) && text.size() >= digits + versionDigits &&
           std::ranges::all_of(text.substr(digits, versionDigits),
                               [](char c) { return c >= '0' && c <= '9'; });
}

/// The zip directory is at the end of the file and names every entry.
bool isRecord(std::string_view text) {
    if (!text.starts_with(zipMark)) {
        return false;
    }
    constexpr std::size_t localHeader = 30;  // the name of the first entry follows it
    constexpr std::size_t directory = std::size_t{1} << 20U;
    return hasAt(text, localHeader, recordEntry) ||
           text.substr(text.size() - std::min(text.size(), directory)).contains(recordEntry);
}

}  // namespace

std::string_view artifactName(ArtifactKind kind) {
    return std::ranges::find(artifacts, kind, &ArtifactTraits::kind)->name;
}

ArtifactKind detectArtifact(core::Bytes bytes) {
    const std::string_view text = core::textOf(bytes);
    if (isRecord(text)) {
        return ArtifactKind::Record;
    }
    if (text.starts_with(databaseMark)) {
        return ArtifactKind::Database;
    }
    const auto* mark =
        std::ranges::find_if(marks, [text](const Mark& candidate) { return matches(text, candidate); });
    return mark == marks.end() ? ArtifactKind::Unknown : mark->kind;
}

core::Result<RecognizedFile> RecognizedFile::open(const std::filesystem::path& path) {
    auto file = core::openUnwrapped(path, core::ZipFiles::Accepted);
    if (!file) {
        return std::unexpected(std::move(file).error().in(path.string()));
    }
    return of(*std::move(file));
}

RecognizedFile RecognizedFile::of(std::shared_ptr<const core::MappedFile> file) {
    const ArtifactKind kind = detectArtifact(file->bytes());
    std::filesystem::path path = file->name();
    return {.path = std::move(path), .file = std::move(file), .kind = kind};
}

core::Result<std::vector<RecognizedFile>> recognizeFiles(std::span<const std::filesystem::path> paths) {
    std::vector<RecognizedFile> files;
    files.reserve(paths.size());
    for (const std::filesystem::path& path : paths) {
        ET_ASSIGN(files.emplace_back(), RecognizedFile::open(path));
    }
    return files;
}

}  // namespace et::inspector
