#include "tests/fuzz/support/mutate_zip.h"

#include "runtime/archive/zip.h"
#include "tests/etrecord/zip_builder.h"

#include <span>
#include <utility>

namespace et::fuzz {
namespace {

using Entries = std::vector<test::ZipEntry>;

Entries entriesOf(const archive::ZipArchive& zip) {
    Entries entries;
    for (const auto& entry : zip.entries()) {
        if (const auto content = zip.read(entry)) {
            const core::Bytes bytes = content->bytes();
            entries.push_back(
                {.name = entry.name,
                 .content = std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
        }
    }
    return entries;
}

void changeDirectory(Entries& entries, std::size_t at, std::mt19937_64& random) {
    switch (random() % 4) {
        case 0:
            entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(at));
            break;
        case 1:
            std::swap(entries[at].content, entries[random() % entries.size()].content);
            break;
        case 2:
            std::swap(entries[at], entries[random() % entries.size()]);
            break;
        default: {  // as another writer may have compressed it
            const std::string content = entries[at].content;
            entries[at] = {.name = entries[at].name,
                           .content = test::deflateStored(content),
                           .method = 8,
                           .claimedBytes = static_cast<std::uint32_t>(content.size()),
                           .claimedCrc = test::crc32(content)};
        }
    }
}

void changeContent(std::string& content, std::mt19937_64& random,
                   const std::function<void(std::string&)>& mutate) {
    const auto inner = mutateZip(std::as_bytes(std::span(content)), random, mutate);
    if (inner.empty()) {
        mutate(content);
    } else {
        content.assign(reinterpret_cast<const char*>(inner.data()), inner.size());
    }
}

}  // namespace

std::vector<std::byte> mutateZip(core::Bytes zip, std::mt19937_64& random,
                                 const std::function<void(std::string&)>& mutate) {
    const auto archive = archive::ZipArchive::open(core::MappedFile::fromMemory({zip.begin(), zip.end()}));
    if (!archive) {
        return {};
    }
    Entries entries = entriesOf(*archive);
    if (entries.empty()) {
        return {};
    }
    const std::size_t at = random() % entries.size();
    if (random() % 16 == 0) {
        changeDirectory(entries, at, random);
    } else if (random() % 32 == 0) {
        mutate(entries[at].name);
    } else {
        changeContent(entries[at].content, random, mutate);
    }
    const std::string built = test::buildZip(entries);
    const auto bytes = std::as_bytes(std::span(built));
    return {bytes.begin(), bytes.end()};
}

}  // namespace et::fuzz
