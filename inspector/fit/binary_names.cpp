#include "inspector/fit/binary_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <optional>
#include <system_error>
#include <vector>

// ELF: the System V ABI's "Object Files". Archives: its "Archive file" format, as written by GNU ar.
namespace et::inspector {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::Result;

constexpr std::array elfMagic{std::byte{0x7f}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}};
constexpr std::string_view archiveMagic = "!<arch>\n";
constexpr std::string_view thinMagic = "!<thin>\n";
constexpr std::size_t maxNames = 200'000;

bool isIdentifier(unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
}

/// "aten::add.out": a namespace, an operator, and usually an overload. Empty if the text does not end with
/// one.
std::string_view operatorAtEnd(std::string_view text) {
    const std::size_t colons = text.rfind("::");
    if (colons == std::string_view::npos || colons == 0 || colons + 2 >= text.size()) {
        return {};
    }
    const std::string_view name = text.substr(colons + 2);
    const auto isPart = [](unsigned char c) { return isIdentifier(c) || c == '.'; };
    if (!std::ranges::all_of(name, isPart) || std::ranges::count(name, '.') > 1 || name.front() == '.' ||
        name.ends_with('.')) {
        return {};
    }
    std::size_t begin = colons;
    while (begin > 0 && isIdentifier(static_cast<unsigned char>(text[begin - 1]))) {
        --begin;
    }
    // "a::b::c" is a C++ name.
    const bool isNested = begin >= 2 && text.substr(begin - 2, 2) == "::";
    const bool isStandard = text.substr(begin).starts_with("std::");
    return begin == colons || isNested || isStandard ? std::string_view() : text.substr(begin);
}

/// Collects strings from constant data.
class TextScan {
  public:
    TextScan(BinaryNames& into, std::span<const std::string> wanted) : out(into), backends(wanted) {}

    Result<> scan(Bytes data) {
        const std::string_view all = core::textOf(data);
        std::size_t begin = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto c = static_cast<unsigned char>(all[i]);
            if (std::isprint(c) != 0) {
                continue;
            }
            if (c == 0 && i > begin) {
                ET_TRY(take(all.substr(begin, i - begin)));
            }
            begin = i + 1;
        }
        return {};
    }

  private:
    Result<> take(std::string_view text) {
        constexpr std::size_t longest = 200;
        if (const std::string_view name = operatorAtEnd(text); !name.empty() && name.size() <= longest) {
            out.operators.emplace(name);
        }
        const bool isWord = std::ranges::all_of(text, [](unsigned char c) { return isIdentifier(c); });
        if (text.size() <= longest &&
            ((isWord && text.contains("Backend")) || std::ranges::contains(backends, text))) {
            out.backends.emplace(text);
        }
        return out.operators.size() + out.backends.size() > maxNames
                   ? core::fail(ErrorCode::Limit, fmt::format("more than {} operator names", maxNames))
                   : Result<>();
    }

    BinaryNames& out;
    std::span<const std::string> backends;
};

/// Byte range referenced by a table of an ELF file.
struct Range {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

struct Section {
    std::uint32_t type = 0;
    std::uint64_t flags = 0;
    Range data;
    std::uint32_t link = 0;
};

/// One ELF file, at offset `origin` of the file named in errors.
class ElfReader {
  public:
    ElfReader(Bytes all, std::uint64_t start, BinaryNames& into) : bytes(all), origin(start), out(into) {}

    Result<> read(TextScan& texts) {
        constexpr std::size_t classAt = 4;
        constexpr std::size_t orderAt = 5;
        constexpr std::size_t headBytes = 16;
        if (bytes.size() < headBytes || !std::ranges::equal(bytes.first(elfMagic.size()), elfMagic)) {
            return wrong("e_ident", 0, "expected the ELF magic");
        }
        const auto kind = static_cast<unsigned>(bytes[classAt]);
        const auto order = static_cast<unsigned>(bytes[orderAt]);
        if (kind < 1 || kind > 2 || order < 1 || order > 2) {
            return wrong("e_ident", classAt,
                         fmt::format("expected class and byte order of 1 or 2, got {} and {}", kind, order));
        }
        is64 = kind == 2;
        isBig = order == 2;
        const unsigned pointer = is64 ? 8 : 4;
        out.pointerBytes = out.objects == 0 || out.pointerBytes == pointer ? pointer : 0;
        ++out.objects;
        ET_ASSIGN(const std::vector<Section> sections, readSections());
        if (sections.empty()) {
            return scanSegments(texts);
        }
        for (const Section& section : sections) {
            ET_TRY(readSection(section, sections, texts));
        }
        return {};
    }

  private:
    std::unexpected<core::Error> wrong(std::string_view field, std::uint64_t offset,
                                       std::string message) const {
        return core::fail(ErrorCode::Format, std::move(message),
                          {.file = {}, .field = std::string(field), .offset = origin + offset});
    }

