// Tests every operator's programs, and every runnable real program, against PyTorch's results.

#include "tests/conformance/cases.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace et::conformance {
namespace {

class CasesTest : public testing::Test {
  public:
    explicit CasesTest(std::vector<Case> list) : cases(std::move(list)) {}

    void TestBody() override {
        const kernels::ThreadPool threads(1);
        for (const Case& test : cases) {
            EXPECT_EQ(runCase(test::sharedData(), test, threads), "") << test.file;
        }
    }

  private:
    std::vector<Case> cases;
};

/// Test name of a case: "abs" for "ops/portable/abs__f32_1.bpte".
std::string operatorOf(const Case& test) {
    const std::string stem = std::filesystem::path(test.file).stem().string();
    return stem.substr(0, stem.rfind("__"));
}

std::string programOf(const Case& test) {
    const std::filesystem::path path(test.file);
    return path.parent_path().filename().string() + "_" + path.stem().string();
}

void add(const char* suite, const std::map<std::string, std::vector<Case>>& groups) {
    for (const auto& [name, cases] : groups) {
        testing::RegisterTest(suite, name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                              [cases]() -> testing::Test* { return new CasesTest(cases); });
    }
}

TEST(ConformanceTest, SharedDataIsThere) {
    ET_NEEDS_SHARED_DATA();
    EXPECT_GT(operatorCases(test::sharedData(), "ops/portable/").size(), 2000U);
    EXPECT_GE(libraryCases(test::sharedData()).size(), 9U);
    EXPECT_GT(runnablePrograms(test::sharedData()).size(), 80U);
}

}  // namespace
}  // namespace et::conformance

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    using namespace et::conformance;
    const auto data = et::test::sharedData();
    if (std::filesystem::exists(data / "manifest.json")) {
        std::map<std::string, std::vector<Case>> operators;
        for (Case& test : operatorCases(data, "ops/portable/")) {
            operators[operatorOf(test)].push_back(test);
        }
        std::map<std::string, std::vector<Case>> delegated;
        for (Case& test : operatorCases(data, "ops/xnnpack/")) {
            delegated[operatorOf(test)].push_back(test);
        }
        std::map<std::string, std::vector<Case>> programs;
        for (Case& test : runnablePrograms(data)) {
            programs[programOf(test)].push_back(test);
        }
        std::map<std::string, std::vector<Case>> libraries;
        for (Case& test : libraryCases(data)) {
            libraries[operatorOf(test)].push_back(test);
        }
        add("PortableOperators", operators);
        add("LibraryOperators", libraries);
        add("XnnpackOperators", delegated);
        add("Programs", programs);
    }
    return RUN_ALL_TESTS();
}
