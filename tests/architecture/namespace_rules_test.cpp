#include "tests/architecture/namespace_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace et::architecture {
namespace {

std::size_t foreignNamespaces(const std::string& path, const std::string& name,
                              const std::string& body = "int a;\n") {
    return namespaceViolations({.path = path,
                                .text = "#pragma once\n\nnamespace et::" + name + " {\n" + body +
                                        "}  // namespace et::" + name})
        .size();
}

TEST(NamespaceRulesTest, NamespaceFollowsFolder) {
    EXPECT_EQ(foreignNamespaces("app/tasks/run/a.h", "tasks"), 0U);
    EXPECT_EQ(foreignNamespaces("app/tasks/run/a.h", "app"), 1U);
    EXPECT_EQ(foreignNamespaces("app/output/a.cpp", "tasks"), 1U);
    EXPECT_EQ(foreignNamespaces("runtime/core/a.h", "core"), 0U);
    EXPECT_EQ(foreignNamespaces("inspector/graph/a.h", "inspector"), 0U);
    EXPECT_EQ(foreignNamespaces("inspector/events/a.h", "inspector::events"), 0U);
    EXPECT_EQ(foreignNamespaces("inspector/events/a.h", "inspector"), 1U);
    EXPECT_EQ(foreignNamespaces("backends/mps/a.h", "backends::mps"), 0U);
}

TEST(NamespaceRulesTest, DetailBelongsToItsFolder) {
    EXPECT_EQ(foreignNamespaces("inspector/graph/detail/a.h", "inspector::graph::detail"), 0U);
    EXPECT_EQ(foreignNamespaces("inspector/graph/detail/a.h", "inspector::detail"), 1U);
    EXPECT_EQ(foreignNamespaces("etdump/detail/a.h", "etdump::detail"), 0U);
}

TEST(NamespaceRulesTest, TypesOfOtherFoldersMayBeDeclared) {
    EXPECT_EQ(foreignNamespaces("app/studio/a.h", "visualizers", "class View;\nstruct Row;\n"), 0U);
    EXPECT_EQ(foreignNamespaces("app/studio/a.h", "visualizers", "class View {\n};\n"), 1U);
}

TEST(NamespaceRulesTest, ProjectFollowsTheRules) {
    constexpr std::array product{"app/",      "backends/",  "bundled_program/", "etdump/",
                                 "etrecord/", "inspector/", "runtime/",         "visualizers/"};
    std::size_t files = 0;
    for (const SourceFile& file : readSources(checkout())) {
        if (std::ranges::none_of(product,
                                 [&](const char* folder) { return file.path.starts_with(folder); })) {
            continue;
        }
        ++files;
        for (const std::string& violation : namespaceViolations(file)) {
            ADD_FAILURE() << violation;
        }
    }
    EXPECT_GT(files, 1000U);
}

}  // namespace
}  // namespace et::architecture
