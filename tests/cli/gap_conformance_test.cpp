// Tests et-inspect gap on real traces against the rows and numbers of ExecuTorch's calculate_numeric_gap.
#include "tests/cli/gap_process.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

namespace et::test {
namespace {

namespace fs = std::filesystem;

void expectSameRow(dom::element ours, dom::element golden, const std::string& where) {
    for (const char* key : {"aot_debug_handle", "runtime_debug_handle"}) {
        EXPECT_EQ(numbers(ours[key]), numbers(golden[key])) << where << ": " << key;
    }
    for (const char* key : {"aot_ops", "runtime_ops"}) {
        EXPECT_EQ(texts(ours[key]), texts(golden[key])) << where << ": " << key;
    }
    for (const auto& [node, trace] : dom::object(golden["stacktraces"])) {
        EXPECT_EQ(std::string_view(ours["stacktraces"][node]), std::string_view(trace)) << where;
    }
    EXPECT_EQ(dom::array(ours["gap"]).size(), dom::array(golden["gap"]).size()) << where;
}

/// Goldens contain Infinity and NaN, which are not valid JSON.
std::string asJson(std::string text) {
    for (const std::string_view word : {"Infinity", "NaN"}) {
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
            text.replace(at, word.size(), "null");
        }
    }
    return text;
}

struct GoldenTrace {
    const char* trace;
    const char* record;
};
constexpr GoldenTrace goldenTraces[] = {
    {"add_mul_portable_debug", "add_mul/portable"},
    {"simple_portable_debug", "simple/portable"},
    {"simple_xnnpack_debug", "simple/xnnpack"},
    {"linear_xnnpack_debug", "linear/xnnpack"},
    {"mobilenet_v2_small_portable_debug", "mobilenet_v2_small/portable"},
    {"mobilenet_v2_small_xnnpack_debug", "mobilenet_v2_small/xnnpack"},
    {"bert_tiny_xnnpack_debug", "bert_tiny/xnnpack"},
};

std::string gapOfTrace(const GoldenTrace& golden, const std::string& metric) {
    const fs::path folder = sharedData() / "traces" / golden.trace;
    return fmt::format("--etrecord {} --etdump {} --debug-buffer {} --metric {}",
                       programs(golden.record + std::string(".etrecord")), (folder / "trace.etdp").string(),
                       (folder / "debug_buffer.bin").string(), metric);
}

/// Empty if JSON cannot represent the number.
std::optional<double> firstGap(dom::element row) {
    const dom::element gap = row["gap"].at(0);
    return gap.is_null() ? std::nullopt : std::optional(double(gap));
}

/// Differences of one row in the three metrics of the reference.
struct RowGap {
    std::optional<double> mse;
    std::optional<double> l1;
    std::optional<double> snr;  ///< in decibels; null if infinite, or if all values are zero
};

/// Statistics of a row's reference values, computed here.
struct Signal {
    double power;     ///< mean of the squares
    double elements;  ///< how many

