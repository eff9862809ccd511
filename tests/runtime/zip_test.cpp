#include "runtime/archive/zip.h"

#include "runtime/archive/zip_writer.h"
#include "tests/etrecord/zip_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace et::archive {
namespace {

using test::buildZip;
using test::inMemory;
using testing::HasSubstr;

std::string textOf(const ZipContent& content) {
    return {reinterpret_cast<const char*>(content.bytes().data()), content.bytes().size()};
}

std::string zipErrorOf(const std::string& zip, ZipLimits limits = {}) {
    const auto opened = ZipArchive::open(inMemory(zip), "", limits);
    return opened ? "" : opened.error().toString();
}

TEST(Zip, ReadsStoredAndDeflatedEntries) {
    const std::string text = "some content";
    const auto zip = ZipArchive::open(inMemory(buildZip({
        {.name = "plain", .content = text},
        {.name = "folder/packed",
         .content = test::deflateStored(text),
         .method = 8,
         .claimedBytes = 12,
         .claimedCrc = test::crc32(text)},
        {.name = "empty"},
    })));
    ASSERT_TRUE(zip) << zip.error().toString();
    ASSERT_EQ(zip->entries().size(), 3U);
    for (const char* name : {"plain", "folder/packed"}) {
        const auto* entry = zip->find(name);
        ASSERT_NE(entry, nullptr);
        EXPECT_EQ(entry->bytes, text.size());
        const auto content = zip->read(*entry);
        ASSERT_TRUE(content) << content.error().toString();
        EXPECT_EQ(textOf(*content), text);
    }
    EXPECT_TRUE(zip->find("folder/packed")->deflated);
    EXPECT_EQ(textOf(*zip->read(*zip->find("empty"))), "");
    EXPECT_EQ(zip->find("stranger"), nullptr);
}

bool isWithin(core::Bytes part, core::Bytes all) {
    return part.data() >= all.data() && part.data() + part.size() <= all.data() + all.size();
}

std::string largeText() {
    std::string text;
    while (text.size() < 100'000) {
        text += std::to_string(text.size());
    }
    return text;
}

TEST(Zip, DoesNotCopyLargeStoredEntries) {
    const std::string text = largeText();
    const std::string inner =
        buildZip({{.name = "first", .content = "1"}, {.name = "weights", .content = text}});
    const auto file = inMemory(buildZip({{.name = "small", .content = "abc"},
                                         {.name = "large", .content = text},
                                         {.name = "nested", .content = inner}}));
    const auto zip = ZipArchive::open(file);
    ASSERT_TRUE(zip) << zip.error().toString();
    const auto large = zip->read(*zip->find("large"));
    ASSERT_TRUE(large) << large.error().toString();
    EXPECT_EQ(textOf(*large), text);
    EXPECT_TRUE(isWithin(large->bytes(), file->bytes()));
    const auto nested = zip->openNested(*zip->find("nested"));
    ASSERT_TRUE(nested) << nested.error().toString();
    const auto weights = nested->read(*nested->find("weights"));
    ASSERT_TRUE(weights) << weights.error().toString();
    EXPECT_EQ(textOf(*weights), text);
    EXPECT_TRUE(isWithin(weights->bytes(), file->bytes()));
    EXPECT_FALSE(isWithin(zip->read(*zip->find("small"))->bytes(), file->bytes()));
}

/// A zip with a large entry and another zip, in many pieces.
core::FileContent zipInPieces(const std::vector<std::byte>& weights) {
    core::FileContent borrowed;
    borrowed.appendBorrowed(weights);
    const auto inner = storeEntries({{"first", textContent("1")}, {"weights", borrowed}});
    return *storeEntries({{"small", textContent("abc")}, {"nested", *inner}});
}

TEST(Zip, ReadsAZipInPiecesWithoutCopyingLargeEntries) {
    const std::vector<std::byte> weights(200'000, std::byte{7});
    const core::FileContent content = zipInPieces(weights);
    ASSERT_GT(content.pieces().size(), 4U);
    const auto zip = ZipArchive::open(content, "record");
    ASSERT_TRUE(zip) << zip.error().toString();
    EXPECT_EQ(textOf(*zip->read(*zip->find("small"))), "abc");
    const auto nested = zip->openNested(*zip->find("nested"));
    ASSERT_TRUE(nested) << nested.error().toString();
    EXPECT_EQ(textOf(*nested->read(*nested->find("first"))), "1");
    EXPECT_EQ(nested->read(*nested->find("weights"))->bytes().data(), weights.data());
    const auto pieces = zip->pieces(*zip->find("nested"));
    ASSERT_TRUE(pieces) << pieces.error().toString();
    EXPECT_TRUE(std::ranges::contains(pieces->pieces(), weights.data(),
                                      [](core::Bytes piece) { return piece.data(); }));
    const auto whole = zip->read(*zip->find("nested"));
    ASSERT_TRUE(whole) << whole.error().toString();
    EXPECT_TRUE(std::ranges::equal(whole->bytes(), pieces->joined()));
}

TEST(Zip, VerifiesTheChecksumsOfPieces) {
    std::vector<std::byte> weights(200'000, std::byte{7});
    const core::FileContent content = zipInPieces(weights);
    weights[100'000] = std::byte{8};
    const auto zip = ZipArchive::open(content, "record");
    ASSERT_TRUE(zip) << zip.error().toString();
    const auto pieces = zip->pieces(*zip->find("nested"));
    ASSERT_FALSE(pieces);
    EXPECT_THAT(pieces.error().toString(), HasSubstr("damaged zip entry"));
}

TEST(Zip, ReadsLargeEntriesWhoseDirectoryIsBehindAComment) {
    const std::string text = largeText();
    std::string bytes = buildZip({{.name = "large", .content = text}});
    const std::string comment = "comment with PK\5\6 inside";
    bytes[bytes.size() - 2] = static_cast<char>(comment.size());
    const auto file = inMemory(bytes + comment);
    const auto zip = ZipArchive::open(file);
    ASSERT_TRUE(zip) << zip.error().toString();
    const auto large = zip->read(*zip->find("large"));
    ASSERT_TRUE(large) << large.error().toString();
    EXPECT_EQ(textOf(*large), text);
}

TEST(Zip, VerifiesTheChecksumOfLargeEntries) {
    const auto zip =
        ZipArchive::open(inMemory(buildZip({{.name = "large", .content = largeText(), .claimedCrc = 1}})));
    ASSERT_TRUE(zip) << zip.error().toString();
    const auto large = zip->read(*zip->find("large"));
    ASSERT_FALSE(large);
    EXPECT_THAT(large.error().toString(), HasSubstr("damaged zip entry"));
}

TEST(Zip, OpensZipsInsideStoredAndDeflatedEntries) {
    const std::string inner = buildZip({{.name = "a/data.pkl", .content = "inside"}});
    const auto zip = ZipArchive::open(inMemory(buildZip({
        {.name = "stored", .content = inner},
        {.name = "deflated",
         .content = test::deflateStored(inner),
         .method = 8,
         .claimedBytes = static_cast<std::uint32_t>(inner.size()),
         .claimedCrc = test::crc32(inner)},
    })));
    ASSERT_TRUE(zip) << zip.error().toString();
    for (const char* name : {"stored", "deflated"}) {
        const auto nested = zip->openNested(*zip->find(name));
        ASSERT_TRUE(nested) << nested.error().toString();
        const auto* entry = nested->find("a/data.pkl");
        ASSERT_NE(entry, nullptr);
        EXPECT_EQ(nested->pathOf(*entry), std::string(name) + "/a/data.pkl");
        EXPECT_EQ(textOf(*nested->read(*entry)), "inside");
    }
}

TEST(Zip, NestedArchiveOutlivesTheHandleItCameFrom) {
    const std::string inner = buildZip({{.name = "x", .content = "inside"}});
    auto outer = ZipArchive::open(inMemory(buildZip({{.name = "stored", .content = inner}})));
    ASSERT_TRUE(outer);
    auto nested = outer->openNested(*outer->find("stored"));
    ASSERT_TRUE(nested);
    outer = std::unexpected(core::Error{});
    EXPECT_EQ(textOf(*nested->read(*nested->find("x"))), "inside");
}

TEST(Zip, ThreadsMayReadNestedArchivesConcurrently) {
    const std::string inner = buildZip({{.name = "x", .content = "inside"}});
    const auto outer = ZipArchive::open(inMemory(buildZip({{.name = "stored", .content = inner}})));
    ASSERT_TRUE(outer);
    std::atomic<int> right = 0;
    constexpr int threads = 4;
    constexpr int rounds = 20'000;
    {
        std::vector<std::jthread> workers;
        for (int thread = 0; thread < threads; ++thread) {
            workers.emplace_back([&] {
                for (int round = 0; round < rounds; ++round) {
                    const auto nested = outer->openNested(*outer->find("stored"));
                    right += nested && textOf(*nested->read(*nested->find("x"))) == "inside" ? 1 : 0;
                }
            });
        }
    }
    EXPECT_EQ(right, threads * rounds);
}

TEST(Zip, RejectsOtherFiles) {
    EXPECT_THAT(zipErrorOf(""), HasSubstr("test.zip: not a readable zip"));
    EXPECT_THAT(zipErrorOf("PK\x03\x04 and nothing more"), HasSubstr("not a readable zip"));
    const std::string whole = buildZip({{.name = "plain", .content = "content"}});
    EXPECT_THAT(zipErrorOf(whole.substr(0, whole.size() - 5)), HasSubstr("not a readable zip"));
}

TEST(Zip, WritesMoreEntriesThanTheOldFormatCounts) {
    constexpr std::size_t count = 70'000;
    archive::Entries entries;
    for (std::size_t i = 0; i < count; ++i) {
        entries.emplace_back(std::to_string(i), textContent(std::to_string(2 * i)));
    }
    const auto written = storeEntries(entries);
    ASSERT_TRUE(written) << written.error().toString();
    const auto zip =
        ZipArchive::open(core::MappedFile::fromMemory(written->joined()), {}, {.entries = count});
    ASSERT_TRUE(zip) << zip.error().toString();
    ASSERT_EQ(zip->entries().size(), count);
    const auto last = zip->read(zip->entries().back());
    ASSERT_TRUE(last) << last.error().toString();
    EXPECT_EQ(core::textOf(last->bytes()), std::to_string(2 * (count - 1)));
}

TEST(Zip, RefusesTheSameNameTwice) {
    EXPECT_EQ(zipErrorOf(buildZip({{.name = "a", .content = "1"}, {.name = "a", .content = "2"}})),
              "test.zip: a: duplicate zip entry name");
}

TEST(Zip, RefusesEncryptionAndForeignMethods) {
    EXPECT_THAT(zipErrorOf(buildZip({{.name = "a", .content = "123456789012345", .flags = 1}})),
                HasSubstr("without encryption"));
    EXPECT_THAT(zipErrorOf(buildZip({{.name = "a", .content = "x", .method = 12}})),
                HasSubstr("a: expected a stored or deflated"));
}

TEST(Zip, RefusesEntriesLargerThanTheFileOrTheLimits) {
    EXPECT_THAT(zipErrorOf(buildZip({{.name = "a", .content = "x", .claimedBytes = 1000}})),
                HasSubstr("a: zip entry of 1000 bytes"));
    EXPECT_THAT(
        zipErrorOf(buildZip({{.name = "bomb", .content = "x", .method = 8, .claimedBytes = 0xF0000000}})),
        HasSubstr("bomb: zip entry inflates from 1 to 4026531840"));
    // Within the absolute limit, but denser than any plausible text.
    EXPECT_THAT(
        zipErrorOf(buildZip({{.name = "dense", .content = "x", .method = 8, .claimedBytes = 100U << 20U}})),
        HasSubstr("dense: zip entry inflates"));
}

TEST(Zip, BoundsEntriesAndTheirSum) {
    const std::string many = buildZip({{.name = "a"}, {.name = "b"}, {.name = "c"}});
    EXPECT_THAT(zipErrorOf(many, {.entries = 2}), HasSubstr("zip of 3 entries exceeds the maximum of 2"));
    const std::string sum = buildZip({
        {.name = "a", .content = std::string(100, 'x'), .method = 8, .claimedBytes = 600},
        {.name = "b", .content = std::string(100, 'x'), .method = 8, .claimedBytes = 600},
    });
    EXPECT_EQ(zipErrorOf(sum, {.deflatedTotalBytes = 1200}), "");
    EXPECT_EQ(zipErrorOf(sum, {.deflatedTotalBytes = 1199}),
              "test.zip: b: zip inflates to more than 1199 bytes");
}

TEST(Zip, FindsDamageWhenItReads) {
    const std::string text = "some content";
    const auto readError = [](const test::ZipEntry& entry) {
        const auto zip = ZipArchive::open(inMemory(buildZip({entry})));
        const auto content = zip ? zip->read(zip->entries().front()) : std::unexpected(zip.error());
        return content ? std::string() : content.error().toString();
    };
    EXPECT_THAT(readError({.name = "a", .content = text, .claimedCrc = 1}),
                HasSubstr("test.zip: a: damaged zip entry: CRC error"));
    const std::string packed = test::deflateStored(text);
    EXPECT_THAT(readError({.name = "a",
                           .content = packed,
                           .method = 8,
                           .claimedBytes = 13,
                           .claimedCrc = test::crc32(text)}),
                HasSubstr("shorter than its header"));
    EXPECT_THAT(readError({.name = "a",
                           .content = packed,
                           .method = 8,
                           .claimedBytes = 11,
                           .claimedCrc = test::crc32(text)}),
                HasSubstr("damaged zip entry"));
    EXPECT_THAT(readError({.name = "a", .content = "\xFF\xFF\xFF", .method = 8, .claimedBytes = 11}),
                HasSubstr("damaged zip entry"));
}

}  // namespace
}  // namespace et::archive
