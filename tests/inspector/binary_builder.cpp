#include "tests/inspector/binary_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace et::test {
namespace {

class ElfWriter {
  public:
    explicit ElfWriter(const ElfLayout& how) : layout(how) {}

    std::vector<std::byte> write(std::string_view data, std::string_view symbols) {
        const std::size_t header = layout.is64 ? 64 : 52;
        const std::size_t segment = layout.is64 ? 56 : 32;
        const std::size_t dataAt = header + segment;
        const std::size_t symbolsAt = dataAt + data.size();
        const std::size_t sectionsAt = symbolsAt + symbols.size();
        text(
            "\x7f"
            "ELF");
        number(layout.is64 ? 2 : 1, 1);
        number(layout.isBig ? 2 : 1, 1);
        number(1, 1);
        number(0, 9);
        number(2, 2);
        number(40, 2);
        number(1, 4);
        word(0);
        word(header);
        word(layout.hasSections ? sectionsAt : 0);
        number(0, 4);
        number(header, 2);
        number(segment, 2);
        number(1, 2);
        number(layout.is64 ? 64 : 40, 2);
        number(layout.hasSections ? 4 : 0, 2);
        number(0, 2);
        writeSegment(dataAt, data.size());
        text(data);
        text(symbols);
        if (layout.hasSections) {
            writeSection(0, 0, 0, 0, 0);
            writeSection(1, 2, dataAt, data.size(), 0);
            writeSection(2, 0, 0, 0, 3);
            writeSection(3, 0, symbolsAt, symbols.size(), 0);
        }
        return std::move(out);
    }

  private:
    void writeSegment(std::size_t at, std::size_t bytes) {
        number(1, 4);
        if (layout.is64) {
            number(4, 4);
        }
        word(at);
        word(0);
        word(0);
        word(bytes);
        word(bytes);
        if (!layout.is64) {
            number(4, 4);
        }
        word(1);
    }
    void writeSection(std::uint64_t type, std::uint64_t flags, std::size_t at, std::size_t bytes,
                      std::uint64_t link) {
        number(0, 4);
        number(type, 4);
        word(flags);
        word(0);
        word(at);
        word(bytes);
        number(link, 4);
        number(0, 4);
        word(1);
        word(0);
    }
    void text(std::string_view content) {
        std::ranges::transform(content, std::back_inserter(out),
                               [](char c) { return static_cast<std::byte>(c); });
    }
    void word(std::uint64_t value) { number(value, layout.is64 ? 8 : 4); }
    void number(std::uint64_t value, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i) {
            const std::size_t place = layout.isBig ? bytes - 1 - i : i;
            out.push_back(place < 8 ? static_cast<std::byte>(value >> (8 * place)) : std::byte{0});
        }
    }

    ElfLayout layout;
    std::vector<std::byte> out;
};

}  // namespace

std::vector<std::byte> writeElf(std::string_view data, std::string_view symbols, const ElfLayout& layout) {
    return ElfWriter(layout).write(data, symbols);
}

std::vector<std::byte> writeArchive(
    const std::vector<std::pair<std::string, std::vector<std::byte>>>& members) {
    std::vector<std::byte> out;
    const auto add = [&](std::string_view text) {
        std::ranges::transform(text, std::back_inserter(out),
                               [](char c) { return static_cast<std::byte>(c); });
    };
    add("!<arch>\n");
    for (const auto& [name, content] : members) {
        add(fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", name + "/", 0, 0, 0, 644, content.size()));
        out.insert(out.end(), content.begin(), content.end());
        if (content.size() % 2 != 0) {
            add("\n");
        }
    }
    return out;
}

}  // namespace et::test
