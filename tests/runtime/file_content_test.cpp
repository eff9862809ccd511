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

FileContent threePieces() {
    FileContent content(std::vector{std::byte{1}, std::byte{2}, std::byte{3}});
    content.append(std::vector{std::byte{4}});
    content.append(std::vector{std::byte{5}, std::byte{6}});
    return content;
}

TEST(FileContent, FindsBytesOfOnePieceInPlace) {
    const FileContent content = threePieces();
    const auto place = content.place(1, 2);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->data(), content.pieces()[0].data() + 1);
    EXPECT_EQ(place->size(), 2U);
    EXPECT_EQ(content.place(3, 1)->data(), content.pieces()[1].data());
    EXPECT_FALSE(content.place(2, 2)) << "in two pieces";
    EXPECT_FALSE(content.place(5, 2)) << "beyond the end";
    EXPECT_TRUE(content.place(6, 0));
    EXPECT_FALSE(content.place(7, 0));
    EXPECT_FALSE(FileContent().place(0, 1));
}

TEST(FileContent, CopiesBytesOfSeveralPieces) {
    std::vector<std::byte> copied(4);
    EXPECT_TRUE(threePieces().copy(1, copied));
    EXPECT_EQ(copied, (std::vector{std::byte{2}, std::byte{3}, std::byte{4}, std::byte{5}}));
    EXPECT_FALSE(threePieces().copy(3, copied));
}

TEST(FileContent, PartHasThePiecesInsideIt) {
    const FileContent content = threePieces();
    const FileContent part = content.part(2, 3);
    ASSERT_EQ(part.pieces().size(), 3U);
    EXPECT_EQ(part.pieces()[0].data(), content.pieces()[0].data() + 2);
    EXPECT_EQ(part.joined(), (std::vector{std::byte{3}, std::byte{4}, std::byte{5}}));
    EXPECT_EQ(content.part(2, 9).size(), 0U);
}

TEST(FileContent, KeepsAFileOpen) {
    const auto file = MappedFile::fromMemory({std::byte{5}});
    const FileContent content(file);
    EXPECT_EQ(content.pieces().front().data(), file->bytes().data());
    EXPECT_EQ(file.use_count(), 2);
}

}  // namespace
}  // namespace et::core
