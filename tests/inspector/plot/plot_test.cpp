#include "inspector/plot/axis.h"
#include "inspector/plot/curve_plot.h"
#include "inspector/plot/error_plot.h"
#include "inspector/plot/frame.h"
#include "inspector/plot/pareto_plot.h"
#include "inspector/plot/time_axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace et::inspector::plot {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(RoundStep, IsOneTwoOrFiveTimesAPowerOfTen) {
    EXPECT_DOUBLE_EQ(roundStep(0.7), 1);
    EXPECT_DOUBLE_EQ(roundStep(1), 1);
    EXPECT_DOUBLE_EQ(roundStep(1.2), 2);
    EXPECT_DOUBLE_EQ(roundStep(34), 50);
    EXPECT_DOUBLE_EQ(roundStep(0.00012), 0.0002);
    EXPECT_DOUBLE_EQ(roundStep(51), 100);
}

TEST(RoundByteStep, IsRoundInTheUnitThatFits) {
    EXPECT_DOUBLE_EQ(roundByteStep(300), 500);
    EXPECT_DOUBLE_EQ(roundByteStep(600), 1024);
    EXPECT_DOUBLE_EQ(roundByteStep(3000), 5 * 1024);
    EXPECT_DOUBLE_EQ(roundByteStep(700 * 1024), 1024 * 1024);
}

TEST(LogAxis, PlacesAreInvertible) {
    LogAxis axis{.least = 1, .most = 10};
    axis.include(200, 2);
    EXPECT_DOUBLE_EQ(axis.placeOf(400), 1);
    EXPECT_DOUBLE_EQ(axis.placeOf(20), 0.5);
    EXPECT_NEAR(axis.valueAt(axis.placeOf(3.7)), 3.7, 1e-12);
}

TEST(LogAxis, TicksBecomeFinerInShorterRanges) {
    EXPECT_THAT(logTicks(0.5, 20'000), ElementsAre(1, 10, 100, 1000, 10'000));
    EXPECT_THAT(logTicks(3, 60), ElementsAre(5, 10, 20, 50));
    EXPECT_THAT(logTicks(11, 29), ElementsAre(15, 20, 25));
    EXPECT_THAT(logTicks(2, 2), ElementsAre());
}

TEST(Frame, MapsTheVisiblePartToTheArea) {
    const Frame frame{.area = {.x = 10, .y = 20, .width = 100, .height = 50},
                      .part = {.x = 0.5, .y = 0, .width = 0.25, .height = 0.5}};
    EXPECT_EQ(frame.onScreen({.x = 0.5, .y = 0.5}), (Point{.x = 10, .y = 70}));
    EXPECT_EQ(frame.placeAt({.x = 110, .y = 20}), (Point{.x = 0.75, .y = 0}));
}

TEST(Frame, LabelsThatWouldOverlapAreOmitted) {
    const Frame frame{.area = {.x = 40, .y = 0, .width = 100, .height = 50}};
    Scene scene;
    addGrid(scene, frame, true, std::vector<Tick>{{0.1, "a"}, {0.2, "b"}, {0.9, "c"}, {1.5, "outside"}});
    const std::string svg = svgText(scene, 150, 60);
    EXPECT_THAT(svg, HasSubstr(">a<"));
    EXPECT_THAT(svg, Not(HasSubstr(">b<")));
    EXPECT_THAT(svg, HasSubstr(">c<"));
    EXPECT_EQ(scene.marks.size(), 5U) << "three lines and two labels";
}

std::vector<std::string> timeLabels(double from, double to) {
    Scene scene;
    addTimeAxis(scene, {.area = {.x = 8, .y = 24, .width = 1000, .height = 100}}, from, to,
                format::Measure::Milliseconds);
    std::vector<std::string> labels;
    for (const Mark& mark : scene.marks) {
        if (const auto* const text = std::get_if<Text>(&mark.shape); text != nullptr && !text->text.empty()) {
            labels.push_back(text->text);
        }
    }
    return labels;
}