    /// A number of `size` bytes. The caller has checked the range.
    std::uint64_t number(std::uint64_t offset, std::size_t size) const {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t at = isBig ? i : size - 1 - i;
            value = value << 8U | static_cast<std::uint64_t>(bytes[offset + at]);
        }
        return value;
    }

    Result<Bytes> range(const Range& place, std::string_view field) const {
        if (place.offset > bytes.size() || place.bytes > bytes.size() - place.offset) {
            return wrong(
                field, std::min<std::uint64_t>(place.offset, bytes.size()),
                fmt::format("expected {} bytes at {} of {}", place.bytes, place.offset, bytes.size()));
        }
        return bytes.subspan(place.offset, place.bytes);
    }

    /// A table whose offset, entry size and count are in the header.
    struct Table {
        std::uint64_t offset = 0;
        std::uint64_t entryBytes = 0;
        std::uint64_t count = 0;
    };

    Result<Table> table(std::size_t offsetAt, std::size_t entryAt, std::size_t leastBytes,
                        std::string_view field) const {
        const std::size_t headerBytes = is64 ? 64 : 52;
        if (bytes.size() < headerBytes) {
            return wrong("e_ident", 0,
                         fmt::format("expected a header of {} bytes, got {}", headerBytes, bytes.size()));
        }
        Table found{.offset = number(offsetAt, is64 ? 8 : 4),
                    .entryBytes = number(entryAt, 2),
                    .count = number(entryAt + 2, 2)};
        if (found.offset == 0) {
            return Table{};
        }
        if (found.count > 0 && found.entryBytes < leastBytes) {
            return wrong(
                field, entryAt,
                fmt::format("expected entries of at least {} bytes, got {}", leastBytes, found.entryBytes));
        }
        return found;
    }

    Result<std::vector<Section>> readSections() const {
        const std::size_t leastBytes = is64 ? 64 : 40;
        ET_ASSIGN(Table sections, table(is64 ? 0x28 : 0x20, is64 ? 0x3a : 0x2e, leastBytes, "e_shentsize"));
        if (sections.offset != 0 && sections.count == 0) {
            // If there are more than 65279 sections, the first entry contains the count.
            sections.entryBytes = std::max<std::uint64_t>(sections.entryBytes, leastBytes);
            ET_TRY(range({sections.offset, leastBytes}, "e_shoff"));
            sections.count = number(sections.offset + (is64 ? 0x20 : 0x14), is64 ? 8 : 4);
        }
        if (sections.count > bytes.size() / leastBytes) {
            return wrong("e_shnum", is64 ? 0x3c : 0x30,
                         fmt::format("{} sections in {} bytes", sections.count, bytes.size()));
        }
        ET_TRY(range({sections.offset, sections.count * sections.entryBytes}, "e_shoff"));
        std::vector<Section> found;
        for (std::uint64_t i = 0; i < sections.count; ++i) {
            const std::uint64_t at = sections.offset + i * sections.entryBytes;
            found.push_back({.type = static_cast<std::uint32_t>(number(at + 4, 4)),
                             .flags = number(at + 8, is64 ? 8 : 4),
                             .data = {number(at + (is64 ? 0x18 : 0x10), is64 ? 8 : 4),
                                      number(at + (is64 ? 0x20 : 0x14), is64 ? 8 : 4)},
                             .link = static_cast<std::uint32_t>(number(at + (is64 ? 0x28 : 0x18), 4))});
        }
        return found;
    }

    Result<> readSection(const Section& section, const std::vector<Section>& all, TextScan& texts) {
        constexpr std::uint32_t programBits = 1;
        constexpr std::uint32_t symbolTable = 2;
        constexpr std::uint32_t dynamicSymbols = 11;
        constexpr std::uint64_t allocated = 2;
        if (section.type == programBits && (section.flags & allocated) != 0) {
            ET_ASSIGN(const Bytes data, range(section.data, "sh_offset"));
            return texts.scan(data);
        }
        if (section.type != symbolTable && section.type != dynamicSymbols) {
            return {};
        }
        if (section.link >= all.size()) {
            return wrong("sh_link", 0,
                         fmt::format("expected a section below {}, got {}", all.size(), section.link));
        }
        ET_ASSIGN(const Bytes names, range(all[section.link].data, "sh_offset"));
        return readSymbols(names);
    }

    /// Reads the mangled names of all symbols, to find kernels.
    Result<> readSymbols(Bytes names) {
        const std::string_view all = core::textOf(names);
        out.hasSymbols = out.hasSymbols || !all.empty();
        // torch::executor::native::add_out, _ZN5torch8executor6native7add_outE…
        constexpr std::string_view scope = "5torch8executor6native";
        for (std::size_t at = all.find(scope); at != std::string_view::npos; at = all.find(scope, at + 1)) {
            const char* const begin = all.data() + at + scope.size();
            std::size_t length = 0;
            const auto [stop, error] = std::from_chars(begin, all.data() + all.size(), length);
            constexpr std::size_t longest = 200;
            const auto left = static_cast<std::size_t>(all.data() + all.size() - stop);
            if (error == std::errc() && length > 0 && length <= std::min(longest, left)) {
                out.kernels.emplace(stop, length);
            }
            if (out.kernels.size() > maxNames) {
                return core::fail(ErrorCode::Limit, fmt::format("more than {} kernel names", maxNames));
            }
        }
        return {};
    }