    static Signal of(dom::element row) {
        const dom::element side = row["outputs"].at(0)["reference"];
        const double mean = side["mean"];
        const double deviation = side["std"];
        return {.power = mean * mean + deviation * deviation, .elements = double(side["elements"])};
    }
};

/// Above this SNR only the rounding of sums differs, which also varies between builds of PyTorch.
constexpr double roundingOnly = 100;

bool isWithinOnePercent(std::optional<double> ours, std::optional<double> golden) {
    return ours && golden && std::abs(*ours - *golden) <= 0.01 * std::abs(*golden);
}

testing::AssertionResult agrees(const RowGap& ours, const RowGap& golden, const Signal& signal) {
    const auto text = [](std::optional<double> number) {
        return number ? fmt::format("{}", *number) : "null";
    };
    const std::string both =
        fmt::format("MSE {}, L1 {}, SNR {}; the reference has {}, {}, {}", text(ours.mse), text(ours.l1),
                    text(ours.snr), text(golden.mse), text(golden.l1), text(golden.snr));
    if (golden.snr && *golden.snr < roundingOnly) {
        return (isWithinOnePercent(ours.mse, golden.mse) && isWithinOnePercent(ours.l1, golden.l1) &&
                        isWithinOnePercent(ours.snr, golden.snr)
                    ? testing::AssertionSuccess()
                    : testing::AssertionFailure())
               << both;
    }
    // The noise at 100 dB of this signal; a mean magnitude is at most the root of the mean square.
    const double noise = signal.power / std::pow(10, roundingOnly / 10);
    const bool isQuiet = (!ours.snr || *ours.snr >= roundingOnly) && ours.mse && *ours.mse <= noise &&
                         ours.l1 && *ours.l1 <= signal.elements * std::sqrt(noise);
    return (isQuiet ? testing::AssertionSuccess() : testing::AssertionFailure()) << both;
}

TEST(GapCriterion, HoldsTheNumbersBelow100DecibelsAndTheirSizeAbove) {
    const Signal signal{.power = 1, .elements = 4};
    const RowGap loud{.mse = 1e-4, .l1 = 0.04, .snr = 40};
    EXPECT_TRUE(agrees({.mse = 1.009e-4, .l1 = 0.0398, .snr = 40.3}, loud, signal));
    EXPECT_FALSE(agrees({.mse = 1.02e-4, .l1 = 0.04, .snr = 40}, loud, signal));
    EXPECT_FALSE(agrees({.mse = 1e-4, .l1 = 0.0395, .snr = 40}, loud, signal));
    EXPECT_FALSE(agrees({.mse = 1e-4, .l1 = 0.04, .snr = 41}, loud, signal));
    EXPECT_FALSE(agrees({.mse = 0, .l1 = 0, .snr = std::nullopt}, loud, signal));
    const RowGap quiet{.mse = 1e-14, .l1 = 4e-7, .snr = 140};
    EXPECT_TRUE(agrees({.mse = 9e-11, .l1 = 3.7e-5, .snr = 100.5}, quiet, signal));
    EXPECT_TRUE(agrees({.mse = 0, .l1 = 0, .snr = std::nullopt}, quiet, signal));
    EXPECT_FALSE(agrees({.mse = 9e-11, .l1 = 3.7e-5, .snr = 99}, quiet, signal));
    EXPECT_FALSE(agrees({.mse = 2e-10, .l1 = 3.7e-5, .snr = 100.5}, quiet, signal));
    EXPECT_FALSE(agrees({.mse = 9e-11, .l1 = 4.1e-5, .snr = 100.5}, quiet, signal));
    const RowGap equal{.mse = 0, .l1 = 0, .snr = std::nullopt};
    EXPECT_TRUE(agrees({.mse = 1e-14, .l1 = 4e-7, .snr = 140}, equal, signal));
    EXPECT_FALSE(agrees({.mse = 1e-4, .l1 = 0.04, .snr = 40}, equal, signal));
}

class GapGolden : public testing::TestWithParam<GoldenTrace> {};

TEST_P(GapGolden, HasTheRowsAndNumbersOfTheReference) {
    ET_NEEDS_SHARED_DATA();
    std::vector<RowGap> ours;
    std::vector<RowGap> reference;
    std::vector<Signal> signals;
    constexpr std::pair<const char*, std::optional<double> RowGap::*> metrics[] = {
        {"mse", &RowGap::mse}, {"l1", &RowGap::l1}, {"snr", &RowGap::snr}};
    for (const auto& [metric, member] : metrics) {
        const Gap gap(gapOfTrace(GetParam(), metric));
        ASSERT_TRUE(gap.answered()) << gap.process().err;
        const fs::path file = sharedData() / "traces" / GetParam().trace / fmt::format("gap_{}.json", metric);
        dom::parser parser;
        const simdjson::padded_string text(asJson(readText(file)));
        const dom::array golden = parser.parse(text);
        ASSERT_EQ(gap.rows().size(), golden.size()) << metric;
        ours.resize(golden.size());
        reference.resize(golden.size());
        signals.clear();
        for (std::size_t i = 0; i < golden.size(); ++i) {
            const dom::element row = gap.rows().at(i);
            expectSameRow(row, golden.at(i), fmt::format("{} row {}", metric, i));
            ours[i].*member = firstGap(row);
            reference[i].*member = firstGap(golden.at(i));
            signals.push_back(Signal::of(row));
        }
    }
    for (std::size_t i = 0; i < ours.size(); ++i) {
        EXPECT_TRUE(agrees(ours[i], reference[i], signals[i])) << "row " << i;
        if (reference[i].snr) {
            const double power = *reference[i].mse * std::pow(10, *reference[i].snr / 10);
            EXPECT_NEAR(signals[i].power, power, 0.01 * power) << "row " << i;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Traces, GapGolden, testing::ValuesIn(goldenTraces),
                         [](const auto& trace) { return std::string(trace.param.trace); });

}  // namespace
}  // namespace et::test
