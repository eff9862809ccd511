#include "app/tasks/verify/verify_file.h"
#include "app/tasks/verify/verify_files.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class BundleFilesTest : public testing::Test {
  protected:
    fs::path make(const fs::path& name) const {
        const fs::path path = folder.path() / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << "x";
        return path;
    }
    [[nodiscard]] std::vector<fs::path> below() const { return bundleFiles(std::array{folder.path()}); }

    test::ScratchFolder folder;
};

/// Makes a folder unreadable, also for root.
class Unreadable {
  public:
    Unreadable(const fs::path& scratch, fs::path which) : folder(std::move(which)) {
        // Another user of the same group must be able to reach the folder.
        fs::permissions(
            scratch,
            fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec,
            fs::perm_options::add);
        fs::permissions(folder, fs::perms::none);
        changedUser = geteuid() == 0 && seteuid(nobody) == 0;
    }
    ~Unreadable() {
        if (changedUser) {
            EXPECT_EQ(seteuid(0), 0);
        }
        fs::permissions(folder, fs::perms::owner_all);
    }
    Unreadable(const Unreadable&) = delete;
    Unreadable& operator=(const Unreadable&) = delete;

    [[nodiscard]] bool isSo() const {
        std::error_code failed;
        const fs::directory_iterator entries(folder, failed);
        return static_cast<bool>(failed);
    }

  private:
    static constexpr uid_t nobody = 65534;
    fs::path folder;
    bool changedUser = false;
};

TEST_F(BundleFilesTest, AreFoundBelowAFolder) {
    const auto b = make("b/c/2.bpte");
    const auto a = make("a/1.bpte");
    make("a/1.pte");
    EXPECT_THAT(below(), ElementsAre(a, b));
    EXPECT_THAT(bundleFiles(std::array{a, b.parent_path()}), ElementsAre(a, b));
    const auto empty = folder.path() / "empty";
    fs::create_directory(empty);
    EXPECT_THAT(bundleFiles(std::array{empty}), ElementsAre(empty)) << "to say that it has none";
}

TEST_F(BundleFilesTest, FoldersThatCannotBeReadAreErrors) {
    const auto seen = make("a/1.bpte");
    const auto hidden = make("b/2.bpte").parent_path();
    const Unreadable closed(folder.path(), hidden);
    if (!closed.isSo()) {
        GTEST_SKIP() << "this user reads everything";
    }
    EXPECT_THAT(below(), ElementsAre(seen, hidden));
    const auto report = verifyFile(hidden, {}, nullptr);
    EXPECT_EQ(report.verdict, bundled_program::Verdict::Error);
    EXPECT_THAT(report.message, HasSubstr("cannot read the folder: Permission denied"));
    EXPECT_EQ(report.file, hidden.string());
}

}  // namespace
}  // namespace et::tasks