    /// Scans the loaded segments of a file whose section headers were stripped.
    Result<> scanSegments(TextScan& texts) {
        ET_ASSIGN(const Table segments,
                  table(is64 ? 0x20 : 0x1c, is64 ? 0x36 : 0x2a, is64 ? 56 : 32, "e_phentsize"));
        ET_TRY(range({segments.offset, segments.count * segments.entryBytes}, "e_phoff"));
        constexpr std::uint64_t load = 1;
        for (std::uint64_t i = 0; i < segments.count; ++i) {
            const std::uint64_t at = segments.offset + i * segments.entryBytes;
            if (number(at, 4) != load) {
                continue;
            }
            ET_ASSIGN(const Bytes data, range({number(at + (is64 ? 8 : 4), is64 ? 8 : 4),
                                               number(at + (is64 ? 0x20 : 0x10), is64 ? 8 : 4)},
                                              "p_offset"));
            ET_TRY(texts.scan(data));
        }
        return {};
    }

    Bytes bytes;
    std::uint64_t origin;
    BinaryNames& out;
    bool is64 = true;
    bool isBig = false;
};

/// A member's size in bytes, in decimal digits and blanks.
std::optional<std::uint64_t> decimal(std::string_view field) {
    field = field.substr(0, field.find(' '));
    std::uint64_t value = 0;
    const char* const end = field.data() + field.size();
    const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    return error == std::errc() && stop == end && !field.empty() ? std::optional(value) : std::nullopt;
}

/// Reads all ELF files of an archive; other members (a symbol table, a text) are skipped.
Result<> readArchive(Bytes bytes, TextScan& texts, BinaryNames& out) {
    constexpr std::size_t headerBytes = 60;
    constexpr std::size_t sizeAt = 48;
    constexpr std::size_t sizeBytes = 10;
    for (std::uint64_t at = archiveMagic.size(); at < bytes.size();) {
        if (bytes.size() - at < headerBytes) {
            return core::fail(
                ErrorCode::Format,
                fmt::format("expected a member header of {} bytes, got {}", headerBytes, bytes.size() - at),
                {.file = {}, .field = "ar_hdr", .offset = at});
        }
        const std::string_view header = core::textOf(bytes.subspan(at, headerBytes));
        const auto size = decimal(header.substr(sizeAt, sizeBytes));
        if (!size || header.substr(sizeAt + sizeBytes) != "`\n" || *size > bytes.size() - at - headerBytes) {
            return core::fail(ErrorCode::Format, "expected the size of a member within the file",
                              {.file = {}, .field = "ar_hdr.ar_size", .offset = at + sizeAt});
        }
        const Bytes member = bytes.subspan(at + headerBytes, *size);
        if (member.size() >= elfMagic.size() && std::ranges::equal(member.first(elfMagic.size()), elfMagic)) {
            ET_TRY(ElfReader(member, at + headerBytes, out).read(texts));
        }
        at += headerBytes + *size + *size % 2;
    }
    return out.objects == 0 ? core::fail(ErrorCode::Unsupported, "the archive contains no ELF file")
                            : Result<>();
}

Result<> readAll(Bytes bytes, TextScan& texts, BinaryNames& out) {
    if (core::textOf(bytes).starts_with(thinMagic)) {
        return core::fail(ErrorCode::Unsupported,
                          "thin archives are not supported: their objects are in other files");
    }
    return core::textOf(bytes).starts_with(archiveMagic) ? readArchive(bytes, texts, out)
                                                         : ElfReader(bytes, 0, out).read(texts);
}

}  // namespace

bool isBinary(Bytes bytes) {
    const std::string_view text = core::textOf(bytes);
    return text.starts_with(archiveMagic) || text.starts_with(thinMagic) ||
           text.starts_with(core::textOf(elfMagic));
}

Result<BinaryNames> readBinaryNames(const core::MappedFile& file, std::span<const std::string> backends) {
    BinaryNames out;
    TextScan texts(out, backends);
    if (auto done = readAll(file.bytes(), texts, out); !done) {
        return std::unexpected(core::Error(std::move(done).error()).in(file.name()));
    }
    return out;
}

KernelList collectKernels(const BinaryNames& names) {
    KernelList out{.listsDtypes = false, .kind = "a binary"};
    for (const std::string& name : names.operators) {
        out.add(name, {.anyDtype = true});
    }
    out.backends = names.backends;
    if (names.operators.empty() && !names.kernels.empty()) {
        out.notes.push_back(
            fmt::format("it has {} kernel functions but registers none: also link the library that registers "
                        "them (portable_ops_lib for the portable kernels)",
                        names.kernels.size()));
    } else if (names.operators.empty()) {
        out.notes.emplace_back("it contains no operator names: is it a runtime?");
    }
    return out;
}

}  // namespace et::inspector
