// Tests of the explanations derived from measurements for a changed operator time.
#include "inspector/comparison/cause.h"

#include <gtest/gtest.h>

#include <vector>

namespace et::inspector {
namespace {

class CauseTest : public testing::Test {
  protected:
    CauseTest() {
        a.name = "mul.out";
        b.name = "mul.out";
        for (int run = 0; run < 20; ++run) {
            a.samples.push_back(1000 + run);
            b.samples.push_back(1500 + run);
        }
        row.a = &a;
        row.b = &b;
        row.test.verdict = TimeVerdict::Slower;
    }

    OperatorTimes a;
    OperatorTimes b;
    ComparisonRow row;
};

TEST_F(CauseTest, EveryRunChanged) {
    EXPECT_EQ(causeOf(row), "every run is slower: p10 +49.9 %, p50 +49.5 %, p90 +49.2 %");
    std::swap(row.a, row.b);
    row.test.verdict = TimeVerdict::Faster;
    EXPECT_TRUE(causeOf(row).starts_with("every run is faster: p10 -33")) << causeOf(row);
}

TEST_F(CauseTest, OnlySomeRunsChanged) {
    for (std::size_t run = 0; run < b.samples.size(); ++run) {
        b.samples[run] = run < 8 ? 1001 : 2000;
    }
    EXPECT_TRUE(causeOf(row).starts_with("only the slower runs are slower: p10")) << causeOf(row);
}

TEST_F(CauseTest, AnotherRuns) {
    b.name = "mul_wide.out";
    EXPECT_EQ(causeOf(row), "different kernels: A runs mul.out, B mul_wide.out");
    b.kind = OperatorKind::DelegatedOperator;
    b.backend = "XnnpackBackend";
    EXPECT_EQ(causeOf(row), "A: the runtime's kernel runs it, B: XnnpackBackend");
    row.a = nullptr;
    EXPECT_EQ(causeOf(row), "only B has it; XnnpackBackend runs it");
    row.a = &a;
    row.b = nullptr;
    EXPECT_EQ(causeOf(row), "only A has it; the runtime's kernel runs it");
}

TEST_F(CauseTest, IsEmptyWithoutAVerdict) {
    row.test.verdict = TimeVerdict::Undecided;
    EXPECT_EQ(causeOf(row), "");
    row.test.verdict = TimeVerdict::Slower;
    a.samples.clear();
    EXPECT_EQ(causeOf(row), "") << "a baseline may have no samples";
}

}  // namespace
}  // namespace et::inspector
