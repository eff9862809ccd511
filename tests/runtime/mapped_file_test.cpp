#include "runtime/core/mapped_file.h"

#include "runtime/core/file_kind.h"
#include "runtime/core/mapped_ranges.h"
#include "runtime/core/wrapped_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace et::core {
namespace {

class MappedFileTest : public testing::Test {
  protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder = std::filesystem::path(testing::TempDir()) / (std::string("mapped_file_") + info->name());
        std::filesystem::create_directories(folder);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    std::filesystem::path write(const std::string& name, const std::string& content) const {
        const auto path = folder / name;
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

    std::filesystem::path folder;
};

std::string text(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_F(MappedFileTest, MapsARegularFile) {
    const auto file = MappedFile::open(write("a", "hello"));
    ASSERT_TRUE(file);
    EXPECT_EQ(text((*file)->bytes()), "hello");
    EXPECT_EQ((*file)->name(), (folder / "a").string());
}

TEST_F(MappedFileTest, FilesThatReplaceAModelAreDescribed) {
    using namespace std::string_literals;
    const auto described = [](const std::string& content) {
        return wrapperText(std::as_bytes(std::span(content)));
    };
    EXPECT_EQ(described("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3694116\n"),
              "a Git LFS pointer to a file of 3694116 bytes: git lfs pull");
    EXPECT_EQ(described("version https://git-lfs.github.com/spec/v1\n"), "a Git LFS pointer: git lfs pull");
    EXPECT_TRUE(described("\x1f\x8b\x08\x00...."s).starts_with("compressed with gzip"));
    EXPECT_TRUE(described("PK\x03\x04...."s).starts_with("a ZIP archive"));
    for (const char* page : {"<!DOCTYPE html><html>", "\xEF\xBB\xBF\n <HTML lang=en>"}) {
        EXPECT_TRUE(described(page).starts_with("a web page")) << page;
    }
    for (const std::string& other : {""s, "\x1f\x8b"s, "\x1f\x8b\x08\xff"s, "....ET12"s, "  \n"s, "<htm"s}) {
        EXPECT_EQ(described(other), "") << other;
    }
}

TEST_F(MappedFileTest, ReplacedFilesAreErrors) {
    const auto zip = write("a.zip", "PK\x03\x04....");
    EXPECT_TRUE(openUnwrapped(zip, ZipFiles::Accepted));
    const auto refused = openUnwrapped(zip);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().toString(), zip.string() + ": this is a ZIP archive: unzip it");
    EXPECT_FALSE(openUnwrapped(write("page", "<html>"), ZipFiles::Accepted));
    EXPECT_TRUE(openUnwrapped(write("other", "hello")));
}

TEST_F(MappedFileTest, FilesOfAnotherKindAreErrors) {
    const auto program = write("model", "....ET12....");
    EXPECT_TRUE(openOfKind(program, FileKind::Program));
    const auto refused = openOfKind(program, FileKind::Record);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().toString(),
              program.string() + ": this is a program (.pte); expected an ETRecord");
    const auto unknown = openOfKind(write("noise", "noise"), FileKind::Record);
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().toString(), testing::HasSubstr("expected an ETRecord, got an unknown file"));
    // Accepted, because the reader of the format describes the damage better.
    EXPECT_TRUE(openOfKind(write("damaged", "noise"), FileKind::Program));
    EXPECT_TRUE(openOfKind(write("empty", ""), FileKind::Record));
}

TEST_F(MappedFileTest, SourcesWithoutEndAreErrors) {
    for (const char* device : {"/dev/zero", "/dev/urandom"}) {
        const auto refused = MappedFile::open(device);
        ASSERT_FALSE(refused) << device;
        EXPECT_EQ(refused.error().toString(),
                  std::string(device) + ": cannot read a device; expected a file");
    }
    EXPECT_TRUE(MappedFile::open("/dev/null"));
    const std::string noise(64, 'y');
    const auto start = std::as_bytes(std::span(noise));
    EXPECT_TRUE(checkStream(start, maxUnknownBytes, "fifo"));
    EXPECT_FALSE(checkStream(start, maxUnknownBytes + 1, "fifo"));
    const std::string program = "....ET12....";
    EXPECT_TRUE(checkStream(std::as_bytes(std::span(program)), maxUnknownBytes + 1, "fifo"));
}

