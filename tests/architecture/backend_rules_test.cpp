#include "tests/architecture/backend_rules.h"

#include <gtest/gtest.h>

namespace et::architecture {
namespace {

std::size_t violationsIn(const std::string& path, const std::string& text) {
    return backendViolations({.path = path, .text = text}).size();
}

TEST(BackendRulesTest, AnIncludeOfOneBackendIsFound) {
    EXPECT_EQ(violationsIn("inspector/join/a.cpp", "\n#include \"backends/vulkan/describe.h\"\n"), 1U);
    EXPECT_EQ(violationsIn("visualizers/graph/a.cpp", "#include \"backends/mps/describe.h\"\n"), 1U);
    EXPECT_EQ(violationsIn("inspector/join/a.cpp", "#include \"backends/builtin.h\"\n"), 0U);
    EXPECT_EQ(violationsIn("inspector/numeric_gap/a.h", "#include \"backends/reference/interpreter.h\"\n"),
              0U);
    EXPECT_EQ(violationsIn("app/tasks/a.cpp", "#include \"backends/vulkan/describe.h\"\n"), 0U);
}

TEST(BackendRulesTest, AFileThatNamesXnnpackIsFound) {
    EXPECT_EQ(violationsIn("inspector/events/a.cpp", "int a;\n// as XNNPACK does\n"), 1U);
    EXPECT_EQ(violationsIn("inspector/events/a.h", "bool isXnnpackOperator();\n"), 1U);
    EXPECT_EQ(violationsIn("inspector/join/CMakeLists.txt", "  xnnpack_operators.cpp\n"), 1U);
    EXPECT_EQ(violationsIn("inspector/names/a.cpp", "{\"XNNConv2d\", \"input\"},\n"), 1U);
    EXPECT_EQ(violationsIn("inspector/format/a.h", "/// written as \\xNN\n"), 0U);
    EXPECT_EQ(violationsIn("backends/builtin.cpp", "xnnpack::backend();\n"), 0U);
    EXPECT_EQ(violationsIn("inspector/explain/a.cpp", "// a message of XNNPACK\n"), 0U);
    EXPECT_EQ(violationsIn("inspector/explain/a.cpp", "#include \"backends/xnnpack/nodes/node_table.h\"\n"),
              1U);
}

TEST(BackendRulesTest, InspectorAndViewsKnowNoBackend) {
    std::size_t files = 0;
    for (const SourceFile& file : readTree(checkout(), {".h", ".cpp", "CMakeLists.txt", "README.md"})) {
        ++files;
        for (const std::string& violation : backendViolations(file)) {
            ADD_FAILURE() << violation;
        }
    }
    EXPECT_GT(files, 100U);
}

}  // namespace
}  // namespace et::architecture
