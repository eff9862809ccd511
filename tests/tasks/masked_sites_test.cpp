// Tests that sites whose numbers do not suit static scales stay in float with a warning.
#include "app/tasks/lab/quantize_run.h"
#include "backends/xnnpack/quantize/range_observer.h"
#include "tests/support/scratch_folder.h"
#include "tests/tasks/net_draft.h"
#include "tests/tasks/unseen_nets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float lowest = std::numeric_limits<float>::lowest();

class MaskedSites : public testing::Test {
  protected:
    /// Quantizes a sum of normally distributed scores and a mask.
    QuantizedSite quantized(float mask, SchemeRequest wish = {}) {
        test::NetDraft net({{.name = "scores", .sizes = {1, 4}}});
        net.at("attention", 8).from("aten.add.Tensor");
        const std::string constant = net.parameter("mask", {1, 4}, std::vector<float>{0, 0, mask, mask});
        const std::string sum = net.add(
            "aten.add.Tensor",
            {test::tensorArgument("self", "scores"), test::tensorArgument("other", constant)}, {1, 4});
        const test::UnseenNet made{.record = net.record({sum}), .cases = net.cases(4)};
        writeCases(made, folder.path() / "inputs.npy");
        const auto result = quantizeOpened(*made.record, {.record = "net.etrecord",
                                                          .calibration = folder.path() / "inputs.npy",
                                                          .sites = std::move(wish)});
        EXPECT_TRUE(result) << result.error().toString();
        warnings = result ? result->warnings : std::vector<std::string>();
        return result ? result->sites.front() : QuantizedSite();
    }

    std::vector<std::string> warnings;
    test::ScratchFolder folder;
};

TEST_F(MaskedSites, StayInFloatForInfinity) {
    EXPECT_THAT(quantized(-infinity).site.rule, HasSubstr("-inf of its constant \"attention.mask\""));
    ASSERT_THAT(warnings, SizeIs(1));
    EXPECT_THAT(warnings.front(), HasSubstr("add"));
    EXPECT_THAT(warnings.front(), HasSubstr("stays in float"));
}

TEST_F(MaskedSites, StayInFloatForStepsThatHideScores) {
    for (const float mask : {lowest, -1e9F, -1e4F}) {
        EXPECT_THAT(quantized(mask).site.rule, HasSubstr("rounds every number of scores to 0")) << mask;
        EXPECT_THAT(warnings, SizeIs(1));
    }
}

TEST_F(MaskedSites, AreQuantizedIfScoresKeepTheirSteps) {
    EXPECT_THAT(quantized(-10).site.rule, IsEmpty());
    EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(MaskedSites, AreQuantizedByNameWithAWarning) {
    EXPECT_THAT(
        quantized(lowest, {.named = {{.name = "add", .scheme = SiteScheme(std::in_place)}}}).site.rule,
        IsEmpty());
    EXPECT_THAT(warnings, SizeIs(1));
}

TEST_F(MaskedSites, RoundingDrawsStayFinite) {
    const auto observer = backends::xnnpack::makeObserver(backends::xnnpack::ObserverKind::MinMax, 1);
    observer->observe(std::array{lowest, lowest, 1.0F, -infinity});
    ASSERT_TRUE(observer->seen());
    EXPECT_LT(observer->seen()->low, lowest / 2);
}

}  // namespace
}  // namespace et::tasks
