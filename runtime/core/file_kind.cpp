#include "runtime/core/file_kind.h"

#include "runtime/core/wrapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace et::core {
namespace {

struct KindInfo {
    FileKind kind;
    std::string_view name;
    std::string_view article;
};

constexpr std::array kinds{
    KindInfo{FileKind::Program, "program (.pte)", "a "},
    KindInfo{FileKind::TensorData, "external tensor data (.ptd)", ""},
    KindInfo{FileKind::Trace, "trace (.etdp)", "a "},
    KindInfo{FileKind::Record, "ETRecord", "an "},
    KindInfo{FileKind::BundledProgram, "bundled program (.bpte)", "a "},
    KindInfo{FileKind::Package, "package (.ptn)", "a "},
    KindInfo{FileKind::Database, "SQLite database", "an "},
    KindInfo{FileKind::Profile, "profile of a vendor's tool", "a "},
    KindInfo{FileKind::Unknown, "unknown file", "an "},
};

constexpr std::string_view databaseMark{"SQLite format 3\0", 16};

/// Signature at the start of a flatbuffer: its first characters, without the version digits that follow.
struct Mark {
    FileKind kind;
    std::size_t offset;
    std::string_view text;
};

constexpr std::array marks{
    Mark{FileKind::Program, 4, "ET"},        Mark{FileKind::TensorData, 4, "FT"},
    Mark{FileKind::BundledProgram, 4, "BP"}, Mark{FileKind::Trace, 4, "ED"},
    Mark{FileKind::Trace, 8, "ED"},
};

constexpr std::string_view recordEntry = "ETRECORD_V0";
/// One without a graph is a damaged package.
constexpr std::array<std::string_view, 2> packageEntries{"program.ptg", "program.safetensors"};
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
bool isZipWith(std::string_view text, std::string_view entry) {
    if (!text.starts_with(zipMark)) {
        return false;
    }
    constexpr std::size_t localHeader = 30;  // the name of the first entry follows it
    constexpr std::size_t directory = std::size_t{1} << 20U;
    return hasAt(text, localHeader, entry) ||
           text.substr(text.size() - std::min(text.size(), directory)).contains(entry);
}

std::string phrase(FileKind kind) {
    const KindInfo& info = *std::ranges::find(kinds, kind, &KindInfo::kind);
    return fmt::format("{}{}", info.article, info.name);
}

}  // namespace

std::string_view fileKindName(FileKind kind) {
    return std::ranges::find(kinds, kind, &KindInfo::kind)->name;
}

FileKind detectFileKind(Bytes bytes) {
    const std::string_view text = textOf(bytes);
    if (isZipWith(text, recordEntry)) {
        return FileKind::Record;
    }
    if (std::ranges::any_of(packageEntries, [&](std::string_view entry) { return isZipWith(text, entry); })) {
        return FileKind::Package;
    }
    if (text.starts_with(databaseMark)) {
        return FileKind::Database;
    }
    const auto* mark =
        std::ranges::find_if(marks, [text](const Mark& candidate) { return matches(text, candidate); });
    return mark == marks.end() ? FileKind::Unknown : mark->kind;
}

std::string wrongKindText(Bytes bytes, std::string_view expected) {
    const FileKind kind = detectFileKind(bytes);
    const std::string found = kind == FileKind::Unknown ? wrapperText(bytes) : phrase(kind);
    return found.empty() ? std::string() : fmt::format("this is {}; expected {}", found, expected);
}

Result<> checkStream(Bytes start, std::uint64_t size, const std::string& file) {
    if (size <= maxUnknownBytes || detectFileKind(start) != FileKind::Unknown ||
        textOf(start).starts_with(zipMark)) {
        return {};
    }
    return fail(ErrorCode::Limit,
                fmt::format("expected a file, got a stream of more than {} bytes of an unknown format",
                            maxUnknownBytes),
                {.file = file, .field = {}, .offset = {}});
}

Result<std::shared_ptr<const MappedFile>> openOfKind(const std::filesystem::path& path, FileKind expected) {
    ET_ASSIGN(auto file, openUnwrapped(path, ZipFiles::Accepted));
    const Bytes bytes = file->bytes();
    const FileKind found = detectFileKind(bytes);
    const bool isZip = textOf(bytes).starts_with(zipMark);
    // The reader describes the damage of a file that may be of its kind.
    const bool isZipKind = expected == FileKind::Record || expected == FileKind::Package;
    const bool mayBe = found == FileKind::Unknown && isZip == isZipKind;
    if (found == expected || mayBe || bytes.empty()) {
        return file;
    }
    std::string text = wrongKindText(bytes, phrase(expected));
    if (text.empty()) {
        text = fmt::format("expected {}, got an unknown file", phrase(expected));
    }
    return fail(ErrorCode::Format, std::move(text), {.file = file->name(), .field = {}, .offset = {}});
}

}  // namespace et::core
