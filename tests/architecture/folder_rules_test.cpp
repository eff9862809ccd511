#include "tests/architecture/include_rules.h"
#include "tests/architecture/source_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace et::architecture {
namespace {

/// Longer files contain more than one concept.
constexpr std::ptrdiff_t maxLines = 500;

std::ptrdiff_t lineCount(const std::string& text) {
    return std::ranges::count(text, '\n');
}

/// True if a build file uses Qt's CMake targets outside comments.
bool linksQt(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        if (line.substr(0, line.find('#')).contains("Qt6::")) {
            return true;
        }
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return false;
}

bool mayLinkQt(const SourceFile& file) {
    return startsWithAny(file.path, qtFolders());
}

TEST(FolderRulesTest, FilesStaySmall) {
    for (const SourceFile& file : readSources(checkout())) {
        EXPECT_LE(lineCount(file.text), maxLines) << file.path;
    }
}

TEST(FolderRulesTest, EveryFolderWithSourcesHasARule) {
    for (const std::string& folder : sourceFolders(readSources(checkout()))) {
        EXPECT_TRUE(std::ranges::any_of(
            arrowRules(), [&](const ArrowRule& rule) { return rule.from.starts_with(folder + "/"); }))
            << folder << " is not in the table of include arrows";
    }
}

TEST(FolderRulesTest, EveryFolderHasAReadme) {
    for (const std::string& folder : sourceFolders(readSources(checkout()))) {
        const auto readmes = readTree(checkout() / folder, {"README.md"});
        const auto own = std::ranges::find(readmes, "README.md", &SourceFile::path);
        const bool saysWhat = own != readmes.end() && own->text.contains("May include:");
        EXPECT_TRUE(saysWhat) << folder << "/README.md is missing or has no line \"May include:\"";
    }
}

TEST(FolderRulesTest, OnlyTheStudioLinksQt) {
    std::size_t buildFiles = 0;
    for (const SourceFile& file : readTree(checkout(), {"CMakeLists.txt"})) {
        ++buildFiles;
        EXPECT_TRUE(!linksQt(file.text) || mayLinkQt(file)) << file.path << " links Qt";
    }
    EXPECT_GT(buildFiles, 3U);
}

TEST(FolderRulesTest, OnlyOneFileUsesTheParserLibrary) {
    std::vector<std::string> users;
    for (const SourceFile& file : readSources(checkout())) {
        const std::vector<Include> includes = includesOf(file.text);
        if (std::ranges::any_of(includes, [](const Include& each) {
                return each.target.starts_with("CLI/") && each.target != "CLI/Version.hpp";
            })) {
            users.push_back(file.path);
        }
    }
    EXPECT_EQ(users, std::vector<std::string>{"app/cli/parser.cpp"});
}

TEST(FolderRulesTest, DetectsALinkToQt) {
    EXPECT_TRUE(linksQt("a\ntarget_link_libraries(x Qt6::Core)\n"));
    EXPECT_FALSE(linksQt("target_link_libraries(x fmt::fmt)  # not Qt6::Core\n"));
    EXPECT_FALSE(mayLinkQt({.path = "inspector/CMakeLists.txt", .text = {}}));
    EXPECT_TRUE(mayLinkQt({.path = "app/studio/CMakeLists.txt", .text = {}}));
}

TEST(FolderRulesTest, LinesAreCounted) {
    EXPECT_EQ(lineCount(""), 0);
    EXPECT_EQ(lineCount("a\nb\n"), 2);
}

}  // namespace
}  // namespace et::architecture