TEST_F(MappedFileTest, AnEmptyFileHasNoBytes) {
    const auto file = MappedFile::open(write("empty", ""));
    ASSERT_TRUE(file);
    EXPECT_TRUE((*file)->bytes().empty());
}

TEST_F(MappedFileTest, AMissingFileAndAFolderAreErrorsThatNameThem) {
    const auto missing = MappedFile::open(folder / "none");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::Io);
    EXPECT_EQ(missing.error().toString(),
              (folder / "none").string() + ": cannot open: No such file or directory");
    const auto directory = MappedFile::open(folder);
    ASSERT_FALSE(directory);
    EXPECT_EQ(directory.error().code, ErrorCode::Io);
    EXPECT_EQ(directory.error().where.file, folder.string());
}

TEST_F(MappedFileTest, APipeIsReadWhole) {
    const auto path = folder / "pipe";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const std::string content(200'000, 'x');  // several times the pipe's buffer
    std::jthread writer([&] { std::ofstream(path, std::ios::binary) << content; });
    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file) << file.error().toString();
    EXPECT_EQ(text((*file)->bytes()), content);
}

TEST_F(MappedFileTest, ReleasedPagesReadTheSame) {
    const std::string content(std::size_t{1} << 16, 'y');
    const auto file = MappedFile::open(write("big", content));
    ASSERT_TRUE(file);
    (*file)->release(0, content.size());
    (*file)->release(content.size() * 2, 1);
    EXPECT_EQ(text((*file)->bytes()), content);
}

/// Resident bytes of the mapping that starts at an address.
std::size_t residentBytes(const void* start) {
    std::ifstream maps("/proc/self/smaps");
    const std::string address = fmt::format("{:x}-", reinterpret_cast<std::uintptr_t>(start));
    constexpr std::string_view key = "Rss:";
    bool isInside = false;
    for (std::string line; std::getline(maps, line);) {
        isInside = isInside || line.starts_with(address);
        if (isInside && line.starts_with(key)) {
            return std::stoul(line.substr(key.size())) * 1024;
        }
    }
    return 0;
}

TEST_F(MappedFileTest, PagesAreReleasedByAddress) {
    const std::string content(std::size_t{4} << 20U, 'y');
    const auto file = MappedFile::open(write("big", content));
    ASSERT_TRUE(file);
    const Bytes bytes = (*file)->bytes();
    EXPECT_EQ(text(bytes), content);
    EXPECT_GE(residentBytes(bytes.data()), content.size());
    releaseMappedPages(bytes.subspan(content.size() / 2));
    EXPECT_LE(residentBytes(bytes.data()), content.size() / 2);
    releaseMappedPages(Bytes(bytes.data(), 2 * content.size()));  // only up to the end of the file
    EXPECT_EQ(residentBytes(bytes.data()), 0U);
    EXPECT_EQ(text(bytes), content);
    std::vector<std::byte> memory(content.size(), std::byte{'m'});
    releaseMappedPages(memory);
    EXPECT_EQ(std::ranges::count(memory, std::byte{'m'}), static_cast<std::ptrdiff_t>(memory.size()))
        << "memory of others keeps its content";
}

TEST_F(MappedFileTest, WrapsMemory) {
    const auto file = MappedFile::fromMemory(std::vector<std::byte>(3, std::byte{'z'}), "some name");
    EXPECT_EQ(text(file->bytes()), "zzz");
    EXPECT_EQ(file->name(), "some name");
    file->release(0, 3);
    EXPECT_EQ(text(file->bytes()), "zzz");
}

}  // namespace
}  // namespace et::core
