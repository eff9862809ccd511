#include "tests/architecture/source_tree.h"

#include <gtest/gtest.h>

#include <fstream>

namespace et::architecture {
namespace {

TEST(IncludesOfTest, FindsQuotedAndBracketedIncludes) {
    const auto includes = includesOf(
        "#pragma once\n"
        "#include \"etdump/trace.h\"\n"
        "\n"
        "  #  include <vector>  // elements\n"
        "#define include\n"
        "const char* text = \"#include <no>\";\n"
        "#include \"last.h\"");
    ASSERT_EQ(includes.size(), 3U);
    EXPECT_EQ(includes[0].target, "etdump/trace.h");
    EXPECT_TRUE(includes[0].quoted);
    EXPECT_EQ(includes[0].line, 2U);
    EXPECT_EQ(includes[1].target, "vector");
    EXPECT_FALSE(includes[1].quoted);
    EXPECT_EQ(includes[1].line, 4U);
    EXPECT_EQ(includes[2].target, "last.h");
}

TEST(ReadTreeTest, LeavesOutBuildTreesAndHiddenFolders) {
    namespace fs = std::filesystem;
    const fs::path root = fs::path(testing::TempDir()) / "architecture_read_tree";
    fs::remove_all(root);
    for (const char* folder : {"a/b", "build", ".git", "other"}) {
        fs::create_directories(root / folder);
    }
    for (const char* file :
         {"a/b/x.h", "a/y.cpp", "a/notes.txt", "build/z.cpp", ".git/z.cpp", "other/z.cpp"}) {
        std::ofstream(root / file) << "text of " << file;
    }
    std::ofstream(root / "other/CMakeCache.txt") << "";
    const auto files = readSources(root);
    fs::remove_all(root);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[0].path, "a/b/x.h");
    EXPECT_EQ(files[1].path, "a/y.cpp");
    EXPECT_EQ(files[1].text, "text of a/y.cpp");
    EXPECT_EQ(sourceFolders(files), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace et::architecture