TEST(TimeAxis, LabelsDifferAtAnyZoom) {
    EXPECT_THAT(timeLabels(0, 4),
                ElementsAre("0 µs", "500 µs", "1.0 ms", "1.5 ms", "2.0 ms", "2.5 ms", "3.0 ms", "3.5 ms"));
    constexpr double middle = 2700;
    for (double length = 300; length > 2e-5; length /= 3) {
        const std::vector<std::string> labels = timeLabels(middle, middle + length);
        EXPECT_GE(labels.size(), 2U) << length;
        EXPECT_EQ(std::set(labels.begin(), labels.end()).size(), labels.size()) << length;
    }
    EXPECT_THAT(timeLabels(27e6, 27e6 + 9e-5), testing::Contains(testing::StartsWith("+")));
}

TEST(ParetoPlot, ProgramsOnTheFrontAreMarked) {
    const ParetoPlot plot({{.candidate = 0, .cost = 3000, .noise = 1e-4},
                           {.cost = 1000, .noise = 1e-6},
                           {.candidate = 1, .cost = 2000, .noise = 1e-3},
                           {.candidate = 2, .cost = 4000, .noise = 1e-4, .chosen = true}},
                          ParetoCost::Bytes, ParetoError::Decibels);
    ASSERT_EQ(plot.points().size(), 4U);
    EXPECT_EQ(plot.pointOf(1), 0U) << "sorted by cost";
    EXPECT_EQ(plot.points()[3].candidate, std::nullopt) << "the predicted one is last";
    EXPECT_TRUE(plot.points()[0].best);
    EXPECT_TRUE(plot.points()[1].best);
    EXPECT_FALSE(plot.points()[2].best) << "larger and not better";
    Scene scene;
    plot.addTo(scene, {.area = {.x = 70, .y = 50, .width = 450, .height = 230}});
    EXPECT_EQ(scene.items.size(), 4U);
    EXPECT_LT(scene.items[1].at.x, scene.items[2].at.x);
    EXPECT_LT(scene.items[0].at.y, scene.items[1].at.y) << "a larger error is higher";
    const std::string svg = svgText(scene, 560, 340);
    for (const char* const text : {"class=\"chosen\"", "class=\"predicted\"", ">SQNR<", ">40 dB<"}) {
        EXPECT_THAT(svg, HasSubstr(text));
    }
}

