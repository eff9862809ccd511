#include "app/agent/file_store.h"

#include "inspector/format/checksum.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace et::agent {
namespace {

namespace fs = std::filesystem;

class FileStoreTest : public testing::Test {
  protected:
    FileStoreTest() : folder(fs::path(testing::TempDir()) / ("store-" + std::to_string(::getpid()))) {}
    ~FileStoreTest() override { fs::remove_all(folder); }

    [[nodiscard]] core::Bytes part(std::size_t from, std::size_t size) const {
        return std::as_bytes(std::span(content)).subspan(from, size);
    }
    [[nodiscard]] wire::PutRequest request() const {
        return {.hash = inspector::format::sha256(std::as_bytes(std::span(content))), .size = content.size()};
    }

    fs::path folder;
    std::string content = std::string(5000, 'x') + "end";
};

TEST_F(FileStoreTest, ResumesInterruptedTransfer) {
    {
        auto store = FileStore::open(folder);
        ASSERT_TRUE(store);
        EXPECT_EQ(store->begin(request()).value(), 0U);
        EXPECT_TRUE(store->append(part(0, 3000)));
    }
    auto store = FileStore::open(folder);
    ASSERT_TRUE(store);
    EXPECT_EQ(store->begin(request()).value(), 3000U);
    EXPECT_TRUE(store->append(part(3000, content.size() - 3000)));
    EXPECT_TRUE(store->finish());
    EXPECT_TRUE(store->find(request().hash));
    EXPECT_EQ(store->begin(request()).value(), content.size()) << "files go once";
}

TEST_F(FileStoreTest, ContentWithWrongHashIsRejectedAndRemoved) {
    auto store = FileStore::open(folder);
    wire::PutRequest wrong = request();
    wrong.hash[0] = wrong.hash[0] == '0' ? '1' : '0';
    ASSERT_EQ(store->begin(wrong).value(), 0U);
    EXPECT_TRUE(store->append(part(0, content.size())));
    EXPECT_EQ(store->finish().error().code, core::ErrorCode::Mismatch);
    EXPECT_EQ(store->begin(wrong).value(), 0U) << "it begins anew";
    EXPECT_FALSE(store->find(wrong.hash));
}

TEST_F(FileStoreTest, RejectsExcessDataAndUnknownTransfers) {
    auto store = FileStore::open(folder);
    EXPECT_EQ(store->append(part(0, 1)).error().code, core::ErrorCode::InvalidArgument);
    wire::PutRequest small = request();
    small.size = 10;
    ASSERT_TRUE(store->begin(small));
    EXPECT_EQ(store->append(part(0, 11)).error().code, core::ErrorCode::Limit);
    EXPECT_FALSE(store->find("../../etc/passwd"));
}

TEST_F(FileStoreTest, EvictsTheLeastRecentlyUsedFile) {
    auto store = FileStore::open(folder);
    ASSERT_TRUE(store->begin(request()));
    ASSERT_TRUE(store->append(part(0, content.size())));
    ASSERT_TRUE(store->finish());
    store->trim(content.size());
    EXPECT_TRUE(store->find(request().hash));
    store->trim(content.size() - 1);
    EXPECT_FALSE(store->find(request().hash));
}

}  // namespace
}  // namespace et::agent
