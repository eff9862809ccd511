#include "runtime/core/file_content.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <utility>

namespace et::core {
namespace {

TEST(FileContent, JoinsItsPiecesInOrder) {
    constexpr std::array borrowed{std::byte{3}, std::byte{4}};
    FileContent content(std::vector{std::byte{1}, std::byte{2}});
    content.appendBorrowed(borrowed);
    content.appendBorrowed({});
    content.appendZeros(1);
    EXPECT_EQ(content.size(), 5U);
    EXPECT_EQ(content.pieces().size(), 3U);
    EXPECT_EQ(content.joined(),
              (std::vector{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}, std::byte{0}}));
}

TEST(FileContent, DoesNotCopyBorrowedBytes) {
    constexpr std::array borrowed{std::byte{3}, std::byte{4}};
    FileContent content;
    content.appendBorrowed(borrowed);
    const FileContent copy = content;
    EXPECT_EQ(copy.pieces().front().data(), borrowed.data());
}

TEST(FileContent, ZerosMayBeLongerThanAPiece) {
    FileContent content;
    content.appendZeros(1000);
    EXPECT_EQ(content.joined(), std::vector<std::byte>(1000));
}

TEST(FileContent, KeepsItsOwnersAlive) {
    auto owner = std::make_shared<const std::vector<std::byte>>(8);
    const std::weak_ptr<const std::vector<std::byte>> watched = owner;
    FileContent outer;
    {
        FileContent inner;
        inner.appendBorrowed(*owner);
        inner.keepAlive(std::move(owner));
        outer.append(inner);
    }
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(outer.size(), 8U);
    outer = {};
    EXPECT_TRUE(watched.expired());
}

TEST(FileContent, KeepsAFileOpen) {
    const auto file = MappedFile::fromMemory({std::byte{5}});
    const FileContent content(file);
    EXPECT_EQ(content.pieces().front().data(), file->bytes().data());
    EXPECT_EQ(file.use_count(), 2);
}

}  // namespace
}  // namespace et::core