TEST(CurvePlot, BeginsAtZeroAndLabelsRoundNumbers) {
    Scene scene;
    addCurve(scene, {.area = {.x = 86, .y = 52, .width = 430, .height = 180}},
             {.axis = "s0",
              .samples = {{.x = 1, .y = 1000}, {.x = 81, .y = 81'000}},
              .steps = {{.at = 41, .cause = "mul.out"}}});
    EXPECT_EQ(scene.items.size(), 2U);
    EXPECT_EQ(scene.items[1].at.x, 516);
    EXPECT_EQ(scene.items[1].tip, "81: 81.00 µs");
    const std::string svg = svgText(scene, 560, 280);
    for (const char* const text : {">0 ns<", ">50.00 µs<", ">1<", ">40<", ">81<", ">s0<", ">mul.out<"}) {
        EXPECT_THAT(svg, HasSubstr(text));
    }
}

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// A plot with one series of these numbers.
ErrorPlot errorsOf(const std::vector<double>& numbers, ErrorScale scale = ErrorScale::Logarithmic) {
    std::vector<ErrorRow> rows;
    for (const double number : numbers) {
        rows.push_back({.numbers = {number}, .tip = "operator"});
    }
    return {{{.name = "max abs"}}, scale, std::move(rows)};
}

std::string errorSvg(const ErrorPlot& plot) {
    Scene scene;
    plot.addTo(scene, {.area = {.x = 70, .y = 26, .width = 600, .height = 200}});
    return svgText(scene, 700, 260);
}

TEST(ErrorPlot, PutsPowersOfTenAtEqualDistances) {
    const ErrorPlot plot = errorsOf({0, 2e-4, 5e-2, 1e-4, 1e-3, 1e-2, 1e-1, unbounded});
    const auto heightOf = [&](std::size_t row) { return plot.placeOf(row, 0)->y; };
    EXPECT_EQ(heightOf(0), 1) << "equal is at the bottom";
    EXPECT_NEAR(heightOf(3), 0.92, 1e-12);
    EXPECT_NEAR(heightOf(6), 0, 1e-12);
    EXPECT_NEAR(heightOf(3) - heightOf(4), heightOf(4) - heightOf(5), 1e-12);
    EXPECT_EQ(heightOf(7), 0) << "infinite is at the top";
    EXPECT_FALSE(errorsOf({std::numeric_limits<double>::quiet_NaN()}).placeOf(0, 0));
    EXPECT_FALSE(plot.placeOf(0, 1)) << "no such series";
    const std::string svg = errorSvg(plot);
    for (const char* const label : {">0<", ">1e-4<", ">1e-3<", ">1e-2<", ">1e-1<", ">7<"}) {
        EXPECT_THAT(svg, HasSubstr(label));
    }
}

TEST(ErrorPlot, ManyDecibelsAreLow) {
    const ErrorPlot plot = errorsOf({unbounded, 33, 61, 30}, ErrorScale::Decibels);
    EXPECT_EQ(plot.placeOf(0, 0)->y, 1);
    EXPECT_GT(plot.placeOf(2, 0)->y, plot.placeOf(1, 0)->y);
    EXPECT_NEAR(plot.placeOf(3, 0)->y, 0, 1e-12);
    EXPECT_THAT(errorSvg(plot), testing::AllOf(HasSubstr(">∞<"), HasSubstr(">70<"), HasSubstr(">30<")));
}

TEST(ErrorPlot, OneNumberHasADecade) {
    const ErrorPlot plot = errorsOf({1e-3, 0});
    EXPECT_NEAR(plot.placeOf(0, 0)->y, 0.92, 1e-12);
    EXPECT_THAT(errorSvg(plot), testing::AllOf(HasSubstr(">1e-3<"), HasSubstr(">1e-2<")));
}

TEST(ErrorPlot, MarksDelegateCallsAndDivergences) {
    ErrorPlot plot({{.name = "inherited"}, {.name = "own", .tone = Tone::Own}}, ErrorScale::Logarithmic,
                   {{.numbers = {1e-3, 1e-2}, .tip = "add"},
                    {.numbers = {std::nullopt, std::nullopt}, .tip = "unknown"},
                    {.numbers = {1e-3, std::nullopt}, .isCall = true, .diverges = true, .tip = "call"},
                    {.numbers = {1e-3, 1e-1}, .diverges = true, .tip = "mul"}});
    plot.setFirstDivergence(3, "mul");
    Scene scene;
    plot.addTo(scene, {.area = {.x = 70, .y = 26, .width = 600, .height = 200}}, {true, true, false, true});
    ASSERT_EQ(scene.items.size(), 3U) << "an operator without a number has no mark";
    EXPECT_EQ(scene.items[1].tip, "call");
    const std::string svg = svgText(scene, 700, 260);
    for (const char* const text :
         {">inherited<", ">own<", ">first divergence: mul<", "class=\"sign own\"",
          ">diverges by its own error<", "<rect class=\"sign pale inherited\"", "<title>mul</title>"}) {
        EXPECT_THAT(svg, HasSubstr(text));
    }
    Scene zoomed;
    plot.addTo(zoomed, {.area = {.x = 70, .y = 26, .width = 600, .height = 200},
                        .part = {.x = 0.75, .y = 0, .width = 0.25, .height = 1}});
    ASSERT_EQ(zoomed.items.size(), 1U) << "only the visible part";
    EXPECT_EQ(zoomed.items[0].tip, "mul");
}

TEST(Scene, TheItemInFrontIsHit) {
    const Scene scene{.area = {.x = 0, .y = 0, .width = 100, .height = 100},
                      .items = {{.at = {.x = 50, .y = 50}, .radius = 20},
                                {.at = {.x = 60, .y = 50}, .radius = 4},
                                {.at = {.x = 60, .y = 50}, .radius = 4}}};
    EXPECT_EQ(scene.itemAt({.x = 60, .y = 50}, 4), 2U);
    EXPECT_EQ(scene.itemAt({.x = 50, .y = 50}, 4), 0U);
    EXPECT_EQ(scene.itemAt({.x = 50, .y = 73}, 4), 0U);
    EXPECT_EQ(scene.itemAt({.x = 50, .y = 75}, 4), std::nullopt);
}

TEST(Scene, ItemsAreGroupsWithATitleInSvg) {
    Scene scene{.items = {{.kind = "operator", .tip = "a & b", .event = 7}}};
    const Style style{.name = "point kernel", .fill = Tone::Kernel, .opacity = 0.6};
    scene.marks.push_back(
        {.shape = Circle{.centre = {.x = 20, .y = 20}, .radius = 4}, .style = style, .item = 0});
    scene.line({.x = 0, .y = 0}, {.x = 9, .y = 9}, gridStyle);
    const std::string svg = svgText(scene, 40, 40);
    EXPECT_THAT(svg,
                HasSubstr("<g class=\"operator\" data-e=\"7\"><title>a &amp; b</title>\n"
                          "<path class=\"point kernel\" d=\"M16.0 20.0a4.0 4.0 0 1 0 8.0 0a4.0 4.0 0 1 0 "
                          "-8.0 0z\"/>\n</g>\n<line class=\"grid\""));
    EXPECT_THAT(svg, HasSubstr(".point.kernel{fill:#0072b2;stroke:none;stroke-width:1;fill-opacity:0.6}"));
}

TEST(Scene, FilesHaveATitleAndMayBeLight) {
    Scene scene;
    scene.marks.push_back({.shape = Dots{.centres = {{.x = 1, .y = 2}, {.x = 3, .y = 4}}},
                           .style = {.name = "dots", .stroke = Tone::Fixed, .width = 3, .fixed = 0x123456}});
    EXPECT_THAT(svgText(scene, 40, 40), HasSubstr("prefers-color-scheme:dark"));
    const std::string svg = svgText(scene, 40, 40, {.title = "a < b", .isLight = true});
    EXPECT_THAT(svg, Not(HasSubstr("prefers-color-scheme")));
    for (const char* const text :
         {"viewBox=\"0 0 40 40\">\n<title>a &lt; b</title>\n", "d=\"M1.0 2.0h0M3.0 4.0h0\"",
          ".dots{fill:none;stroke:#123456;stroke-width:3;"}) {
        EXPECT_THAT(svg, HasSubstr(text));
    }
}

TEST(Ticks, AreRoundNumbersAndTheEnds) {
    const auto labels = [](const std::vector<Tick>& ticks) {
        std::vector<std::string> out;
        for (const Tick& tick : ticks) {
            out.push_back(tick.label);
        }
        return out;
    };
    EXPECT_THAT(labels(valueTicks({.least = 9000, .most = 12'000}, format::Measure::Nanoseconds)),
                ElementsAre("9.000 µs", "10.00 µs", "11.00 µs", "12.00 µs"));
    EXPECT_THAT(labels(valueTicks({.most = 4096}, format::Measure::Bytes, 2)),
                ElementsAre("0 B", "2.00 KiB", "4.00 KiB"));
    EXPECT_THAT(labels(wholeTicks({.least = 3, .most = 41})), ElementsAre("3", "10", "20", "30", "41"));
}

}  // namespace

}  // namespace et::inspector::plot
